// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/commands.h"

#include "app/worker/comparison.h"
#include "app/worker/device_watch.h"
#include "app/worker/page_cache.h"
#include "app/worker/process_memory.h"
#include "app/worker/program_errors.h"
#include "app/worker/reference_file.h"
#include "app/worker/serving.h"
#include "app/worker/stages.h"
#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "core/trace/reasons.h"
#include "core/trace/trace_file.h"
#include "core/worker/protocol.h"
#include "profilers/cupti/cupti_operators.h"
#include "profilers/cupti/cupti_profiler.h"
#include "profilers/cupti/metrics_profiler.h"
#include "profilers/host/host_profiler.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace apertune::worker {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Nanoseconds;

namespace {

/// A reference file gets no further sets beyond this size, and progress messages are at least this far apart.
constexpr std::uint64_t kReferenceBudget = 256u << 20;
constexpr Nanoseconds kProgressInterval{100'000'000};

Nanoseconds nanoseconds(const Json& command, const char* name, Nanoseconds otherwise)
{
    return {command.value(name, otherwise.count)};
}

/// Drops the files that a request opens from the page cache; returns whether that worked.
bool filesAreCold(const Json& request)
{
    for (const char* name : {"artifact", "package"})
        if (const auto path = request.find(name); path != request.end() && path->is_string())
            if (dropFromPageCache(path->get<std::string>()) > kMostResident)
                return false;
    return true;
}

/// Time over which the packages' idle power is read: 200 renewals of their counters.
constexpr auto kIdleTime = std::chrono::milliseconds(200);

EnergyReading packageReading(base::PackageEnergy& packages)
{
    constexpr double kMicro = 1e-6;
    EnergyReading reading{base::monotonicNow(), {}, 0};
    if (const auto energy = packages.read())
        reading.joules = static_cast<double>(*energy) * kMicro;
    return reading;
}

std::vector<std::string> notesOf(const Json& json)
{
    return json.value("notes", std::vector<std::string>{});
}

Json counts(const std::vector<Nanoseconds>& times)
{
    Json list = Json::array();
    for (const Nanoseconds time : times)
        list.push_back(time.count);
    return list;
}

} // namespace

std::string_view errorWord(ErrorCode code)
{
    switch (code) {
    case ErrorCode::outOfMemory:
        return model::toString(model::ReasonKind::outOfMemory);
    case ErrorCode::modelThrew:
        return model::toString(model::ReasonKind::modelThrew);
    case ErrorCode::invalidArgument:
        return model::toString(model::ReasonKind::badInput);
    case ErrorCode::unsupported:
        return model::toString(model::ReasonKind::unsupported);
    case ErrorCode::crashed:
        return model::toString(model::ReasonKind::deviceLost);
    default:
        return model::toString(model::ReasonKind::internal);
    }
}

void Commands::serve()
{
    while (true) {
        const Json command = m_channel.next();
        const std::string type = command.value("t", "");
        if (type == "quit")
            break;
        base::Result<Json> result = Error{ErrorCode::internal, base::message(program_errors::kNoAnswer), {}, {}};
        try {
            // A command of a backend may throw; the worker has to answer all the same, or the supervisor would wait.
            result = answer(command);
        } catch (const std::bad_alloc&) {
            result = Error{ErrorCode::outOfMemory,
                           base::message(program_errors::kOutOfMemory),
                           {},
                           base::message(program_errors::kSmallerBatch)};
        } catch (const std::exception& e) {
            result = Error{ErrorCode::internal, base::message<program_errors::kFailedOn>(type), e.what(),
                           base::message(base::errors::kPleaseReport)};
        }
        // Heartbeats name the phase, so it must not stay that of the last command.
        m_channel.setPhase("idle");
        Json reply = Json::object();
        if (result) {
            reply = std::move(result).value();
        } else {
            const Error& e = result.error();
            reply = {{"t", "error"},
                     {"code", errorWord(e.code)},
                     {"hint", sentences::sentence(e.hint)},
                     {"detail", e.context}};
            writeMessage(reply, "message", e.message);
        }
        // The id tells the supervisor which command was answered.
        reply["id"] = command.value("id", std::int64_t{0});
        m_channel.send(reply);
    }
    // Models are released before the plugin is unloaded.
    m_loadedModels.clear();
}

