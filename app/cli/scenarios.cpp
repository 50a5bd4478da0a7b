// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kept_runs.h"
#include "app/cli/trial_run.h"
#include "app/cli/verbs.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/report/format.h"
#include "core/report/text_table.h"
#include "core/search/recommend.h"
#include "core/stats/block_stats.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apertune::cli {

using base::Json;
using report::formatPlusMinus;
using scenario::Kind;

namespace {

/// What a person typed, without the zeros of a measured number: 25, 99.9.
std::string plain(double value)
{
    std::string text = base::formatSignificant(value, 4);
    if (text.find('.') != std::string::npos)
        text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

std::string percentileName(double p)
{
    return "p" + plain(p * 100);
}

std::string loadText(const scenario::Scenario& s)
{
    switch (s.kind) {
    case Kind::singleStream:
        return "one query after the other";
    case Kind::multiStream:
        return "queries of " + std::to_string(s.samples) + " samples, one after the other";
    case Kind::offline:
        return "everything at once";
    case Kind::server:
        return "Poisson arrivals, " + base::formatSignificant(s.rate, 4) + " queries/s" +
               (s.bound.count > 0 ? ", " + percentileName(s.percentile) + " within " + base::formatDuration(s.bound)
                                  : std::string());
    case Kind::camera:
        break;
    }
    return std::to_string(s.cameras) + (s.cameras == 1 ? " camera, " : " cameras, ") + plain(s.fps) +
           " frames/s each, deadline " + base::formatDuration(s.frameDeadline());
}

std::string keptText(scenario::Holds holds)
{
    return holds == scenario::Holds::yes ? "kept" : holds == scenario::Holds::no ? "broken" : "cannot tell";
}

std::string capacityText(const scenario::Scenario& s, const scenario::Capacity& capacity)
{
    const std::string bound = percentileName(s.percentile) + " <= " + base::formatDuration(s.bound);
    if (capacity.predicted == 0)
        return "No rate holds " + bound + ": a query that is alone misses it already.\n";
    std::string text = capacity.holds > 0 ? "The largest rate that holds " + bound + ": " +
                                                base::formatSignificant(capacity.holds, 4) + " queries/s"
                                          : "No rate that was tried holds " + bound;
    if (capacity.fails > 0)
        text += " (" + base::formatSignificant(capacity.fails, 4) + " was not seen to)";
    return text + "; predicted from single passes: " + base::formatSignificant(capacity.predicted, 4) + "; " +
           std::to_string(capacity.probes.size()) + " runs\n";
}

/// Said before the time is spent.
void noteTooFew(Terminal& terminal, const scenario::Scenario& s)
{
    if (const auto few = scenario::tooFewQueries(s))
        terminal.note("About " + base::formatSignificant(few->expected, 3) + " queries come in " +
                      base::formatDuration(s.duration) + " at " + plain(s.rate) + " a second; " +
                      percentileName(s.percentile) + " needs " + std::to_string(few->needed) + ". Give --duration " +
                      plain(std::ceil(few->duration.seconds())) + "s, or a higher --rate.");
}

std::string summaryText(const runs::ScenarioResult& result)
{
    const scenario::Scenario& s = result.scenario;
    const scenario::Summary& summary = result.summary;
    std::string text;
    if (result.capacity)
        text += capacityText(s, *result.capacity);
    if (summary.queries == 0)
        return text;
    report::TextTable table({{""}, {"", report::Align::right}});
    const auto row = [&](const std::string& what, const std::string& value) { table.addRow({what, value}); };
    row("Load", loadText(s));
    row("Queries", std::to_string(summary.queries) + (summary.queries != summary.answered
                                                          ? ", " + std::to_string(summary.answered) + " answered"
                                                          : std::string()));
    row("Samples/s", formatPlusMinus(summary.perSecond));
    if (s.kind != Kind::offline) {
        const std::size_t few = stats::samplesForPercentile(s.percentile);
        row(percentileName(s.percentile) + " latency", summary.latencyNs.confidence > 0
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
        row("Age of the newest result, mean", formatPlusMinus(summary.frames->staleMs) + " ms");
        row("  at most", base::formatSignificant(summary.frames->stalestMs) + " ms");
    }
    return text + table.render(0);
}

/// The recommended trial, then the others of the front.
std::vector<model::TrialId> trialsToLoad(const model::StudySnapshot& snapshot, int most)
{
    std::vector<model::TrialId> trials;
    if (snapshot.recommended)
        trials.push_back(snapshot.recommended->trial);
    for (const model::TrialId id : search::paretoFront(snapshot.trials, snapshot.study.goal))
        if (std::find(trials.begin(), trials.end(), id) == trials.end())
            trials.push_back(id);
    trials.resize(std::min(trials.size(), static_cast<std::size_t>(most)));
    return trials;
}

} // namespace

UnderLoad putUnderLoad(engine::Workbench& workbench, const model::StudySnapshot& snapshot, const Tune& options,
                       Session& session, Json& documents)
{
    Terminal& terminal = session.terminal;
    LoadTable table;
    bool interrupted = false;
    for (const scenario::Scenario& scenario : options.scenarios)
        noteTooFew(terminal, scenario);
    for (const scenario::Scenario& scenario : options.scenarios)
        for (const model::TrialId id : trialsToLoad(snapshot, options.loadTrials)) {
            if (interrupted)
                break;
            const std::string what = report::toText(id) + " " + std::string(toString(scenario.kind));
            const auto result =
                workbench.runTrialScenario(id, scenario, statusOf(terminal, what), session.interrupt.token());
            terminal.status({});
            if (result)
                table.add(id, std::string(toString(scenario.kind)), runs::toJson(result.value()), base::utcNow());
            else if (!(interrupted = result.error().code == base::ErrorCode::cancelled))
                terminal.note(what + ": " + base::describe(result.error()));
        }
    documents = table.documents();
    return {documents.empty() ? std::string() : table.render(terminal.width()), interrupted};
}

int run(const RunScenario& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(options.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    noteTooFew(terminal, options.scenario);
    const auto result = trial->workbench->runTrialScenario(trial->found.id, options.scenario, statusOf(terminal),
                                                           session.interrupt.token());
    terminal.status({});
    if (!result)
        return failRun(terminal, result.error());
    Json document{{"schema", "apertune.scenario/1"}, {"trial", report::toText(trial->found.id)}};
    document.update(runs::toJson(result.value()));
    terminal.document(document);
    terminal.text(trial->name() + ", " + std::string(toString(options.scenario.kind)) + "\n\n" +
                  summaryText(result.value()));
    return kDone;
}

int run(const ScenarioList& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return terminal.fail(store.error());
    std::vector<model::TrialId> trials;
    if (looksLikeTrial(options.trial)) {
        const auto found = findTrial(*store, options.trial);
        if (!found)
            return terminal.fail(found.error());
        trials.push_back(found->id);
    } else {
        const auto study = loadStudyOf(*store, options.trial.empty() ? "last" : options.trial);
        if (!study)
            return terminal.fail(study.error());
        for (const model::Trial& trial : study->trials)
            trials.push_back(trial.id);
    }
    const auto table = loadsOf(*store, trials);
    if (!table)
        return terminal.fail(table.error());
    terminal.document({{"schema", "apertune.scenarios/1"}, {"scenarios", table->documents()}});
    terminal.text(table->documents().empty()
                      ? "Nothing was put under load yet. Run one: apertune scenario best --scenario offline"
                      : table->render(terminal.width()));
    return kDone;
}

} // namespace apertune::cli
