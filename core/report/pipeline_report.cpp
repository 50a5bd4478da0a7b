// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/pipeline_report.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/report/reasons.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace apertune::report {

using base::Json;
using sentences::sentence;
using workload::PipelineRun;
using workload::Stage;

namespace {

std::string inMs(double ns)
{
    return base::formatSignificant(ns * base::kMsPerNs, 3);
}

std::string ms(double ns)
{
    return inMs(ns) + " ms";
}

/// Returns the plan in short: "2 threads, 1 decoding thread, 2 batches ahead, up to 4 images a pass".
std::string planText(const PipelineRun& run)
{
    const workload::PipelinePlan& plan = run.plan;
    const int most = plan.queueBatch > 0 ? plan.queueBatch : run.batch;
    std::string text = run.threads > 0 ? base::counted(run.threads, "thread") + ", " : std::string();
    text += base::counted(plan.decodeThreads, "decoding thread") + ", ";
    text += plan.prefetch == 0 ? "stages take turns" : base::counted(plan.prefetch, "batch ahead", "batches ahead");
    text += ", up to " + base::counted(most, "image") + " a pass";
    if (plan.queueWait)
        text += " or " + base::formatDuration(*plan.queueWait) + " of waiting";
    if (plan.rate > 0)
        text += ", " + base::formatSignificant(plan.rate, 3) + " images/s come";
    if (plan.normalize == workload::Place::device)
        text += ", values made on the device";
    if (plan.memory == workload::HostMemory::pinned)
        text += ", pinned memory";
    return text;
}

std::vector<std::pair<std::string, double>> waitsOf(const workload::PipelineSummary& s)
{
    return {{"Waits to be decoded", s.waits.beginNs},
            {"Waits for its batch and the device", s.waits.batchNs},
            {"Waits to be postprocessed", s.waits.answerNs},
            {"Between stages", s.unaccountedNs}};
}

std::string svgNumber(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

constexpr std::array kFills{"var(--stage-1)", "var(--stage-2)", "var(--stage-3)",
                            "var(--stage-4)", "var(--stage-5)", "var(--stage-6)"};

} // namespace

base::Message stageMessage(Stage stage)
{
    switch (stage) {
    case Stage::decode:
        return base::message(reasons::kStageDecode);
    case Stage::preprocess:
        return base::message(reasons::kStagePreprocess);
    case Stage::copyIn:
        return base::message(reasons::kStageCopyIn);
    case Stage::infer:
        return base::message(reasons::kStageInfer);
    case Stage::copyBack:
        return base::message(reasons::kStageCopyBack);
    case Stage::postprocess:
        break;
    }
    return base::message(reasons::kStagePostprocess);
}

std::vector<StagePart> stageBar(const PipelineRun& run)
{
    const double all = run.summary.workNs();
    std::vector<StagePart> parts;
    if (!(all > 0))
        return parts;
    double at = 0;
    for (const Stage stage : workload::kStages) {
        const double next = at + run.summary[stage].perImageNs.value / all;
        parts.push_back({stage, at, next});
        at = next;
    }
    // The sum of rounded shares may end short of 1, which would leave a gap in the bar.
    parts.back().to = 1;
    return parts;
}

base::Message boundMessage(const PipelineRun& run)
{
    const workload::PipelineSummary& s = run.summary;
    const workload::Server server = workload::serverOf(s.bound);
    const bool onHost = server == workload::Server::host;
    const bool onDevice = server == workload::Server::device;
    const base::Share busy{s.busy[static_cast<std::size_t>(server)]};
    // A stage that waits for work itself is not what limits the rate, even if it is the busiest.
    if (s.starved) {
        base::Message busiest = base::message(onHost     ? reasons::kDecodingThreads
                                              : onDevice ? reasons::kTheDevice
                                                         : reasons::kPostprocessingThread);
        if (run.plan.rate > 0)
            return base::message<reasons::kNothingBoundsRate>(std::move(busiest), busy,
                                                              base::formatSignificant(run.plan.rate, 3));
        return base::message<reasons::kNothingBoundsWait>(std::move(busiest), busy);
    }
    if (onHost)
        return base::message<reasons::kHostBounds>(stageMessage(s.bound), busy);
    return onDevice ? base::message<reasons::kDeviceBounds>(stageMessage(s.bound), busy)
                    : base::message<reasons::kPostprocessingBounds>(stageMessage(s.bound), busy);
}

base::Message modelOnlyMessage(const PipelineRun& run)
{
    const double alone = run.modelOnlyNs.value > 0 ? 1e9 / run.modelOnlyNs.value : 0;
    const double share = alone > 0 ? run.summary.perSecond.value / alone : 0;
    return base::message<reasons::kModelAlone>(text::formatPlusMinus(run.modelOnlyNs, base::kMsPerNs),
                                               base::formatSignificant(alone, 3), base::Share{share});
}

base::Message stageBarMessage(const PipelineRun& run)
{
    std::vector<base::Message> stages;
    for (const Stage stage : workload::kStages)
        stages.push_back(
            base::message<reasons::kStageTime>(stageMessage(stage), inMs(run.summary[stage].perImageNs.value)));
    return base::message<reasons::kStageBar>(text::listMessage(std::move(stages)), inMs(run.modelOnlyNs.value),
                                             boundMessage(run));
}

std::string pipelineText(const PipelineRun& run)
{
    const workload::PipelineSummary& s = run.summary;
    text::TextTable table({{"Stage"},
                           {"ms an image", text::Align::right},
                           {"Share", text::Align::right},
                           {"Busy", text::Align::right},
                           {""}});
    constexpr int kWidth = 30;
    for (const StagePart& part : stageBar(run)) {
        std::string bar;
        const int first = static_cast<int>(part.from * kWidth + 0.5);
        for (int i = 0; i < static_cast<int>(part.to * kWidth + 0.5); ++i)
            bar += i < first ? " " : "█";
        table.addRow({sentence(stageMessage(part.stage)),
                      text::formatPlusMinus(s[part.stage].perImageNs, base::kMsPerNs),
                      base::formatPercent(part.to - part.from), base::formatPercent(s[part.stage].busy), bar});
    }
    std::string text = table.render(0) + "\n";
    text += text::formatPlusMinus(s.perSecond) + " images/s end to end. " + sentence(boundMessage(run)) + "\n" +
            sentence(modelOnlyMessage(run)) + "\n\n";
    text::TextTable waits({{"An image's latency, mean"}, {ms(s.meanLatencyNs), text::Align::right}});
    double stages = 0;
    for (const workload::StageFigure& stage : s.stages)
        stages += stage.meanNs;
    waits.addRow({"  in stages", ms(stages)});
    for (const auto& [name, ns] : waitsOf(s))
        waits.addRow({"  " + name, ms(ns)});
    text += waits.render(0) + "\n" + base::counted(s.images, "image") + " in " +
            base::counted(s.passes, "pass", "passes") + " (" + base::formatSignificant(s.meanBatch, 3) +
            " each); median latency " + text::formatPlusMinus(s.latencyNs, base::kMsPerNs) + " ms; " + planText(run) +
            "; " + base::counted(run.images, "different image") + ": " + run.source + "; " + run.reading + ".\n";
    return text;
}

Json pipelineValues(const PipelineRun& run, const std::string& trial)
{
    const workload::PipelineSummary& s = run.summary;
    constexpr double kWidth = 900;
    // Both bars have one scale: an image costs so much in the model alone and so much end to end.
    const double longest = std::max(s.workNs(), run.modelOnlyNs.value);
    const double scale = longest > 0 ? kWidth / longest : 0;
    const auto fill = [](Stage stage) { return kFills[static_cast<std::size_t>(stage)]; };
    Json parts = Json::array();
    for (const StagePart& part : stageBar(run))
        parts.push_back({{"x", svgNumber(part.from * s.workNs() * scale)},
                         {"width", svgNumber((part.to - part.from) * s.workNs() * scale)},
                         {"fill", fill(part.stage)},
                         {"name", sentence(stageMessage(part.stage))},
                         {"time", ms(s[part.stage].perImageNs.value)}});
    Json stages = Json::array();
    for (const Stage stage : workload::kStages)
        stages.push_back({{"name", sentence(stageMessage(stage))},
                          {"fill", fill(stage)},
                          {"perImage", text::formatPlusMinus(s[stage].perImageNs, base::kMsPerNs)},
                          {"busy", base::formatPercent(s[stage].busy)}});
    Json waits = Json::array();
    for (const auto& [name, ns] : waitsOf(s))
        waits.push_back({{"name", name}, {"time", base::formatSignificant(ns * base::kMsPerNs, 3)}});
    return {{"trial", trial},
            {"rate", text::formatPlusMinus(s.perSecond)},
            {"spoken", sentence(stageBarMessage(run))},
            {"parts", std::move(parts)},
            {"aloneWidth", svgNumber(run.modelOnlyNs.value * scale)},
            {"aloneTime", ms(run.modelOnlyNs.value)},
            {"stages", std::move(stages)},
            {"bound", sentence(boundMessage(run))},
            {"modelOnly", sentence(modelOnlyMessage(run))},
            {"waits", std::move(waits)},
            {"plan", planText(run)},
            {"source", run.source},
            {"reading", run.reading}};
}

} // namespace apertune::report