base::Result<Json> Commands::answer(const Json& command)
{
    const auto type = command.at("t").get<std::string>();
    if (type == "prepare")
        return prepare(command);
    if (type == "measure")
        return measureBlocks(command);
    if (type == "reference")
        return writeReference(command);
    if (type == "assess")
        return assess(command);
    if (type == "report")
        return report(command);
    if (type == "attach")
        return attach(command);
    if (type == "recordings")
        return recordings();
    if (type == "trace")
        return record(command);
    if (type == "serve")
        return serveLoad(command);
    if (type == "stages")
        return stages(command);
    if (type == "ceilings")
        return ceilings(command);
    if (type == "release") {
        m_loadedModels.erase(command.at("session").get<std::int64_t>());
        return Json{{"t", "released"}};
    }
    return Error{ErrorCode::internal,
                 base::message<program_errors::kUnknownCommand>(type),
                 {},
                 base::message(base::errors::kSameVersion)};
}

void Commands::progress(const Json& command, const char* phase, Json more)
{
    Json message{{"t", "progress"}, {"id", command.value("id", std::int64_t{0})}, {"phase", phase}};
    if (more.is_object())
        message.update(more);
    m_channel.setPhase(phase);
    m_channel.send(message);
}

base::Result<LoadedModel*> Commands::model(const Json& command)
{
    const auto it = m_loadedModels.find(command.at("session").get<std::int64_t>());
    if (it == m_loadedModels.end())
        return Error{ErrorCode::internal,
                     base::message(program_errors::kNoSession),
                     {},
                     base::message(program_errors::kPrepareFirst)};
    return &it->second;
}

void Commands::readIdlePower(const std::optional<GpuWatch>& gpu, std::string_view device)
{
    if (m_idleWatts)
        return; // The first model warms the device up, and it keeps its clocks for a while.
    m_idleWatts = 0;
    if (gpu) {
        m_idleWatts = energyOf(gpu->read()).watts;
        return;
    }
    // A GPU with its own memory is a card of its own, of which the packages know nothing.
    if (model::typeOfDevice(device).hasOwnMemory())
        return;
    auto packages = std::make_shared<base::PackageEnergy>(m_root);
    if (packages->access() != base::PackageEnergy::Access::readable)
        return;
    m_packages = std::move(packages);
    const EnergyReading before = packageReading(*m_packages);
    // The packages have no idle counter, so their power is measured while nothing runs.
    std::this_thread::sleep_for(kIdleTime);
    m_idleWatts = powerBetween(before, packageReading(*m_packages));
}

void Commands::watchEnergy(LoadedModel& model) const
{
    model.watch.idleWatts = m_idleWatts.value_or(0);
    if (m_packages)
        model.watch.packages = [packages = m_packages] { return packageReading(*packages); };
}

base::Result<Json> Commands::prepare(const Json& command)
{
    const auto session = command.at("session").get<std::int64_t>();
    const Json& request = command.at("request");
    // The old model goes first: both together may not fit into memory.
    m_loadedModels.erase(session);

    progress(command, "load");
    // The supervisor makes only the worker's own GPU visible.
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const auto gpu = GpuWatch::open(visible && *visible ? base::loadNvml() : nullptr, visible ? visible : "");
    if (gpu && !m_otherLoad)
        m_otherLoad = gpu->otherLoad(); // Afterwards the load is this worker's own.
    readIdlePower(gpu, request.value("device", ""));
    // Files that could not be dropped from the cache make the start a warm one, and the answer says so.
    const bool cold = command.value("cold", false) && filesAreCold(request);
    const Nanoseconds begin = base::monotonicNow();
    auto opened = m_backend.open(request);
    if (!opened)
        return opened.error();
    const Nanoseconds load = nanoseconds(opened->info, "load_ns", base::monotonicNow() - begin);
    // The supervisor has to know the folders before anything runs that may crash.
    const std::vector<std::string> folders = loadedTemporaryFolders();
    if (!folders.empty())
        progress(command, "load", {{"temp_dirs", folders}});

    LoadedModel model;
    model.session = std::move(opened->session);
    model.fastestClock = command.value("clock", 0.0);
    if (gpu) {
        model.watch.gpu = [watch = *gpu] { return watch.read(); };
        model.watch.powerCap = gpu->powerCap();
        model.watch.otherLoad = m_otherLoad.value_or(0);
    }
    model.watch.batch = request.at("config").value("batch", 1);
    watchEnergy(model);
    WarmUpRequest limits;
    limits.least = nanoseconds(command, "warmup_min_ns", limits.least);
    limits.most = nanoseconds(command, "warmup_max_ns", limits.most);
    limits.giveUp = nanoseconds(command, "give_up_ns", limits.giveUp);
    const auto warm = warmUp(model, limits, m_channel.quitting(), [&](const char* phase) { progress(command, phase); });
    if (!warm)
        return warm.error();
    // All kernels are loaded by now and stay mapped. If the worker is killed later, nothing stays behind.
    std::error_code ignored;
    for (const std::string& folder : folders)
        std::filesystem::remove_all(folder, ignored);

    // The estimate is read before the model is moved.
    const Nanoseconds estimate = model.iteration;
    m_loadedModels.insert_or_assign(session, std::move(model));
    m_batches[session] = request.at("config").value("batch", std::int64_t{1});
    return Json{{"t", "prepared"},
                {"load_ns", load.count},
                {"first_ns", warm->first.count},
                {"warmup_ns", warm->spent.count},
                {"warmup_iterations", warm->iterations},
                {"steady", warm->steady},
                {"gave_up", warm->gaveUp},
                {"cold", cold},
                {"iteration_ns", estimate.count},
                {"notes", notesOf(opened->info)}};
}

