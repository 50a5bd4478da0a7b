// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/comparison/effects.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

int run(const std::string& study, Session& session)
{
    return withStudy(session, study, [&](const store::Store&, const model::StudySnapshot& snapshot) -> int {
        const std::vector<comparison::SettingEffect> effects = comparison::settingEffects(snapshot);
        session.terminal.document(comparison::effectsDocument(snapshot, effects));
        session.terminal.text(comparison::effectsText(snapshot, effects, session.terminal.width()));
        return effects.empty() ? kCannotTell : kDone;
    });
}

Action declareStudyEffects(CLI::App& app)
{
    auto study = std::make_shared<std::string>("last");
    app.add_option("STUDY", *study, kStudyHelp)->type_name("");
    return [study](Session& session) { return run(*study, session); };
}

} // namespace

Verb studyEffectsVerb()
{
    return {
        .path = {"study", "effects"},
        .group = Group::explain,
        .summary = "Show what each setting of a study changes, with intervals",
        .examples = R"(  apertune study effects
  apertune study effects s3 --json)",
        .takes = Takes::workspace,
        .documents = {{"apertune.effects/1",
                       "`study`, `effects`, the largest first (`setting`: `engine`, `level`, `precision`, `batch`, "
                       "`threads` or a switch; `from`, `to`, `device`, `speedup` with `value`, `lo`, `hi`: the "
                       "mean over all pairs of configurations that differ in it alone, null ends where no pair has "
                       "an interval; `pairs_with_interval`: those that count; `depends`: the intervals of two "
                       "pairs do not meet, `energy_depends`: those of the energy; `memory`: after over before, or "
                       "null; `energy` (of a sample) and `first_answer` (cold starts, else warm ones) with `…_lo` "
                       "and `…_hi`: after over before, the mean over the pairs that know it, or null; `cosine`: the "
                       "lowest after the change, or null; `pairs`: `from`, `to` (trials), `speedup`, `verdict`, "
                       "`paired`, `energy` and `first_answer` likewise)"}},
        .declare = declareStudyEffects};
}

} // namespace apertune::cli
