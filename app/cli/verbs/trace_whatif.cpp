// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/trace_reading.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "app/cli/verification_document.h"
#include "core/advice/what_if.h"
#include "core/advice/what_if_document.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace apertune::cli {

using advice::Change;
using advice::ChangeEffect;
using advice::WhatIfReport;
using base::Json;

namespace {

struct TraceWhatif
{
    std::string trace;
    std::vector<std::string> changes;
    bool verify = false;
    base::Nanoseconds budget = runs::kVerificationBudget;
};

std::string rangeText(const model::Interval& ns)
{
    const auto text = [](double value) {
        return base::formatDuration({static_cast<std::int64_t>(std::max(0.0, value))});
    };
    if (!(ns.confidence > 0))
        return text(ns.value) + " ± ?";
    return text(ns.value) + " [" + text(ns.lo) + ", " + text(ns.hi) + "]";
}

std::string savedText(const ChangeEffect& effect)
{
    if (!effect.bandKnown)
        return base::formatPercent(effect.saved) + " ± ?";
    return base::formatPercent(effect.saved) + " [" + base::formatPercent(effect.band.lo) + ", " +
           base::formatPercent(effect.band.hi) + "]";
}

/// `ofTrial`: a trial was recorded, so a change of its configuration can be measured.
std::string notesText(const std::string& name, bool ofTrial, const std::vector<Change>& changes,
                      const WhatIfReport& report, int width)
{
    std::string text;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const ChangeEffect& effect = report.effects[i];
        if (effect.correction)
            text += text::wrap(
                        changes[i].text + ": " + base::counted(effect.correction->experiments, "earlier experiment") +
                            " of this kind of change gained " + base::formatSignificant(effect.correction->bias, 2) +
                            " of what was predicted. Expect " + base::formatPercent(effect.correction->gain.lo) +
                            " to " + base::formatPercent(effect.correction->gain.hi) + ".",
                        width, 2) +
                    "\n";
        // Rounded, it would read as all of it.
        if (effect.onCriticalPath && *effect.onCriticalPath < 0.995)
            text += text::wrap(changes[i].text + ": " + base::formatPercent(*effect.onCriticalPath) +
                                   " of the removed time of the device was on the critical path; the rest was hidden.",
                               width, 2) +
                    "\n";
        if (ofTrial && runs::canApply(effect.knob))
            text +=
                "Measure it: apertune trace whatif " + name + " " + base::shellQuoted(changes[i].text) + " --verify\n";
    }
    return text;
}

std::string whatIfText(const std::string& name, bool ofTrial, const std::vector<Change>& changes,
                       const WhatIfReport& report, int width)
{
    text::TextTable table({{"Change", text::Align::left, true},
                           {"Events", text::Align::right},
                           {"Saved", text::Align::right},
                           {"An iteration", text::Align::right}});
    // The first row is what the predictions are compared with.
    table.addRow({report.bare ? "none, without recording" : "none", "", "", rangeText(report.before)});
    const auto add = [&](const std::string& what, const ChangeEffect& effect) {
        table.addRow({what, effect.events > 0 ? base::formatSignificant(effect.events, 3) : "", savedText(effect),
                      rangeText(report.after(effect))});
    };
    for (std::size_t i = 0; i < changes.size(); ++i)
        add(changes[i].text, report.effects[i]);
    if (changes.size() > 1)
        add("all of them", report.together);
    std::string text = table.render(width) + "\n" + notesText(name, ofTrial, changes, report, width);
    text += text::wrap("Now: " + base::printableLine(sentences::sentence(report.verdict.sentence)), width, 2) + "\n";
    text +=
        text::wrap("Then: " + base::printableLine(sentences::sentence(report.verdictAfter.sentence)), width, 2) + "\n";
    if (report.replayError >= 0.0005)
        text += text::wrap("The replay without a change misses the recorded time by " +
                               base::formatPercent(report.replayError) + ", which widens the intervals.",
                           width, 0) +
                "\n";
    return text;
}