base::Result<Json> Commands::measureBlocks(const Json& command)
{
    const auto found = model(command);
    if (!found)
        return found.error();
    MeasureRequest limits;
    limits.minBlock = nanoseconds(command, "min_block_ns", limits.minBlock);
    limits.minBlocks = command.value("min_blocks", limits.minBlocks);
    limits.leastBlocks = command.value("least_blocks", limits.leastBlocks);
    limits.maxBlocks = command.value("blocks", limits.maxBlocks);
    limits.minTime = nanoseconds(command, "min_ns", limits.minTime);
    limits.maxTime = nanoseconds(command, "max_ns", limits.maxTime);
    limits.target = command.value("target", limits.target);
    limits.settle = command.value("settle", limits.settle);
    limits.discards = command.value("discards", limits.discards);

    m_channel.setPhase("measure");
    Nanoseconds lastReport = base::monotonicNow();
    const auto measured =
        measure(**found, limits, m_channel.quitting(), [&](const Measured& soFar, const model::Interval& median) {
            const Nanoseconds now = base::monotonicNow();
            // A message for each block would cost more than it is worth.
            if (now - lastReport < kProgressInterval)
                return;
            lastReport = now;
            progress(command, "measure",
                     {{"blocks", soFar.blocks.size()},
                      {"median_ns", median.value},
                      {"half_width", median.confidence > 0 ? Json(median.relativeHalfWidth()) : Json(nullptr)}});
        });
    if (!measured)
        return measured.error();

    Json blocks = Json::array();
    for (const model::Block& block : measured->blocks)
        blocks.push_back(model::toJson(block));
    return Json{{"t", "measured"},
                {"blocks", std::move(blocks)},
                {"iterations_ns", counts(measured->iterations)},
                {"converged", measured->converged},
                {"conditions", model::toJson(measured->conditions)}};
}

base::Result<Json> Commands::writeReference(const Json& command)
{
    const auto found = model(command);
    if (!found)
        return found.error();
    progress(command, "quality");
    const auto sets = command.value("sets", 1u);
    const Nanoseconds limit = nanoseconds(command, "max_ns", base::fromSeconds(60));
    const Nanoseconds begin = base::monotonicNow();
    ReferenceWriter writer(command.at("out").get<std::string>());
    for (std::uint32_t k = 0; k < sets; ++k) {
        const auto status =
            (*found)->session->outputs(k, [&](std::span<const apertune_tensor> tensors) { writer.addSet(tensors); });
        if (!status)
            return status.error();
        // The first set is always written. More sets make the comparison stricter, while time and space allow.
        if (base::monotonicNow() - begin > limit || writer.bytes() > kReferenceBudget)
            break;
    }
    const std::uint32_t kept = writer.sets();
    if (auto status = writer.finish(); !status)
        return status.error();
    return Json{
        {"t", "referenced"}, {"sets", kept}, {"samples", kept * m_batches[command.at("session").get<std::int64_t>()]}};
}

