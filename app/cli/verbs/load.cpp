// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/load_options.h"
#include "app/cli/options.h"
#include "app/cli/trial_run.h"
#include "app/cli/under_load.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/stats/block_stats.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;
using text::formatPlusMinus;
using workload::ScenarioKind;

namespace {

struct Load
{
    std::string trial;
    LoadTexts texts;
    workload::Scenario scenario;
};

std::string loadText(const workload::Scenario& s)
{
    switch (s.kind) {
    case ScenarioKind::singleStream:
        return "one query after the other";
    case ScenarioKind::multiStream:
        return "queries of " + base::counted(s.samples, "sample") + ", one after the other";
    case ScenarioKind::offline:
        return "everything at once";
    case ScenarioKind::server:
        // Without a bound, the rate is measured as it is given.
        return "Poisson arrivals, " + base::formatSignificant(s.rate, 4) + " queries/s" +
               (s.bound.count > 0
                    ? ", " + text::percentileName(s.percentile) + " within " + base::formatDuration(s.bound)
                    : std::string());
    case ScenarioKind::camera:
        break;
    }
    return std::to_string(s.cameras) + (s.cameras == 1 ? " camera, " : " cameras, ") + text::plainNumber(s.fps) +
           " frames/s each, deadline " + base::formatDuration(s.frameDeadline());
}

std::string keptText(workload::BoundKept kept)
{
    return kept == workload::BoundKept::yes ? "kept" : kept == workload::BoundKept::no ? "broken" : "cannot tell";
}

std::string capacityText(const workload::Scenario& s, const workload::Capacity& capacity)
{
    const std::string bound = text::percentileName(s.percentile) + " <= " + base::formatDuration(s.bound);
    // A prediction of 0 means that a single query breaks the bound.
    if (capacity.predicted == 0)
        return "No rate holds " + bound + ": a query that is alone misses it already.\n";
    std::string text = capacity.highestKept > 0 ? "The largest rate that holds " + bound + ": " +
                                                      base::formatSignificant(capacity.highestKept, 4) + " queries/s"
                                                : "No rate that was tried holds " + bound;
    if (capacity.lowestMissed > 0)
        text += " (" + base::formatSignificant(capacity.lowestMissed, 4) + " was not seen to)";
    return text + "; predicted from single passes: " + base::formatSignificant(capacity.predicted, 4) + "; " +
           base::counted(static_cast<std::int64_t>(capacity.probes.size()), "run") + "\n";
}

std::string summaryText(const runs::ScenarioResult& result, base::RateUnit rate, int width)
{
    const workload::Scenario& s = result.scenario;
    const workload::ScenarioSummary& summary = result.summary;
    std::string text;
    if (result.capacity)
        text += capacityText(s, *result.capacity);
    // A search may end without a run that could be summarized.
    if (summary.queries == 0)
        return text;
    text::TextTable table({{""}, {"", text::Align::right}});
    const auto row = [&](const std::string& what, const std::string& value) { table.addRow({what, value}); };
    row("Load", loadText(s));
    row("Queries", std::to_string(summary.queries) + (summary.queries != summary.answered
                                                          ? ", " + std::to_string(summary.answered) + " answered"
                                                          : std::string()));
    row("Rate", formatPlusMinus(summary.perSecond) + " " + std::string(base::toString(rate)));
    // Offline has one query, and no latency.
    if (s.kind != ScenarioKind::offline) {
        // The percentile needs a certain number of queries, which a short run does not have.
        const std::size_t few = stats::samplesForPercentile(s.percentile);
        row(text::percentileName(s.percentile) + " latency", summary.latencyNs.confidence > 0
                                                                 ? formatPlusMinus(summary.latencyNs, 1e-6) + " ms"
                                                                 : "too few queries, it takes " + std::to_string(few));
        if (summary.boundNs)
            row("  surely below (99 %)", base::formatSignificant(*summary.boundNs * 1e-6) + " ms");
        row("In the queue, mean", formatPlusMinus(summary.waitedNs, 1e-6) + " ms");
        row("In the pass, mean", formatPlusMinus(summary.computedNs, 1e-6) + " ms");
        row("Busy", base::formatPercent(summary.busy));
    }
    if (summary.bound)
        row("Bound", keptText(*summary.bound) + ", " + std::to_string(summary.over) + " over it");
    if (summary.frames) {
        row("Frames missed", base::formatPercent(summary.frames->missShare) + " (" +
                                 std::to_string(summary.frames->late) + " late, " +
                                 std::to_string(summary.frames->dropped) + " dropped)");
        row("Age of the newest result, mean", formatPlusMinus(summary.frames->meanAgeMs) + " ms");
        row("  at most", base::formatSignificant(summary.frames->maxAgeMs) + " ms");
    }
    return text + table.render(width);
}

int run(const Load& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(session.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    noteTooFew(terminal, options.scenario);
    const auto result = trial->workbench->runTrialScenario(trial->found.id, options.scenario, statusOf(terminal),
                                                           session.interrupt.token());
    terminal.status({});
    if (!result)
        return failRun(terminal, result.error());
    // The document of the run itself is the same in the store and in a report.
    Json document{{"schema", "apertune.scenario/1"}, {"trial", text::toText(trial->found.id)}};
    document.update(runs::toJson(result.value()));
    terminal.document(document);
    terminal.text(trial->name() + ", " + std::string(toString(options.scenario.kind)) + "\n\n" +
                  summaryText(result.value(), trial->found.snapshot.study.model.rateUnit(), terminal.width()));
    return kDone;
}

Action declareLoad(CLI::App& app)
{
    auto options = std::make_shared<Load>();
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    app.add_option("--scenario", options->texts.kind, "Load: " + base::join(workload::scenarioKindWords()))
        ->type_name("WORD")
        ->required();
    app.add_option("--max-latency", options->texts.bound, "Bound of the latency percentile, server only")
        ->type_name("TIME");
    addLoadOptions(app, options->texts);
    app.final_callback([options] {
        auto scenario = scenarioOf(options->texts);
        if (!scenario)
            throw UsageError(scenario.error());
        options->scenario = std::move(*scenario);
    });
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb loadVerb()
{
    return {.path = {"load"},
            .group = Group::explain,
            .summary = "Measure a trial under the load of a service or of cameras",
            .examples =
                R"(  apertune load best --scenario server --max-latency 50ms   the largest rate that keeps p99 <= 50 ms
  apertune load t12 --scenario camera --cameras 4 --fps 25 --deadline 100ms
  apertune load best --scenario offline
  apertune trial loads                                      what was run so far)",
            .takes = Takes::untrustedCode,
            .declare = declareLoad};
}

} // namespace apertune::cli
