// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_study.h"

#include <cmath>

namespace apertune::test {

using model::Config;
using model::DeviceType;
using model::OptLevel;
using model::Precision;
using model::Trial;
using model::TrialState;

namespace {

model::Device cpu()
{
    model::Device d;
    d.id = "cpu";
    d.name = "AMD EPYC 7B13";
    d.memory = {16LL << 30};
    d.cores = 2;
    d.threads = 2;
    d.isa = {"avx2"};
    return d;
}

model::Device gpu()
{
    model::Device d;
    d.id = "cuda:0";
    d.type = DeviceType::nvidiaGpu();
    d.name = "NVIDIA H200";
    d.uuid = "GPU-1234";
    d.memory = {141LL << 30};
    d.computeMajor = 9;
    d.driver = "580.65.06";
    d.maxClockMhz = 1980;
    return d;
}

Trial unmeasured(int id, const Config& config, TrialState state, model::ReasonKind kind, const char* text)
{
    Trial t;
    t.id = {id};
    t.study = {3};
    t.ordinal = id - 10;
    t.device = "cpu";
    t.config = config;
    t.state = state;
    t.reason = {kind, base::foreignText(text)};
    return t;
}

Config on(OptLevel level, Precision precision, int batch, DeviceType device = DeviceType::cpu(), int threads = 2)
{
    return model::makeConfig(level, precision, batch, threads, device);
}

} // namespace

Trial measuredTrial(int id, const Config& config, double latencyMs, double relative, int n)
{
    Trial t = unmeasured(id, config, TrialState::ok, model::ReasonKind::none, "");
    t.startedUtc = "2026-11-21T10:00:00Z";
    t.finishedUtc = "2026-11-21T10:00:09Z";
    model::Measurement& m = t.measurement;
    const double ns = latencyMs * 1e6;
    for (int i = 0; i < n; ++i) {
        model::Block b;
        b.iterations = 3;
        b.wall = {std::llround(3 * ns * (1 + relative * std::sin(i * 2.4)))};
        b.cpu = {b.wall.count * 2};
        m.blocks.push_back(b);
        m.iterations.push_back({b.wall.count / 3});
    }
    m.latencyNs = {ns, ns * (1 - relative), ns * (1 + relative), 0.95};
    const double perSecond = config.batch * 1e9 / ns;
    m.throughput = {perSecond, perSecond / (1 + relative), perSecond / (1 - relative), 0.95};
    m.p50Ns = ns;
    if (n >= 29)
        m.p90Ns = ns * 1.01;
    m.load = base::fromMilliseconds(412);
    m.first = base::fromMilliseconds(latencyMs * 3);
    m.warmup = base::fromMilliseconds(900);
    m.warmupIterations = 12;
    m.memory.processPeak = base::Bytes{512LL << 20};
    m.memory.allocatorPeak = base::Bytes{120LL << 20};
    m.quality = model::Quality{1.0, 0.0, 0.0, 0, 1.0, 1.0, 8};
    for (const auto& [name, isOn] : config.switches)
        m.applied.push_back({name, isOn ? model::AppliedState::on : model::AppliedState::off, "read back"});
    return t;
}

model::StudySnapshot sampleStudy()
{
    model::StudySnapshot s;
    s.study.id = {3};
    s.study.uuid = "5f0c1b9e-6f2a-4a53-9d7e-0c8f5a1b2c3d";
    s.study.name = "resnet50 · study 3";
    s.study.model.name = "resnet50";
    s.study.model.source = "torchvision:resnet50";
    s.study.model.taskType = model::TaskType::classification;
    s.study.model.weights = "random, seed 0";
    s.study.model.contentHash = std::string(64, 'a');
    s.study.model.parameters = 25557032;
    s.study.model.parameterBytes = {102228128};
    s.study.model.macs = 4089184256;
    s.study.model.inputs = {{"x", "float32", {1, 3, 224, 224}, 0}};
    s.study.model.outputs = {{"output", "float32", {1, 1000}, 0}};
    s.study.budget = base::fromSeconds(120);
    s.study.state = model::StudyState::finished;
    s.study.createdUtc = "2026-11-21T10:00:00Z";
    s.study.finishedUtc = "2026-11-21T10:02:11Z";
    s.study.commandLine = "apertune tune resnet50 --devices cpu --batches 1,4";
    model::Environment& e = s.study.environment;
    e.host = "bench-1";
    e.os = "Debian GNU/Linux 12 (bookworm)";
    e.kernel = "6.1.0-28-amd64";
    e.apertune = "0.1.0";
    e.devices = {cpu()};
    e.engines = {{"libtorch", "2.11.0"}};
    e.settings = {{"governor", "performance"}};
    e.loadAverage = 0.12;

    s.trials.push_back(measuredTrial(11, on(OptLevel::o0, Precision::fp32, 1), 69.2));
    s.trials.push_back(measuredTrial(12, on(OptLevel::o0, Precision::fp32, 4), 262.0));
    s.trials.push_back(measuredTrial(13, on(OptLevel::o1, Precision::fp32, 1), 57.43, 0.011));
    s.trials.back().measurement.flags = {model::TrialFlag::notConverged};
    for (model::Applied& applied : s.trials.back().measurement.applied)
        if (applied.name == "optimize_for_inference")
            applied = {applied.name, model::AppliedState::requestedNotInEffect, "no fused operator in the graph"};
    s.trials.push_back(measuredTrial(14, on(OptLevel::o2, Precision::fp32, 4), 169.0, 0.006));
    s.trials.back().measurement.quality = model::Quality{0.999998, 3.1e-6, 2.2e-6, 0, 1.0, 1.0, 32};
    Config channelsLast = on(OptLevel::o2, Precision::fp32, 1);
    channelsLast.switches["channels_last"] = true;
    s.trials.push_back(measuredTrial(15, channelsLast, 49.9, 0.02, 5));
    s.trials.back().measurement.quality = model::Quality{0.4, 1e3, 12, 17, std::nullopt, std::nullopt, 8};
    s.trials.push_back(unmeasured(16, on(OptLevel::o2, Precision::fp32, 64), TrialState::failed,
                                  model::ReasonKind::outOfMemory, "The worker ran out of memory at batch 64."));
    s.trials.push_back(unmeasured(17, on(OptLevel::o3, Precision::fp32, 1), TrialState::failed,
                                  model::ReasonKind::compileFailed,
                                  "The compiler gave up: error: \"vec<4>\" has no member, see the log."));
    const char* emulated = "cpu has no bf16 arithmetic (AMX or AVX512-BF16); --emulated tries it all the same.";
    s.trials.push_back(unmeasured(18, on(OptLevel::o0, Precision::bf16, 1), TrialState::pruned,
                                  model::ReasonKind::impossible, emulated));
    s.trials.push_back(unmeasured(19, on(OptLevel::o2, Precision::bf16, 4), TrialState::pruned,
                                  model::ReasonKind::impossible, emulated));
    s.trials.push_back(unmeasured(20, on(OptLevel::o1, Precision::fp32, 4), TrialState::pruned,
                                  model::ReasonKind::budget, "The budget was spent."));
    s.recommended = model::Recommendation{{14},
                                          {1.55, 1.53, 1.57, 0.95},
                                          {12},
                                          model::Verdict::faster,
                                          model::Margin{{13}, {1.36, 1.33, 1.39, 0.95}, model::Verdict::faster}};
    for (const std::size_t confirmed : {1u, 2u, 3u})
        s.trials[confirmed].measurement.confirmation = 1;
    return s;
}

model::StudySnapshot interruptedStudy()
{
    model::StudySnapshot s = sampleStudy();
    s.study.state = model::StudyState::interrupted;
    s.study.finishedUtc.clear();
    s.recommended.reset();
    for (Trial& t : s.trials)
        if (t.id.value > 12) {
            t.state = TrialState::queued;
            t.reason = {};
            t.measurement = {};
        }
    return s;
}

model::StudySnapshot twoDeviceStudy()
{
    model::StudySnapshot s = sampleStudy();
    s.study.id = {4};
    s.study.goal.objective = model::Objective::latency;
    s.study.goal.maxLatency = base::fromMilliseconds(20);
    s.study.goal.maxMemory = base::Bytes{4LL << 30};
    s.study.environment.devices.push_back(gpu());
    s.trials.clear();
    s.trials.push_back(measuredTrial(31, on(OptLevel::o0, Precision::fp32, 1, DeviceType::cpu(), 1), 131.0));
    s.trials.push_back(measuredTrial(32, on(OptLevel::o0, Precision::fp32, 1, DeviceType::cpu(), 2), 69.2));
    for (const double ms : {4.1, 0.812}) {
        const bool fast = ms < 1;
        Trial t = measuredTrial(fast ? 34 : 33,
                                on(fast ? OptLevel::o3 : OptLevel::o0, fast ? Precision::fp16 : Precision::fp32, 1,
                                   DeviceType::nvidiaGpu(), 0),
                                ms, 0.001, 120);
        t.device = "cuda:0";
        t.measurement.memory.devicePeak = base::Bytes{900LL << 20};
        t.measurement.confirmation = 1;
        s.trials.push_back(std::move(t));
    }
    s.recommended = model::Recommendation{{34}, {5.05, 5.03, 5.07, 0.95}, {33}, model::Verdict::faster};
    return s;
}

} // namespace apertune::test