base::Result<Json> Commands::assess(const Json& command)
{
    const auto found = model(command);
    if (!found)
        return found.error();
    progress(command, "quality");
    const std::int64_t batch = m_batches[command.at("session").get<std::int64_t>()];
    const auto sets = command.value("sets", 1u);
    const Nanoseconds limit = nanoseconds(command, "max_ns", base::fromSeconds(60));
    const Nanoseconds begin = base::monotonicNow();
    Comparison comparison(model::taskTypeFromString(command.value("family", "")));

    const Json& reference = command.at("reference");
    std::optional<ReferenceReader> reader;
    if (reference.is_string()) {
        auto opened = ReferenceReader::open(reference.get<std::string>());
        if (!opened)
            return opened.error();
        reader.emplace(std::move(opened).value());
    }
    // Without a reference the outputs are only searched for NaN and Inf.
    for (std::uint32_t k = 0; k < sets && (!reader || k < reader->sets()); ++k) {
        KeptSet kept;
        if (reader) {
            auto read = reader->next();
            if (!read)
                return read.error();
            kept = std::move(read).value();
        }
        const auto status = (*found)->session->outputs(k, [&](std::span<const apertune_tensor> tensors) {
            if (reader)
                comparison.addSet(tensors, kept, batch);
            else
                comparison.addSet(tensors);
        });
        if (!status)
            return status.error();
        if (base::monotonicNow() - begin > limit)
            break;
    }

    std::vector<base::Message> notes = comparison.notes();
    const auto quality = comparison.quality();
    // Shapes may all differ, and then there is no quality.
    if (reader && !quality)
        notes.push_back(base::message(program_errors::kNothingCompared));
    return Json{{"t", "assessed"},
                {"quality", quality ? model::toJson(*quality) : Json(nullptr)},
                {"nan_count", comparison.nanCount()},
                {"notes", notesJson(notes)}};
}

base::Result<Json> Commands::report(const Json& command)
{
    const auto found = model(command);
    if (!found)
        return found.error();
    // The peak is read first, because the backend's report may run passes.
    const auto peak = processPeak();
    auto reported = (*found)->session->report();
    if (!reported)
        return reported.error();
    Json memory = reported->value("memory", Json::object());
    memory["process_peak"] = peak ? Json(peak->count) : Json(nullptr);
    return Json{{"t", "reported"},
                {"applied", reported->value("applied", Json::array())},
                {"memory", std::move(memory)},
                {"notes", notesOf(*reported)}};
}

// Commands::attach() comes before `prepare`: CUPTI has to be there before the first CUDA call of the process.
base::Result<Json> Commands::attach(const Json& command)
{
    m_gpu = profilers::makeCuptiProfiler(command.value("graphs", "node") == "launch" ? trace::GraphRecords::launches
                                                                                     : trace::GraphRecords::nodes);
    m_gpuMissing = {};
    if (const trace::Availability can = m_gpu->availability(); !can.possible)
        m_gpuMissing = base::sentencesOf({can.reason, can.remedy});
    else if (auto started = m_gpu->start(); started)
        m_attached.push_back({std::string(m_gpu->name()), std::move(*started)});
    else
        m_gpuMissing = base::sentencesOf({started.error().message, started.error().hint});
    return Json{{"t", "attached"}, {"recording", m_gpuMissing.empty()}, {"reason", sentences::sentence(m_gpuMissing)}};
}

base::Result<Json> Commands::recordings() const
{
    Json list = Json::array();
    const auto add = [&](const char* name, const trace::Availability& can) {
        Json entry{{"name", name}, {"possible", can.possible}};
        writeMessage(entry, "reason", can.reason);
        writeMessage(entry, "remedy", can.remedy);
        list.push_back(std::move(entry));
    };
    add("kernel trace", profilers::makeCuptiProfiler()->availability());
    add("hardware counters", profilers::makeSampleProfiler()->availability());
    return Json{{"t", "recordings"}, {"recordings", std::move(list)}};
}

base::Result<Json> Commands::ceilings(const Json& command)
{
    m_channel.setPhase("ceilings");
    auto measured = m_backend.ceilings(command.at("request"));
    if (!measured)
        return measured.error();
    return Json{
        {"t", "measured_ceilings"}, {"rates", measured->value("rates", Json::array())}, {"notes", notesOf(*measured)}};
}

