// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/sample_values.h"

#include "core/base/temporary_dir.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace apertune::store::test {

model::ModelRef sampleModel(const std::string& name)
{
    model::ModelRef m;
    m.name = name;
    m.source = "torchvision:" + name;
    m.taskType = model::TaskType::classification;
    m.weights = "random, seed 0";
    m.artifact = "/models/with space/" + name + "-µ\xff"; // the last byte is not UTF-8
    m.contentHash = "c0ffee";
    m.parameters = 25'557'032;
    m.parameterBytes = {102'228'128};
    m.macs = 4'089'284'608;
    m.inputs = {{"x", "float32", {1, 3, 224, 224}, 0}, {"mask", "int64", {1, 7}, std::nullopt}};
    m.outputs = {{"logits", "float32", {1, 1000}, 0}};
    m.dynamicBatch = false;
    m.failingBatches = {{3, "ValueError: \"3\""}};
    m.hasExportedProgram = true;
    m.layers = {{"conv1", "Conv2d", 9408, 118'013'952, {1, 64, 112, 112}}, {"fc", "Linear", 2'049'000, 2'048'000, {1}}};
    m.notes = {"traced, \"strict\""};
    return m;
}

model::Environment sampleEnvironment()
{
    model::Device cpu;
    cpu.id = "cpu";
    cpu.type = model::DeviceType::cpu();
    cpu.name = "AMD EPYC 9B45";
    cpu.memory = {34'359'738'368};
    cpu.cores = 8;
    cpu.threads = 16;
    cpu.isa = {"avx2", "avx512_bf16"};
    cpu.clockMhz = 2600;
    cpu.maxClockMhz = 4100;
    model::Device gpu;
    gpu.id = "cuda:0";
    gpu.type = model::DeviceType::nvidiaGpu();
    gpu.name = "NVIDIA H200";
    gpu.uuid = "GPU-1234";
    gpu.memory = {150'000'000'000};
    gpu.computeMajor = 9;
    gpu.computeMinor = 3;
    gpu.driver = "580.65";
    gpu.clockMhz = 1980;
    gpu.maxClockMhz = 1985;

    model::Environment e;
    e.host = "bench-1";
    e.os = "Debian GNU/Linux 12 (bookworm)";
    e.kernel = "6.1.0";
    e.apertune = "0.1.0";
    e.devices = {cpu, gpu};
    e.engines = {{"libtorch", "2.11.0"}, {"fake", "1"}};
    e.settings = {{"OMP_NUM_THREADS", "4"}, {"governor", "performance"}, {"OMP_NUM_THREADS", "again"}};
    e.loadAverage = 0.31;
    return e;
}

model::Study sampleStudy(const std::string& modelName)
{
    model::Study s;
    s.name = "a study of “" + modelName + "”";
    s.model = sampleModel(modelName);
    s.goal = {model::Objective::latency,
              base::Nanoseconds{20'000'000},
              base::Bytes{4'294'967'296},
              0.999,
              {{99, base::Nanoseconds{25'000'000}}}};
    s.space.backends = {"libtorch", "fake"};
    s.space.levels = {model::OptLevel::o0, model::OptLevel::o3};
    s.space.precisions = {model::Precision::fp32, model::Precision::bf16};
    s.space.batches = {1, 4};
    s.space.devices = {"cpu", "cuda:0"};
    s.space.threads = {1, 8};
    s.space.switches = {{"freeze", {true, false}}};
    s.space.emulated = true;
    s.budget = base::fromSeconds(120);
    s.target = 0.005;
    s.environment = sampleEnvironment();
    s.state = model::StudyState::running;
    s.createdUtc = "2026-11-21T14:02:11Z";
    s.commandLine = "apertune tune torchvision:resnet50 --budget 2m";
    return s;
}

std::vector<model::Trial> sampleTrials(int count)
{
    std::vector<model::Trial> trials;
    for (int i = 0; i < count; ++i) {
        const auto kind = i % 2 == 0 ? model::DeviceType::cpu() : model::DeviceType::nvidiaGpu();
        model::Trial trial;
        trial.device = i % 2 == 0 ? "cpu" : "cuda:0";
        trial.config = model::makeConfig(model::kAllLevels[static_cast<std::size_t>(i / 2 % 4)], model::Precision::fp32,
                                         1 + i / 8, 4, kind);
        trials.push_back(trial);
    }
    return trials;
}

model::Measurement sampleMeasurement(int blocks, int iterations)
{
    model::Measurement m;
    for (int i = 0; i < blocks; ++i)
        m.blocks.push_back({7 + i,
                            {21'000'000 + i * 1001},
                            {20'000'000 + i * 999},
                            {80'000'000 - i},
                            i % 3,
                            {1000 + i},
                            0.5 + i,
                            1 + i % 2,
                            2e6 + 0.25 * i});
    for (int i = 0; i < iterations; ++i)
        m.iterations.push_back({3'000'000 + (i * 7919) % 40'000 - (i % 50 == 0 ? 2'000'000 : 0)});
    m.latencyNs = {21.1e6, 20.9e6, 21.4e6, 0.95};
    m.throughput = {47.4, 46.7, 47.8, 0.95};
    m.p50Ns = 3.01e6;
    m.p90Ns = 3.2e6 + 1.0 / 3;
    m.p95Ns = 3.3e6;
    m.deviceNs = 20.5e6;
    m.load = {812'000'000};
    m.first = {95'000'000};
    m.warmup = {400'000'001};
    m.warmupIterations = 17;
    m.compile = base::Nanoseconds{81'000'000'000};
    m.memory = {base::Bytes{900'000'000}, base::Bytes{300'000'000}, std::nullopt};
    m.quality = model::Quality{0.99991, 0.012, 0.0031, 2, 0.97, std::nullopt, 64};
    m.applied = {{"freeze", model::AppliedState::on, "no parameter left in the graph"},
                 {"tf32", model::AppliedState::notApplicable, ""},
                 {"aoti", model::AppliedState::requestedNotInEffect, "“fell back”"}};
    m.flags = {model::TrialFlag::notConverged, model::TrialFlag::contended};
    m.confirmation = 3;
    m.conditions = {{1}, {2}, {3}, {-4}, {5}, {6}, 7, 8, 9, 10, 0.5, 0.75, model::DriftReading{"id", 1.5, 0.01, 1.1}};
    m.conditions.machine = "other CPU, 2 cores, 4 threads";
    return m;
}

namespace {

template <typename T, typename Same>
void expectSameItems(const std::vector<T>& a, const std::vector<T>& b, Same same)
{
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_TRUE(same(a[i], b[i])) << "item " << i;
}

void expectSameDevice(const model::Device& a, const model::Device& b)
{
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.uuid, b.uuid);
    EXPECT_EQ(a.memory, b.memory);
    EXPECT_EQ(a.cores, b.cores);
    EXPECT_EQ(a.threads, b.threads);
    EXPECT_EQ(a.isa, b.isa);
    EXPECT_EQ(a.computeMajor, b.computeMajor);
    EXPECT_EQ(a.computeMinor, b.computeMinor);
    EXPECT_EQ(a.driver, b.driver);
    EXPECT_EQ(a.clockMhz, b.clockMhz);
    EXPECT_EQ(a.maxClockMhz, b.maxClockMhz);
}

void expectSameInterval(const model::Interval& a, const model::Interval& b)
{
    EXPECT_EQ(a.value, b.value);
    EXPECT_EQ(a.lo, b.lo);
    EXPECT_EQ(a.hi, b.hi);
    EXPECT_EQ(a.confidence, b.confidence);
}

void expectSameQuality(const model::Quality& a, const model::Quality& b)
{
    EXPECT_EQ(a.cosine, b.cosine);
    EXPECT_EQ(a.maxAbs, b.maxAbs);
    EXPECT_EQ(a.maxRel, b.maxRel);
    EXPECT_EQ(a.nanCount, b.nanCount);
    EXPECT_EQ(a.top1Agreement, b.top1Agreement);
    EXPECT_EQ(a.top5Agreement, b.top5Agreement);
    EXPECT_EQ(a.samples, b.samples);
}

} // namespace

void expectEqual(const model::ModelRef& a, const model::ModelRef& b)
{
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.source, b.source);
    EXPECT_EQ(a.taskType, b.taskType);
    EXPECT_EQ(a.weights, b.weights);
    EXPECT_EQ(a.artifact, b.artifact);
    EXPECT_EQ(a.contentHash, b.contentHash);
    EXPECT_EQ(a.parameters, b.parameters);
    EXPECT_EQ(a.parameterBytes, b.parameterBytes);
    EXPECT_EQ(a.macs, b.macs);
    const auto sameTensor = [](const model::TensorSpec& x, const model::TensorSpec& y) {
        return x.name == y.name && x.dtype == y.dtype && x.shape == y.shape && x.batchDim == y.batchDim;
    };
    expectSameItems(a.inputs, b.inputs, sameTensor);
    expectSameItems(a.outputs, b.outputs, sameTensor);
    EXPECT_EQ(a.dynamicBatch, b.dynamicBatch);
    EXPECT_EQ(a.failingBatches, b.failingBatches);
    EXPECT_EQ(a.hasExportedProgram, b.hasExportedProgram);
    expectSameItems(a.layers, b.layers, [](const model::LayerSpec& x, const model::LayerSpec& y) {
        return x.name == y.name && x.type == y.type && x.parameters == y.parameters && x.macs == y.macs &&
               x.outputShape == y.outputShape;
    });
    EXPECT_EQ(a.notes, b.notes);
}

void expectEqual(const model::Environment& a, const model::Environment& b)
{
    EXPECT_EQ(a.host, b.host);
    EXPECT_EQ(a.os, b.os);
    EXPECT_EQ(a.kernel, b.kernel);
    EXPECT_EQ(a.apertune, b.apertune);
    EXPECT_EQ(a.engines, b.engines);
    EXPECT_EQ(a.settings, b.settings);
    EXPECT_EQ(a.loadAverage, b.loadAverage);
    ASSERT_EQ(a.devices.size(), b.devices.size());
    for (std::size_t i = 0; i < a.devices.size(); ++i)
        expectSameDevice(a.devices[i], b.devices[i]);
}

void expectEqual(const model::Study& a, const model::Study& b)
{
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.uuid, b.uuid);
    EXPECT_EQ(a.name, b.name);
    expectEqual(a.model, b.model);
    EXPECT_EQ(a.goal.objective, b.goal.objective);
    EXPECT_EQ(a.goal.maxLatency, b.goal.maxLatency);
    EXPECT_EQ(a.goal.maxMemory, b.goal.maxMemory);
    EXPECT_EQ(a.goal.maxPercentiles, b.goal.maxPercentiles);
    EXPECT_EQ(a.goal.minQuality, b.goal.minQuality);
    EXPECT_EQ(a.space.backends, b.space.backends);
    EXPECT_EQ(a.space.levels, b.space.levels);
    EXPECT_EQ(a.space.precisions, b.space.precisions);
    EXPECT_EQ(a.space.batches, b.space.batches);
    EXPECT_EQ(a.space.devices, b.space.devices);
    EXPECT_EQ(a.space.threads, b.space.threads);
    EXPECT_EQ(a.space.switches, b.space.switches);
    EXPECT_EQ(a.space.emulated, b.space.emulated);
    EXPECT_EQ(a.budget, b.budget);
    EXPECT_DOUBLE_EQ(a.target, b.target);
    expectEqual(a.environment, b.environment);
    EXPECT_EQ(a.state, b.state);
    EXPECT_EQ(a.createdUtc, b.createdUtc);
    EXPECT_EQ(a.finishedUtc, b.finishedUtc);
    EXPECT_EQ(a.commandLine, b.commandLine);
}

void expectEqual(const model::Trial& a, const model::Trial& b)
{
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.study, b.study);
    EXPECT_EQ(a.ordinal, b.ordinal);
    EXPECT_EQ(a.device, b.device);
    EXPECT_EQ(a.config, b.config);
    EXPECT_EQ(a.hash, b.hash);
    EXPECT_EQ(a.state, b.state);
    EXPECT_EQ(a.attempt, b.attempt);
    EXPECT_EQ(a.reason.kind, b.reason.kind);
    EXPECT_EQ(a.reason.message, b.reason.message);
    EXPECT_EQ(a.reason.detail, b.reason.detail);
    EXPECT_EQ(a.startedUtc, b.startedUtc);
    EXPECT_EQ(a.finishedUtc, b.finishedUtc);
    expectEqual(a.measurement, b.measurement);
}

void expectEqual(const model::Measurement& a, const model::Measurement& b)
{
    expectSameItems(a.blocks, b.blocks, [](const model::Block& x, const model::Block& y) {
        return x.iterations == y.iterations && x.wall == y.wall && x.device == y.device && x.cpu == y.cpu &&
               x.involuntarySwitches == y.involuntarySwitches && x.waited == y.waited && x.clock == y.clock &&
               x.process == y.process && x.referenceNs == y.referenceNs;
    });
    EXPECT_EQ(a.iterations, b.iterations);
    expectSameInterval(a.latencyNs, b.latencyNs);
    expectSameInterval(a.throughput, b.throughput);
    EXPECT_EQ(a.p50Ns, b.p50Ns);
    EXPECT_EQ(a.p90Ns, b.p90Ns);
    EXPECT_EQ(a.p95Ns, b.p95Ns);
    EXPECT_EQ(a.p99Ns, b.p99Ns);
    EXPECT_EQ(a.deviceNs, b.deviceNs);
    EXPECT_EQ(a.load, b.load);
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.warmup, b.warmup);
    EXPECT_EQ(a.warmupIterations, b.warmupIterations);
    EXPECT_EQ(a.compile, b.compile);
    EXPECT_EQ(a.memory.processPeak, b.memory.processPeak);
    EXPECT_EQ(a.memory.allocatorPeak, b.memory.allocatorPeak);
    EXPECT_EQ(a.memory.devicePeak, b.memory.devicePeak);
    ASSERT_EQ(a.quality.has_value(), b.quality.has_value());
    if (a.quality)
        expectSameQuality(*a.quality, *b.quality);
    expectSameItems(a.applied, b.applied, [](const model::Applied& x, const model::Applied& y) {
        return x.name == y.name && x.state == y.state && x.evidence == y.evidence;
    });
    EXPECT_EQ(a.flags, b.flags);
    EXPECT_EQ(model::toJson(a.conditions).dump(), model::toJson(b.conditions).dump());
    EXPECT_EQ(a.confirmation, b.confirmation);
}

void StoreTest::SetUp()
{
    auto folder = base::TemporaryDir::create("store");
    ASSERT_OK(folder);
    m_folder.emplace(std::move(folder).value());
}

Store StoreTest::open(const std::filesystem::path& path, OpenMode mode) const
{
    auto store = Store::open(path, mode);
    if (!store)
        throw std::runtime_error(sentences::describe(store.error()));
    return std::move(store).value();
}

void finish(Store& store, model::Trial& trial, model::TrialState final)
{
    ASSERT_OK(store.transition(trial, model::TrialState::leased));
    ASSERT_OK(store.transition(trial, model::TrialState::running));
    ASSERT_OK(store.transition(trial, final));
    trial.state = final;
}

} // namespace apertune::store::test
