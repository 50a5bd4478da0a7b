// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/synthetic_study.h"

#include "core/search/recommend.h"
#include "core/stats/summarize.h"

#include <cmath>
#include <random>

namespace apertune::testing {
namespace {

using model::OptLevel;
using model::Precision;

double speedOf(OptLevel level, Precision precision)
{
    static constexpr double levels[] = {1.0, 1.28, 1.62, 1.9};
    const double byPrecision = precision == Precision::bf16 ? 2.05 : precision == Precision::int8 ? 1.7 : 1.0;
    return levels[static_cast<int>(level)] * byPrecision;
}

void measure(model::Trial& trial, std::mt19937& random)
{
    const double batch = trial.config.batch;
    const double perPass = (3.2 + 21.0 * batch) / speedOf(trial.config.level, trial.config.precision) * 1e6;
    std::lognormal_distribution<double> noise(0.0, 0.012 + 0.02 / batch);
    model::Measurement& m = trial.measurement;
    const int perBlock = std::max(1, static_cast<int>(std::ceil(20e6 / perPass)));
    for (int block = 0; block < 24; ++block) {
        double wall = 0;
        for (int i = 0; i < perBlock; ++i) {
            const double pass = perPass * noise(random) * (i % 37 == 36 ? 1.25 : 1.0);
            m.iterations.push_back({static_cast<std::int64_t>(pass)});
            wall += pass;
        }
        m.blocks.push_back(
            {perBlock, {static_cast<std::int64_t>(wall)}, {}, {static_cast<std::int64_t>(wall * 7.6)}, 0});
    }
    stats::summarize(m, trial.config.batch);
    m.load = base::fromMilliseconds(412);
    m.first = base::fromMilliseconds(perPass * 2.7e-6);
    m.warmup = base::fromMilliseconds(perPass * 12e-6);
    m.warmupIterations = 12;
    if (trial.config.level == OptLevel::o3)
        m.compile = base::fromSeconds(48.5);
    m.memory.processPeak = base::Bytes{(610 + static_cast<std::int64_t>(31 * batch)) << 20};
    m.memory.allocatorPeak = base::Bytes{(180 + static_cast<std::int64_t>(24 * batch)) << 20};
    model::Quality quality;
    const double loss = trial.config.precision == Precision::fp32   ? 1e-7
                        : trial.config.precision == Precision::bf16 ? 3.1e-5
                                                                    : 1.4e-2;
    quality.cosine = 1 - loss;
    quality.maxAbs = std::sqrt(loss) * 0.8;
    quality.maxRel = std::sqrt(loss);
    quality.top1Agreement = trial.config.precision == Precision::int8 ? 0.94 : 1.0;
    quality.top5Agreement = 1.0;
    quality.samples = 32;
    m.quality = quality;
    for (const auto& [name, on] : trial.config.switches) {
        model::Applied applied{name, on ? model::AppliedState::on : model::AppliedState::off, {}};
        if (name == "freeze" && on) {
            applied.evidence = "no prim::GetAttr of a parameter in the executed graph";
        } else if (name == "onednn_graph" && on) {
            applied.evidence = "prim::oneDNNFusionGroup ×53 in the executed graph";
        } else if (name == "channels_last" && on) {
            applied.evidence = "strides of 53 of 53 convolution weights";
        } else if (name == "optimize_for_inference" && on && trial.config.precision == Precision::bf16) {
            applied.state = model::AppliedState::requestedNotInEffect;
            applied.evidence = "no prepacked convolution in the executed graph";
        }
        m.applied.push_back(std::move(applied));
    }
}

void settle(model::Trial& trial, std::mt19937& random)
{
    const model::Config& config = trial.config;
    if (config.precision == Precision::fp16) {
        trial.state = model::TrialState::pruned;
        trial.reason = {model::ReasonKind::impossible,
                        base::foreignText("this CPU has no fp16 products (AVX512-FP16 or AMX-FP16)")};
    } else if (config.level == OptLevel::o3 && config.precision == Precision::int8) {
        trial.state = model::TrialState::failed;
        trial.reason = {model::ReasonKind::compileFailed,
                        base::foreignText("AOTInductor gave up on aten::quantize_per_tensor"),
                        "torch._inductor.exc.LoweringException: NotImplementedError\n  target: quantize_per_tensor\n"};
    } else if (config.precision == Precision::int8 && config.batch >= 32) {
        trial.state = model::TrialState::failed;
        trial.reason = {model::ReasonKind::outOfMemory, base::foreignText("the process ran out of memory"),
                        "DefaultCPUAllocator: can't allocate memory\n"};
    } else {
        trial.state = model::TrialState::ok;
        trial.startedUtc = "2026-03-14T09:21:00Z";
        trial.finishedUtc = "2026-03-14T09:21:04Z";
        measure(trial, random);
    }
}

/// Marks the best trial and its baseline as interleaved in a confirmation.
void confirmBest(model::StudySnapshot& snapshot)
{
    const auto best = search::recommend(snapshot.trials, snapshot.study.goal, snapshot.noiseFloor());
    for (model::Trial& trial : snapshot.trials)
        if (best && (trial.id == best->trial || trial.id == best->against))
            trial.measurement.confirmation = 1;
}

} // namespace

model::ModelRef makeSyntheticModel()
{
    model::ModelRef model;
    model.name = "resnet50";
    model.source = "torchvision:resnet50";
    model.taskType = model::TaskType::classification;
    model.weights = "random, seed 0";
    model.artifact = "/tmp/models/resnet50";
    model.contentHash = std::string(64, 'a');
    model.parameters = 25557032;
    model.parameterBytes = {102228128};
    model.macs = 4089184256;
    model.inputs = {{"x", "float32", {1, 3, 224, 224}, 0}};
    model.outputs = {{"logits", "float32", {1, 1000}, 0}};
    model.hasExportedProgram = true;
    model.layers = {{"conv1", "Conv2d", 9408, 118013952, {1, 64, 112, 112}},
                    {"bn1", "BatchNorm2d", 128, 0, {1, 64, 112, 112}},
                    {"relu", "ReLU", 0, 0, {1, 64, 112, 112}},
                    {"maxpool", "MaxPool2d", 0, 0, {1, 64, 56, 56}},
                    {"layer1.0.conv1", "Conv2d", 4096, 12845056, {1, 64, 56, 56}},
                    {"layer1.0.conv2", "Conv2d", 36864, 115605504, {1, 64, 56, 56}},
                    {"layer4.2.conv3", "Conv2d", 1048576, 51380224, {1, 2048, 7, 7}},
                    {"avgpool", "AdaptiveAvgPool2d", 0, 0, {1, 2048, 1, 1}},
                    {"fc", "Linear", 2049000, 2048000, {1, 1000}}};
    model.notes = {"Traced and exported; batch is dynamic."};
    return model;
}

model::Device makeSyntheticCpu()
{
    model::Device device;
    device.id = "cpu";
    device.type = model::DeviceType::cpu();
    device.name = "Example CPU 8-Core";
    device.memory = {std::int64_t{32} << 30};
    device.cores = 8;
    device.threads = 16;
    device.isa = {"avx2", "avx512f", "avx512_vnni", "avx512_bf16"};
    device.clockMhz = 3400;
    device.maxClockMhz = 4700;
    return device;
}

std::shared_ptr<const model::StudySnapshot> makeSyntheticStudy(const SyntheticOptions& options)
{
    std::mt19937 random(7);
    auto snapshot = std::make_shared<model::StudySnapshot>();
    model::Study& study = snapshot->study;
    study.id = model::StudyId{3};
    study.uuid = "5f0c2c1e-0000-4000-8000-000000000003";
    study.name = "resnet50 · study 3";
    study.model = makeSyntheticModel();
    study.goal.minQuality = 0.99;
    study.budget = base::fromSeconds(120);
    study.state = options.interrupted ? model::StudyState::interrupted
                  : options.running   ? model::StudyState::running
                                      : model::StudyState::finished;
    study.createdUtc = "2026-03-14T09:20:00Z";
    study.finishedUtc = options.running ? "" : "2026-03-14T09:24:00Z";
    study.commandLine = "apertune tune torchvision:resnet50 --levels O0,O1,O2,O3";
    study.environment.host = "example";
    study.environment.os = "Debian GNU/Linux 12 (bookworm)";
    study.environment.kernel = "6.1.0-18-amd64";
    study.environment.apertune = "0.1.0";
    study.environment.devices = {makeSyntheticCpu()};
    study.environment.engines = {{"libtorch", "2.11.0"}};
    study.environment.settings = {{"governor", "performance"}, {"OMP_NUM_THREADS", "8"}};
    study.environment.loadAverage = 0.42;

    for (const OptLevel level : model::kAllLevels) {
        for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16, Precision::int8}) {
            for (int b = 0; b < options.batches; ++b) {
                model::Trial trial;
                trial.ordinal = static_cast<int>(snapshot->trials.size()) + 1;
                trial.id = model::TrialId{100 + trial.ordinal};
                trial.study = study.id;
                trial.device = "cpu";
                trial.config = model::makeConfig(level, precision, 1 << b, 8, model::DeviceType::cpu());
                if (level == OptLevel::o1 && precision == Precision::fp32 && b == 2)
                    trial.config.switches["channels_last"] = true;
                trial.hash = model::configHash(trial.config, trial.device);
                snapshot->trials.push_back(std::move(trial));
            }
        }
    }
    const std::size_t finished =
        options.running || options.interrupted ? snapshot->trials.size() * 2 / 3 : snapshot->trials.size();
    for (std::size_t i = 0; i < snapshot->trials.size(); ++i)
        if (i < finished)
            settle(snapshot->trials[i], random);
        else if (i == finished && options.running)
            snapshot->trials[i].state = model::TrialState::running;
    if (!options.withRecommendation)
        return snapshot;
    if (options.confirmed)
        confirmBest(*snapshot);
    search::addRecommendations(*snapshot);
    return snapshot;
}

} // namespace apertune::testing