base::Result<Json> Commands::record(const Json& command)
{
    const auto found = model(command);
    if (!found)
        return found.error();
    TraceRequest request;
    // At least one pass, or there would be nothing to trace.
    request.iterations = std::max(1, command.value("iterations", request.iterations));
    request.bareIterations = command.value("bare_iterations", request.iterations);
    request.most = nanoseconds(command, "max_ns", request.most);
    request.least = nanoseconds(command, "min_ns", request.least);
    request.maxEvents = command.value("max_events", request.maxEvents);
    request.record = APERTUNE_TRACE_OPERATORS;
    for (const auto& [name, bit, otherwise] :
         {std::tuple("shapes", APERTUNE_TRACE_SHAPES, true), std::tuple("memory", APERTUNE_TRACE_MEMORY, true),
          std::tuple("nvtx", APERTUNE_TRACE_NVTX, false)})
        if (command.value(name, otherwise))
            request.record |= static_cast<std::uint32_t>(bit);
    const auto host = profilers::makeHostProfiler();
    std::vector<trace::Profiler*> profilers;
    if (command.value("telemetry", true))
        profilers.push_back(host.get());
    // Only CUPTI needs links between operators and device work.
    if (!m_attached.empty()) {
        request.enter = profilers::enterOperator;
        request.leave = profilers::leaveOperator;
    }
    // Counters are read in a run of their own, without operators, whose recording would add work to the kernels.
    if (const std::string metrics = command.value("metrics", ""); !metrics.empty()) {
        const auto profiler =
            metrics == "kernels" ? profilers::makeKernelCounterProfiler() : profilers::makeSampleProfiler();
        if (const trace::Availability can = profiler->availability(); !can.possible)
            return base::Error{base::ErrorCode::unsupported, can.reason, {}, can.remedy};
        auto started = profiler->start();
        if (!started)
            return started.error();
        m_attached.push_back({std::string(profiler->name()), std::move(*started)});
        request.operators = false;
    }
    // The sessions are handed over, so that a second recording starts without them.
    auto recording = recordTrace(**found, request, profilers, std::exchange(m_attached, {}), m_channel.quitting(),
                                 [&](const char* phase) { progress(command, phase); });
    if (!recording)
        return recording.error();
    if (!m_gpuMissing.empty())
        recording->trace.losses.push_back({{},
                                           trace::EventKind::kernel,
                                           0,
                                           trace::LossSeverity::warning,
                                           base::message<trace::reasons::kGpuNotRecorded>(m_gpuMissing)});
    progress(command, "write");
    if (auto status = trace::writeTraceFile(recording->trace, command.at("out").get<std::string>()); !status)
        return status.error();
    return Json{{"t", "traced"},
                {"events", recording->trace.eventCount()},
                {"bare_ns", counts(recording->bare)},
                {"traced_ns", counts(recording->traced)},
                {"bare_cpu_ns", counts(recording->bareCpu)},
                {"traced_cpu_ns", counts(recording->tracedCpu)}};
}

base::Result<Json> Commands::stages(const Json& command)
{
    const auto found = model(command);
    if (!found)
        return found.error();
    const int batch = static_cast<int>(m_batches[command.at("session").get<std::int64_t>()]);
    auto request = stagesRequestFrom(command, batch);
    if (!request)
        return request.error();
    progress(command, "images");
    Nanoseconds lastReport{};
    const auto ran = runStages(**found, *request, m_channel.quitting(), [&](double part) {
        const Nanoseconds now = base::monotonicNow();
        if (now - lastReport < kProgressInterval)
            return;
        lastReport = now;
        progress(command, "stages", {{"part", part}});
    });
    if (!ran)
        return ran.error();
    return Json{{"t", "staged"},           {"summary", workload::toJson(ran->summary)},
                {"reading", ran->reading}, {"answered", ran->answered},
                {"images", ran->images},   {"image_bytes", ran->imageBytes}};
}

base::Result<Json> Commands::serveLoad(const Json& command)
{
    const auto found = model(command);
    if (!found)
        return found.error();
    ServeRequest request;
    auto wanted = workload::scenarioFromJson(command.at("scenario"));
    if (!wanted)
        return wanted.error();
    request.scenario = std::move(*wanted);
    request.batch = static_cast<int>(m_batches[command.at("session").get<std::int64_t>()]);
    request.passes = std::max(1, command.value("passes", 1));
    request.least = command.value("least", std::size_t{0});
    progress(command, "serve");
    Nanoseconds lastReport = base::monotonicNow();
    const auto served = serveScenario(**found, request, m_channel.quitting(), [&](double part) {
        const Nanoseconds now = base::monotonicNow();
        if (now - lastReport < kProgressInterval)
            return;
        lastReport = now;
        progress(command, "serve", {{"part", part}});
    });
    if (!served)
        return served.error();
    Json due = Json::array();
    Json start = Json::array();
    Json end = Json::array();
    Json camera = Json::array();
    for (const workload::Served& s : *served) {
        due.push_back(s.query.due.count);
        start.push_back(s.dropped ? -1 : s.start.count);
        end.push_back(s.end.count);
        // −1 stands for a query that was dropped before it started.
        camera.push_back(s.query.camera);
    }
    return Json{{"t", "served"},
                {"due_ns", std::move(due)},
                {"start_ns", std::move(start)},
                {"end_ns", std::move(end)},
                {"camera", std::move(camera)}};
}

} // namespace apertune::worker