/// Measures the changes that Apertune can make, and adds the results to the document.
int verify(const TraceWhatif& options, const WhatIfReport& report, Session& session, Json& document)
{
    Terminal& terminal = session.terminal;
    const auto workbench = engine::Workbench::open(session.common.store);
    if (!workbench)
        return terminal.fail(workbench.error());
    const auto summary = findTrace((*workbench)->store(), options.trace);
    if (!summary)
        return terminal.fail(summary.error());
    Json proofs = Json::array();
    int worst = kDone;
    for (std::size_t i = 0; i < report.effects.size(); ++i) {
        const advice::Finding finding = findingOf(report.effects[i]);
        if (!runs::canApply(finding.knob))
            continue;
        Progress progress(terminal);
        const auto verification =
            (*workbench)
                ->verifyFinding(summary->id, finding, options.budget, std::ref(progress), session.interrupt.token(),
                                "apertune trace whatif " + toText(summary->id) + " " +
                                    base::shellQuoted(options.changes[i]) + " --verify");
        terminal.status({});
        if (!verification)
            return failRun(terminal, verification.error());
        proofs.push_back(verificationDocument(finding, *verification));
        terminal.text(
            text::wrap(options.changes[i] + ": " + sentences::sentence(verification->message), terminal.width(), 2));
        // The first verification that is not done decides the exit code.
        if (worst == kDone)
            worst = codeOf(verification->outcome);
    }
    document["proofs"] = proofs;
    if (!proofs.empty())
        return worst;
    return terminal.fail(base::plainError(base::ErrorCode::invalidArgument,
                                          "None of these changes is a switch or a number of threads.", {},
                                          "Make the change by hand, record it and compare: `apertune compare`."));
}

int run(const TraceWhatif& options, Session& session)
{
    Terminal& terminal = session.terminal;
    std::vector<Change> changes;
    for (const std::string& text : options.changes) {
        auto change = advice::parseChange(text);
        if (!change)
            return terminal.fail(change.error());
        changes.push_back(std::move(*change));
    }
    const auto loaded = openTrace(options.trace, session);
    if (!loaded)
        return terminal.fail(loaded.error());
    const advice::Facts facts(*loaded->trace, loaded->context);
    const auto report = advice::whatIf(facts, changes);
    if (!report)
        return terminal.fail(report.error());
    Json document = advice::whatIfDocument(changes, *report);
    document["trace"] = loaded->name;
    const bool ofTrial = loaded->context.config.has_value();
    terminal.text(whatIfText(loaded->name, ofTrial, changes, *report, terminal.width()));
    const int code = options.verify ? verify(options, *report, session, document) : kDone;
    terminal.document(document);
    return code;
}

Action declareTraceWhatif(CLI::App& app)
{
    auto options = std::make_shared<TraceWhatif>();
    addArgument(app, "TRACE", options->trace,
                "Trace (tr3, last) or a file of the PyTorch profiler, nsys, rocprofv3 or Perfetto");
    addArgument(app, "CHANGE", options->changes,
                "Changes: kernel:NAME=FACTOR, operator:NAME=FACTOR, layer:NAME=FACTOR (0.5, 50%, remove), "
                "copies=remove|pin|overlap, graph, streams=N, host=FACTOR, threads=N, switch:NAME=on|off");
    app.add_flag("--verify", options->verify, "Measure the changes that are a switch or a number of threads");
    addTime(app, "--budget", options->budget, "Measuring time for each change (default: 30s)");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceWhatifVerb()
{
    return {
        .path = {"trace", "whatif"},
        .group = Group::explain,
        .summary = "Predict what changes would do to a trace, alone and together",
        .examples = R"(  apertune trace whatif last operator:batch_norm=remove
  apertune trace whatif recording.json.gz graph copies=overlap
  apertune trace whatif tr3 'operator:/conv/#3=50%' threads=1
  apertune trace whatif tr3 threads=1 --verify)",
        .takes = Takes::untrustedCode,
        .documents = {{"apertune.what-if/1",
                       "`trace`, `before_ms` (an iteration; `bare`: without recording), `iterations`, `replay_error` "
                       "(a share), `changes`: each `change` as typed, `saved` (share of an iteration with `lo` and "
                       "`hi`, null with too few iterations), `after_ms` (with `lo`, `hi`; corrected by `track` where "
                       "it is not null), `events` an "
                       "iteration, `on_critical_path` (part of the device's removed time, or null), `track` (null, or "
                       "`experiments`, `bias`, `factor`, `expected`), `verifiable`; `together` likewise; `verdict` "
                       "and `verdict_after` as in `apertune.trace-report/1`; with `--verify`, `proofs` as in "
                       "`apertune.proofs/1`"}},
        .declare = declareTraceWhatif};
}

} // namespace apertune::cli
