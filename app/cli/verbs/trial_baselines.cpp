// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/units.h"
#include "core/report/documents.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

int listBaselines(Session& session)
{
    return withStore(session, [&session](const store::Store& store) -> int {
        const auto baselines = store.baselines();
        if (!baselines)
            return session.terminal.fail(baselines.error());
        Json list = Json::array();
        text::TextTable table({{"Name"},
                               {"Trial"},
                               {"Model", text::Align::left, true, 1},
                               {"Configuration", text::Align::left, true},
                               {"Latency ms", text::Align::right},
                               {"Starred", text::Align::left, false, 2}});
        for (const model::Baseline& baseline : *baselines) {
            const auto found = findTrial(store, text::toText(baseline.trial));
            if (!found)
                return session.terminal.fail(found.error());
            const model::Trial& trial = found->trial();
            const bool ok = trial.state == model::TrialState::ok;
            list.push_back({{"name", baseline.name.empty() ? Json() : Json(baseline.name)},
                            {"starred", baseline.starredUtc},
                            {"study", text::toText(found->snapshot.study.id)},
                            {"model", found->snapshot.study.model.name},
                            {"trial", report::trialDocument(trial)}});
            table.addRow({baseline.name, text::toText(baseline.trial), found->snapshot.study.model.name,
                          text::ConfigurationNames(found->snapshot).shortName(trial),
                          ok ? text::formatPlusMinus(trial.measurement.latencyNs, base::kMsPerNs) : "–",
                          baseline.starredUtc});
        }
        session.terminal.document({{"schema", "apertune.baselines/1"}, {"baselines", list}});
        session.terminal.text(list.empty() ? "No trial is a baseline yet. Mark one: apertune trial star best --as NAME"
                                           : table.render(session.terminal.width()));
        return kDone;
    });
}

Action declareTrialBaselines(CLI::App&)
{
    return [](Session& session) { return listBaselines(session); };
}

} // namespace

Verb trialBaselinesVerb()
{
    return {
        .path = {"trial", "baselines"},
        .group = Group::manage,
        .summary = "List the baselines: starred trials, with their names",
        .examples = R"(  apertune trial baselines
  apertune trial star best --as release     names one
  apertune compare release best --gate 5%   compares with it)",
        .takes = Takes::workspace,
        .documents = {{"apertune.baselines/1",
                       "`baselines`: `name` (null: without), `starred` (when), `study`, `model`, `trial` as above"}},
        .declare = declareTrialBaselines};
}

} // namespace apertune::cli
