// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/advice/documents.h"
#include "core/advice/track_record.h"
#include "core/base/text.h"
#include "core/runs/experiments.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace apertune::cli {

using advice::RuleRecord;
using model::Experiment;

namespace {

/// Adds what earlier versions kept as studies alone. It is stored where the workspace can be written.
base::Result<std::vector<Experiment>> allExperiments(const store::Store& store)
{
    auto experiments = store.experiments();
    if (!experiments)
        return experiments;
    auto missing = runs::missingExperiments(store);
    if (!missing)
        return missing;
    // Experiments of older versions are added to the workspace where it can be written to; where it cannot, they only
    // count in this table.
    if (!missing->empty())
        if (auto writable = store::Store::open(store.file(), store::OpenMode::readWrite))
            for (const Experiment& experiment : *missing)
                if (!writable->putExperiment(experiment))
                    break; // a workspace that can only be read
    experiments->insert(experiments->end(), missing->begin(), missing->end());
    return experiments;
}

std::string ratioText(const model::Interval& ratio)
{
    const std::string value = base::formatSignificant(ratio.value, 2);
    return ratio.confidence > 0
               ? value + " [" + base::formatSignificant(ratio.lo, 2) + ", " + base::formatSignificant(ratio.hi, 2) + "]"
               : value;
}

std::string trackText(const std::vector<RuleRecord>& records, int width)
{
    if (records.empty())
        return "There is no experiment yet. `apertune trace verify last` makes one.\n";
    text::TextTable table({{"Rule or change", text::Align::left, true},
                           {"Experiments", text::Align::right},
                           {"Inside", text::Align::right, false, 1},
                           {"Measured / predicted", text::Align::right},
                           {"Corrected by", text::Align::right},
                           {"Not comparable", text::Align::right, false, 2}});
    for (const RuleRecord& r : records)
        table.addRow({r.subject, std::to_string(r.experiments), std::to_string(r.inside),
                      r.experiments > 0 ? ratioText(r.bias) : "",
                      r.experiments > 0
                          ? "× " + base::formatSignificant(r.factor, 2) + " ± " + base::formatPercent(r.spread)
                          : "",
                      std::to_string(r.others)});
    return table.render(width) + "\n" +
           text::wrap("Inside: the measured interval meets the predicted range. Measured / predicted: weighted "
                      "median with its 95 % interval. Corrected by: the factor that predictions of the rule are "
                      "multiplied by, which stays near 1 with few experiments, and the standard error of a corrected "
                      "prediction.",
                      width, 0) +
           "\n";
}

int run(Session& session)
{
    return withStore(session, [&](const store::Store& store) -> int {
        const auto experiments = allExperiments(store);
        if (!experiments)
            return session.terminal.fail(experiments.error());
        // No trial is asked about, so that all circumstances count alike.
        const advice::TrackRecord record(*experiments, {});
        session.terminal.document(advice::trackDocument(record, *experiments));
        session.terminal.text(trackText(record.records(), session.terminal.width()));
        return record.records().empty() ? kCannotTell : kDone;
    });
}

Action declareTrack(CLI::App&)
{
    return [](Session& session) { return run(session); };
}

} // namespace

Verb trackVerb()
{
    return {
        .path = {"track"},
        .group = Group::explain,
        .summary = "Show how right earlier predictions were, by rule",
        .examples = R"(  apertune track
  apertune track --json)",
        .takes = Takes::workspace,
        .documents = {{"apertune.track/1",
                       "`rules` (`rule`: a rule of findings, or `what-if KIND`; `experiments`; `inside`: those whose "
                       "measured interval meets the predicted range; `not_comparable`: without an interval, or the "
                       "change had no effect; `bias`: measured over predicted with `value`, `lo`, `hi`, null ends "
                       "with fewer than three experiments; `factor` and `spread`: how predictions are corrected) "
                       "and `experiments` (`rule`, `change`, `machine`, `task_type`, `engine`, `model`, "
                       "`others_load`, `predicted` with `lo`, `hi`, `saved` with `value`, `lo`, `hi` or null, "
                       "`outcome`, `study`: its uuid, `created`)"}},
        .declare = declareTrack};
}

} // namespace apertune::cli
