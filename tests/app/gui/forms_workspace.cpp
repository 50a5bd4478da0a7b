// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/forms_workspace.h"

#include "core/sentences/sentences.h"
#include "core/stats/summarize.h"

#include <cmath>
#include <random>
#include <stdexcept>

namespace apertune::testing {

namespace {

using base::Json;
using model::Config;
using model::DeviceType;
using model::OptLevel;
using model::Precision;
using model::Trial;
using model::TrialState;

constexpr int kThreads = 8;

model::Device cpu()
{
    model::Device device;
    device.id = "cpu";
    device.name = "Example CPU";
    device.memory = {std::int64_t{32} << 30};
    device.cores = kThreads;
    device.threads = 2 * kThreads;
    device.isa = {"avx2"};
    return device;
}

model::Device gpu()
{
    model::Device device;
    device.id = "cuda:0";
    device.type = DeviceType::nvidiaGpu();
    device.name = "Example GPU";
    device.uuid = "GPU-1234";
    device.memory = {std::int64_t{40} << 30};
    device.computeMajor = 8;
    device.driver = "580.65.06";
    return device;
}

/// How the blocks of a trial lie around its median.
enum class Spread {
    narrow,
    wide,   ///< more than 20 % to both sides
    skewed, ///< more than 20 % upwards, less as a half-width
    modes   ///< two groups
};

double factorOf(Spread spread, int block, std::mt19937& random)
{
    const double noise = static_cast<double>(random() % 2001) / 1000 - 1; // whole numbers: alike on every machine
    switch (spread) {
    case Spread::narrow:
        return 1 + 0.011 * noise;
    case Spread::wide:
        return 1 + 0.8 * noise;
    case Spread::skewed:
        return 1 + (block % 2 ? 0.62 + 0.3 * std::abs(noise) : 0.02 * noise);
    case Spread::modes:
        return (block % 3 == 0 ? 1.21 : 1) * (1 + 0.002 * noise);
    }
    return 1;
}

struct Samples
{
    double passMs = 10;
    int blocks = 24;
    int passes = 5; ///< passes of a block
    Spread spread = Spread::narrow;
    bool confirmed = false; ///< the trial took turns with the other confirmed trials, in three processes
};

Trial measured(const Config& config, const char* device, const Samples& samples)
{
    static std::mt19937 random(7);
    Trial trial;
    trial.device = device;
    trial.config = config;
    trial.startedUtc = "2026-03-14T09:21:00Z";
    trial.finishedUtc = "2026-03-14T09:21:04Z";
    model::Measurement& m = trial.measurement;
    const bool onGpu = trial.device != "cpu";
    for (int i = 0; i < samples.blocks; ++i) {
        model::Block block;
        block.iterations = samples.passes;
        block.process = samples.confirmed ? i * 3 / samples.blocks + 1 : 0;
        double wall = 0;
        for (int pass = 0; pass < samples.passes; ++pass) {
            const double ns = samples.passMs * 1e6 * factorOf(samples.spread, i, random);
            if (!onGpu) // passes of a GPU are queued back to back, and timed one by one apart from the blocks
                m.iterations.push_back({std::llround(ns)});
            wall += ns;
        }
        block.wall = {std::llround(wall)};
        block.cpu = {block.wall.count * kThreads};
        if (onGpu)
            block.device = {std::llround(wall * 0.9317)};
        m.blocks.push_back(block);
    }
    for (int i = 0; onGpu && i < 37; ++i)
        m.iterations.push_back({std::llround(samples.passMs * 1e6 * factorOf(samples.spread, i, random))});
    m.confirmation = samples.confirmed ? 1 : 0;
    m.load = base::fromMilliseconds(412.7 + samples.passMs);
    m.first = base::fromMilliseconds(samples.passMs * 2.713);
    m.warmup = base::fromMilliseconds(samples.passMs * 13.37);
    m.warmupIterations = 13;
    m.memory.processPeak = base::Bytes{(611LL << 20) + 900'000 + 31'700'000LL * config.batch};
    m.memory.allocatorPeak = base::Bytes{(183LL << 20) + 700'000 + 24'100'000LL * config.batch};
    if (onGpu)
        m.memory.devicePeak = base::Bytes{(1420LL << 20) + 850'000};
    m.quality = model::Quality{0.9998765, 0.01234, 0.004321, 0, 30.0 / 32, 31.0 / 32, 32};
    stats::summarize(m, config.batch);
    return trial;
}

/// A trial without numbers. One that the plan left out is skipped from the beginning; others fail when they run.
Trial unmeasured(const Config& config, model::ReasonKind kind, const char* text)
{
    Trial trial;
    trial.device = "cpu";
    trial.config = config;
    trial.state = kind == model::ReasonKind::outOfMemory ? TrialState::queued : TrialState::pruned;
    trial.reason = {kind, base::foreignText(text)};
    return trial;
}

Config on(OptLevel level, Precision precision, int batch)
{
    return model::makeConfig(level, precision, batch, kThreads, DeviceType::cpu());
}

Config onGpu(OptLevel level, Precision precision, int batch)
{
    return model::makeConfig(level, precision, batch, 0, DeviceType::nvidiaGpu());
}

std::vector<Trial> trialsOfEveryKind(bool confirmed)
{
    std::vector<Trial> trials;
    trials.push_back(measured(on(OptLevel::o0, Precision::fp32, 1), "cpu",
                              {.passMs = 24.137, .blocks = 60, .confirmed = confirmed}));
    trials.back().measurement.quality = model::Quality{1, 0, 0, 0, 1.0, 1.0, 32};
    trials.push_back(measured(on(OptLevel::o0, Precision::fp32, 4), "cpu", {.passMs = 1087.35}));
    trials.push_back(measured(on(OptLevel::o2, Precision::bf16, 1), "cpu",
                              {.passMs = 12.719, .blocks = 60, .confirmed = confirmed}));
    trials.push_back(measured(on(OptLevel::o1, Precision::fp32, 1), "cpu",
                              {.passMs = 13.961, .blocks = 60, .confirmed = confirmed}));
    trials.push_back(
        measured(on(OptLevel::o3, Precision::fp32, 4), "cpu", {.passMs = 700.9, .spread = Spread::skewed}));
    trials.back().measurement.compile = base::fromSeconds(48.53);
    trials.push_back(measured(on(OptLevel::o3, Precision::fp32, 1), "cpu", {.passMs = 12.93}));
    trials.back().measurement.compile = base::fromSeconds(37.19);
    trials.push_back(
        measured(on(OptLevel::o1, Precision::fp32, 4), "cpu", {.passMs = 921.3, .blocks = 9, .spread = Spread::wide}));
    trials.push_back(measured(on(OptLevel::o2, Precision::fp32, 1), "cpu", {.passMs = 19.87, .blocks = 3}));
    trials.back().measurement.quality.reset();
    trials.push_back(measured(on(OptLevel::o2, Precision::fp32, 4), "cpu", {.passMs = 777.7, .spread = Spread::modes}));
    trials.push_back(measured(on(OptLevel::o1, Precision::bf16, 4), "cpu", {.passMs = 511.1}));
    trials.back().measurement.quality = model::Quality{0.4, 1234.5, 12.3, 17, std::nullopt, std::nullopt, 32};
    model::Conditions& busy = trials.back().measurement.conditions;
    busy.processors = 2 * kThreads;
    busy.wall = base::fromSeconds(60);
    busy.waited = base::fromSeconds(7.3);
    busy.span = base::fromSeconds(61);
    busy.others = base::fromSeconds(93.7);
    busy.steal = base::fromSeconds(21.9);
    busy.contended = 3;
    busy.throttled = 2;
    busy.discarded = 4;
    busy.clockLow = 2.31;
    busy.clockHigh = 2.87;
    busy.driftReading = model::DriftReading{"O0 fp32", 24.9e6, 0.004, 1.0317};
    trials.push_back(measured(onGpu(OptLevel::o0, Precision::fp32, 4), "cuda:0", {.passMs = 46.389, .blocks = 30}));
    model::Conditions& watched = trials.back().measurement.conditions;
    watched.processors = 2 * kThreads;
    watched.wall = base::fromSeconds(12);
    watched.span = base::fromSeconds(13);
    watched.gpu = model::GpuConditions{};
    watched.gpu->clockLow = 1230;
    watched.gpu->clockHigh = 1410;
    watched.gpu->powerCap = 400'000;
    watched.gpu->cappedTime = base::fromSeconds(1.7);
    watched.energy = model::Energy{model::EnergySource::gpuCounter,
                                   4,
                                   {{1152.3, 626, base::fromSeconds(4.1)},
                                    {1160.1, 626, base::fromSeconds(4.1)},
                                    {1144.4, 626, base::fromSeconds(4.1)}},
                                   71.3};
    watched.gpu->otherProcesses = 2;
    watched.gpu->otherMemory = base::Bytes{777LL << 20};
    trials.push_back(unmeasured(on(OptLevel::o2, Precision::fp32, 64), model::ReasonKind::outOfMemory,
                                "The worker ran out of memory."));
    trials.push_back(unmeasured(on(OptLevel::o0, Precision::fp16, 1), model::ReasonKind::impossible,
                                "The device has no such arithmetic."));
    trials.push_back(
        unmeasured(on(OptLevel::o2, Precision::fp32, 16), model::ReasonKind::budget, "The budget was spent."));
    return trials;
}

model::Study sampleStudy()
{
    model::Study study;
    study.name = "resnet50 study";
    study.model.name = "resnet50";
    study.model.source = "torchvision:resnet50";
    study.model.taskType = model::TaskType::classification;
    study.model.weights = "random, seed 0";
    study.model.contentHash = std::string(64, 'a');
    study.model.parameters = 25'557'032;
    study.model.parameterBytes = {102'228'128};
    study.model.macs = 4'089'184'256;
    study.model.inputs = {{"x", "float32", {1, 3, 224, 224}, 0}};
    study.model.outputs = {{"logits", "float32", {1, 1000}, 0}};
    study.goal.objective = model::Objective::latency;
    study.goal.also = {model::Objective::throughput, model::Objective::memory};
    study.goal.minQuality = 0.99;
    study.budget = base::fromSeconds(120);
    study.state = model::StudyState::finished;
    study.createdUtc = "2026-03-14T09:20:00Z";
    study.finishedUtc = "2026-03-14T09:24:00Z";
    study.commandLine = "apertune tune torchvision:resnet50";
    study.environment.host = "example";
    study.environment.os = "Debian GNU/Linux 12 (bookworm)";
    study.environment.kernel = "6.1.0-18-amd64";
    study.environment.apertune = "0.1.0";
    study.environment.devices = {cpu(), gpu()};
    study.environment.engines = {{"libtorch", "2.11.0"}};
    study.environment.settings = {{"governor", "performance"}};
    study.environment.loadAverage = 0.4217;
    return study;
}

/// An iteration of the recorded loop. Durations differ by rule, so that no two numbers of the tables are equal.
class Loop
{
public:
    Json document() const
    {
        return {{"schemaVersion", 1},
                {"traceName", "loop.json"},
                {"cuda_runtime_version", 12060},
                {"deviceProperties",
                 {{{"id", 0},
                   {"name", "NVIDIA A100-SXM4-40GB"},
                   {"totalGlobalMem", 42'298'834'944},
                   {"computeMajor", 8},
                   {"computeMinor", 0},
                   {"maxThreadsPerBlock", 1024},
                   {"maxThreadsPerMultiprocessor", 2048},
                   {"warpSize", 32},
                   {"sharedMemPerBlock", 49152},
                   {"sharedMemPerMultiprocessor", 167936},
                   {"regsPerMultiprocessor", 65536},
                   {"numSms", 108}}}},
                {"traceEvents", m_events}};
    }

    void iteration(int number)
    {
        const double begin = m_host;
        m_host += 31;
        copy("Memcpy HtoD (Pageable -> Device)", 211 + number * 3, 4'816'896);
        m_host += 150 + number;
        for (int layer = 0; layer < 4; ++layer) {
            allocate(12'345'678 + 1000 * layer + number, layer);
            call("aten::conv2d", "sm80_xmma_fprop_implicit_gemm_bf16bf16_f32_nhwc", 93.25 + layer * 7 + number,
                 {216, 1}, 256, 168, "[[16, 64, 56, 56], [64, 64, 3, 3], [], [], [], [], []]");
            call("aten::batch_norm", "cudnn::bn_fw_inf_1C11_kernel_NCHW", 21.5 + number, {64, 16}, 512, 40,
                 "[[16, 64, 56, 56], [64], [64], [64], [64], [], [], [], []]");
            call("aten::relu", "void at::native::vectorized_elementwise_kernel<4, relu>", 12.25 + layer, {784, 1}, 128,
                 24, "[[16, 64, 56, 56]]");
        }
        call("aten::linear", "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_tn", 44.5 + number, {8, 2}, 128,
             230, "[[16, 2048], [1000, 2048], [1000]]");
        for (int layer = 0; layer < 4; ++layer)
            release(12'345'678 + 1000 * layer + number, layer);
        copy("Memcpy DtoH (Device -> Pinned)", 5 + number, 64'000);
        synchronize();
        add("user_annotation", "ProfilerStep#" + std::to_string(number + 3), begin, m_host - begin, {});
    }

private:
    void add(const char* category, const std::string& name, double start, double duration, Json arguments,
             int process = 7, int thread = 7)
    {
        m_events.push_back({{"ph", "X"},
                            {"cat", category},
                            {"name", name},
                            {"pid", process},
                            {"tid", thread},
                            {"ts", start},
                            {"dur", duration},
                            {"args", std::move(arguments)}});
    }

    /// The launch call, then the work on the device.
    void launch(const char* call, const char* category, const std::string& name, double duration, Json arguments,
                int stream)
    {
        arguments.update({{"device", 0}, {"context", 1}, {"stream", stream}, {"correlation", ++m_correlation}});
        add("cuda_runtime", call, m_host, 4.25, {{"correlation", m_correlation}});
        const double begin = std::max(m_host + 6.5, m_device) + 0.75;
        add(category, name, begin, duration, std::move(arguments), 0, stream);
        m_device = begin + duration;
        m_host += 4.25;
    }

    void copy(const char* name, double duration, std::int64_t bytes)
    {
        launch("cudaMemcpyAsync", "gpu_memcpy", name, duration, {{"bytes", bytes}}, 20);
    }

    void call(const char* op, const char* kernel, double duration, std::pair<int, int> grid, int block, int registers,
              const char* shapes)
    {
        const double begin = m_host;
        m_host += 7.5;
        launch("cudaLaunchKernel", "kernel", kernel, duration,
               {{"grid", {grid.first, grid.second, 1}},
                {"block", {block, 1, 1}},
                {"registers per thread", registers},
                {"shared memory", 0},
                {"est. achieved occupancy %", 50}},
               7);
        m_host += 3.25;
        add("cpu_op", op, begin, m_host - begin, {{"Input Dims", Json::parse(shapes)}});
        m_host += 2.5;
    }

    void synchronize()
    {
        const double wait = std::max(m_device - m_host, 2.0);
        add("cuda_runtime", "cudaDeviceSynchronize", m_host, wait, {{"correlation", ++m_correlation}});
        m_host += wait + 40;
    }

    void memory(std::int64_t bytes, std::int64_t address)
    {
        m_held += bytes;
        m_events.push_back({{"ph", "i"},
                            {"cat", "cpu_instant_event"},
                            {"s", "t"},
                            {"name", "[memory]"},
                            {"pid", 7},
                            {"tid", 7},
                            {"ts", m_host},
                            {"args",
                             {{"Device Type", 1},
                              {"Device Id", 0},
                              {"Addr", address},
                              {"Bytes", bytes},
                              {"Total Allocated", m_held},
                              {"Total Reserved", 67'108'864}}}});
        m_host += 0.5;
    }
    void allocate(std::int64_t bytes, int block) { memory(bytes, 0x7f00'0000 + 0x1000 * block); }
    void release(std::int64_t bytes, int block) { memory(-bytes, 0x7f00'0000 + 0x1000 * block); }

    Json m_events = Json::array();
    double m_host = 1000; ///< µs
    double m_device = 0;
    int m_correlation = 100;
    std::int64_t m_held = 0;
};

template <typename T>
T orThrow(base::Result<T> result)
{
    if (!result)
        throw std::runtime_error(sentences::describe(result.error()));
    return std::move(*result);
}

void orThrow(const base::Status& status)
{
    if (!status)
        throw std::runtime_error(sentences::describe(status.error()));
}

} // namespace

FormsWorkspace::FormsWorkspace(Turns turns)
{
    {
        auto store = orThrow(store::Store::open(file(), store::OpenMode::readWrite));
        model::Study study = sampleStudy();
        std::vector<Trial> trials = trialsOfEveryKind(turns == Turns::confirmed);
        if (turns == Turns::noise)
            orThrow(store.addNoise({model::machineKey(study.environment, cpu()), model::protocolOf(study.target),
                                    "resnet50 O0", std::vector<double>(20, 1.03), "2026-03-14T09:00:00Z"}));
        orThrow(store.createStudy(study, trials));
        m_study = study.id;
        for (const Trial& trial : trials) {
            if (trial.state != TrialState::queued)
                continue;
            for (const TrialState next :
                 {TrialState::leased, TrialState::running, trial.reason.empty() ? TrialState::ok : TrialState::failed})
                orThrow(store.transition(trial, next));
        }
        orThrow(store.setStudyState(study.id, model::StudyState::finished));
    }
    Loop loop;
    for (int i = 0; i < 6; ++i)
        loop.iteration(i);
    const std::filesystem::path recording = m_program.dir() / "loop.json";
    cli::test::Program::write(recording, loop.document().dump());
    m_trace = {std::stoll(document({"trace", "import", recording.string()})["trace"].get<std::string>().substr(2))};
}

QString FormsWorkspace::text(const std::vector<std::string>& words) const
{
    const cli::test::Ran ran = m_program.run(words);
    if (ran.code != 0)
        throw std::runtime_error(ran.err);
    return QString::fromStdString(ran.out);
}

base::Json FormsWorkspace::document(std::vector<std::string> words) const
{
    words.emplace_back("--json");
    return Json::parse(text(words).toStdString());
}

} // namespace apertune::testing
