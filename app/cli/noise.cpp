// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trial_run.h"
#include "app/cli/verbs.h"
#include "core/base/text.h"
#include "core/report/documents.h"
#include "core/report/format.h"
#include "core/stats/block_stats.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace apertune::cli {

using base::Json;

namespace {

constexpr double kClockMoved = 1 - stats::kLeastClock; ///< worth a line

Json intervalJson(const model::Interval& interval, double scale = 1)
{
    return {{"value", interval.value * scale},
            {"lo", interval.lo * scale},
            {"hi", interval.hi * scale},
            {"confidence", interval.confidence}};
}

int codeOf(stats::Verdict verdict)
{
    switch (verdict) {
    case stats::Verdict::slower:
        return kGateFailed;
    case stats::Verdict::cannotTell:
        return kCannotTell;
    case stats::Verdict::faster:
    case stats::Verdict::same:
        break;
    }
    return kDone;
}

std::string verdictText(stats::Verdict verdict)
{
    switch (verdict) {
    case stats::Verdict::slower:
        return "slower than then";
    case stats::Verdict::faster:
        return "faster than then";
    case stats::Verdict::same:
        return "the same as then";
    case stats::Verdict::cannotTell:
        break;
    }
    return "cannot tell whether it is as fast as then";
}

} // namespace

int run(const NoiseFloor& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(options.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    const auto certificate = trial->workbench->measureNoiseFloor(trial->found.id, options.protocol, options.pairs,
                                                                 statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!certificate)
        return failRun(terminal, certificate.error());
    Json document{{"schema", "apertune.noise_floor/1"}, {"trial", report::toText(trial->found.id)}};
    document.update(report::noiseDocument(*certificate));
    terminal.document(document);
    terminal.text(report::noiseSentence(*certificate));
    return kDone;
}

int remeasure(const Verify& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(options.common, options.dir.string(), store::OpenMode::readOnly);
    if (!trial)
        return terminal.fail(trial.error());
    const auto again = trial->workbench->remeasure(trial->found.id, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!again)
        return failRun(terminal, again.error());
    const stats::Effect& effect = again->effect;
    const model::Measurement& then = trial->found.trial().measurement;
    terminal.document({{"schema", "apertune.remeasured/1"},
                       {"trial", report::toText(trial->found.id)},
                       {"verdict", stats::toString(effect.verdict)},
                       {"ratio", intervalJson(effect.ratio)},
                       {"machine", effect.machine},
                       {"zone", effect.zone},
                       {"then_ms", intervalJson(then.latencyNs, 1e-6)},
                       {"now_ms", intervalJson(again->now.latencyNs, 1e-6)},
                       {"blocks", again->now.blocks.size()},
                       {"sentinel", again->driftReading ? Json(report::toText(*again->driftReading)) : Json(nullptr)},
                       {"to_sentinel", again->toDriftReading ? intervalJson(*again->toDriftReading) : Json(nullptr)},
                       {"by_processor_time", again->byProcessorTime},
                       {"clock", again->clock ? Json(*again->clock) : Json(nullptr)},
                       {"flags", model::toStrings(again->now.flags)}});
    std::string text = trial->name() + "\n\nthen      " + report::formatPlusMinus(then.latencyNs, 1e-6) +
                       " ms\nnow       " + report::formatPlusMinus(again->now.latencyNs, 1e-6) + " ms, " +
                       std::to_string(again->now.blocks.size()) + " blocks";
    if (!again->now.flags.empty())
        text += " (" + base::join(model::toStrings(again->now.flags)) + ")";
    if (again->toDriftReading)
        text += "\ndrift     " + base::formatSignificant(again->toDriftReading->value) + " times the " +
                (again->byProcessorTime ? "processor time of " : "time of ") + report::toText(*again->driftReading) +
                ", measured in turns";
    if (again->clock && std::abs(*again->clock - 1) > kClockMoved)
        text += "\nclock     " + base::formatSignificant(std::abs(*again->clock - 1) * 100, 2) + " % " +
                (*again->clock < 1 ? "lower" : "higher") + " than then";
    if (effect.machine != 1)
        text += "\nmachine   " + report::formatSlowdown(effect.machine, "then") + ", taken out";
    terminal.text(text + "\nthen/now  " + report::formatRatio(effect.ratio) + ": " + verdictText(effect.verdict));
    return codeOf(effect.verdict);
}

} // namespace apertune::cli
