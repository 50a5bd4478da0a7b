// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/support/backend.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <new>

struct apertune_session
{
    std::unique_ptr<apertune::plugins::Session> impl;
};

namespace apertune::plugins {

namespace {

using OrderedJson = nlohmann::ordered_json;

Backend* g_backend = nullptr;

/// The text of last_error(). All calls come from one thread and it belongs to the last call, so one serves all
/// sessions.
std::optional<Fault> g_lastFault;

/// The session whose recording runs, or null.
const apertune_session* g_recorded = nullptr;

void send(apertune_text_sink sink, void* user, const OrderedJson& json)
{
    // A path or a system message may hold any bytes, but the caller expects UTF-8.
    const std::string text = json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    if (sink)
        sink(user, text.data(), text.size());
}

Fault faultOf(std::exception_ptr error, Phase phase)
{
    try {
        std::rethrow_exception(error);
    } catch (const Fault& fault) {
        return fault;
    } catch (const std::bad_alloc&) {
        return {APERTUNE_OUT_OF_MEMORY, "Memory ran out: the host has no memory left.",
                "Use a smaller batch or a 16-bit precision, or free memory."};
    } catch (const std::exception&) {
        return g_backend->classify(error, phase);
    } catch (...) {
        return {APERTUNE_INTERNAL, "The engine threw something that is not an exception.", "Please report it."};
    }
}

template <typename Body>
apertune_status guarded(Phase phase, const apertune_session* session, Body&& body) noexcept
{
    // The last fault belongs to the last call; a success clears it.
    g_lastFault.reset();
    try {
        body();
        return APERTUNE_OK;
    } catch (...) {
        Fault fault = faultOf(std::current_exception(), phase);
        // The session knows more than the exception, such as the layer that failed.
        if (fault.status == APERTUNE_MODEL_THREW && session)
            session->impl->improve(fault);
        const apertune_status status = fault.status;
        g_lastFault = std::move(fault);
        return status;
    }
}

template <typename Body>
apertune_status ran(const apertune_session* session, Body&& body) noexcept
{
    return guarded(Phase::running, session, std::forward<Body>(body));
}

OrderedJson toJson(const DeviceInfo& device)
{
    OrderedJson json{{"id", device.id}, {"name", device.name}};
    // An unknown size is left out, because 0 would be read as a fact.
    if (device.memoryBytes > 0)
        json["memory_bytes"] = device.memoryBytes;
    for (const auto& [key, value] : {std::pair{"capability", device.capability}, std::pair{"uuid", device.uuid},
                                     std::pair{"driver", device.driver}})
        if (!value.empty())
            json[key] = value;
    if (!device.precisions.empty())
        json["precisions"] = device.precisions;
    return json;
}

OrderedJson toJson(const std::optional<std::int64_t>& value)
{
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson toJson(const Report& report)
{
    OrderedJson applied = OrderedJson::array();
    for (const Applied& line : report.applied) {
        // Ordered, so that two reports of the same state are the same bytes.
        applied.push_back({{"switch", line.name}, {"state", line.state}, {"evidence", line.evidence}});
        if (!line.layers.empty())
            applied.back()["layers"] = line.layers;
    }
    OrderedJson notes = report.notes;
    if (!report.memory.note.empty())
        notes.push_back(report.memory.note);
    return {
        {"applied", std::move(applied)},
        {"memory",
         {{"allocator_peak", toJson(report.memory.allocatorPeak)}, {"device_peak", toJson(report.memory.devicePeak)}}},
        {"notes", std::move(notes)}};
}

apertune_status describe(apertune_text_sink sink, void* user)
{
    return guarded(Phase::describing, nullptr, [&] {
        const Description info = g_backend->describe();
        OrderedJson devices = OrderedJson::array();
        for (const DeviceInfo& device : info.devices)
            devices.push_back(toJson(device));
        OrderedJson switches = OrderedJson::array();
        for (const std::string& name : info.switches)
            if (const auto own = info.summaries.find(name); own != info.summaries.end())
                switches.push_back({{"name", name}, {"summary", own->second}});
            else
                switches.push_back(name);
        OrderedJson answer{{"name", info.name},
                           {"version", info.version},
                           {"formats", info.formats},
                           {"switches", std::move(switches)},
                           {"precisions", info.precisions},
                           {"devices", std::move(devices)},
                           {"notes", info.notes}};
        for (const auto& [level, on] : info.levels)
            answer["levels"][level] = on;
        send(sink, user, answer);
    });
}

apertune_status open(const char* request, apertune_session** session, apertune_text_sink sink, void* user)
{
    return guarded(Phase::opening, nullptr, [&] {
        *session = nullptr;
        Opened opened = g_backend->open(request);
        const OrderedJson folder =
            opened.temporaryFolder.empty() ? OrderedJson(nullptr) : OrderedJson(opened.temporaryFolder);
        send(sink, user, {{"load_ns", opened.loadNanoseconds}, {"notes", opened.notes}, {"temporary_folder", folder}});
        *session = new apertune_session{std::move(opened.session)};
    });
}

apertune_status run(apertune_session* session, std::uint32_t input)
{
    return ran(session, [&] { session->impl->run(input); });
}

apertune_status synchronize(apertune_session* session)
{
    return ran(session, [&] { session->impl->synchronize(); });
}

apertune_status finalize(apertune_session* session)
{
    return ran(session, [&] { session->impl->finalize(); });
}

apertune_status timerStart(apertune_session* session)
{
    return ran(session, [&] { session->impl->startTimer(); });
}

apertune_status timerStop(apertune_session* session, std::uint64_t* nanoseconds)
{
    return ran(session, [&] { *nanoseconds = session->impl->stopTimer(); });
}

apertune_status outputs(apertune_session* session, std::uint32_t input, apertune_tensor_sink sink, void* user)
{
    return ran(session, [&] {
        session->impl->outputs(input,
                               [&](const apertune_tensor* tensors, std::size_t count) { sink(user, tensors, count); });
    });
}

apertune_status resetPeaks(apertune_session* session)
{
    return ran(session, [&] { session->impl->resetPeaks(); });
}

apertune_status report(apertune_session* session, apertune_text_sink sink, void* user)
{
    return ran(session, [&] { send(sink, user, toJson(session->impl->report())); });
}

void lastError(apertune_session*, apertune_text_sink sink, void* user)
{
    if (g_lastFault)
        send(sink, user,
             {{"message", g_lastFault->message}, {"hint", g_lastFault->hint}, {"detail", g_lastFault->detail}});
    else
        send(sink, user, {{"message", "No error."}, {"hint", ""}, {"detail", ""}});
}

apertune_status traceStart(apertune_session* session, const apertune_trace_options* options)
{
    return ran(session, [&] {
        if (g_recorded)
            throw Fault(APERTUNE_BAD_INPUT, "A recording runs already.", "End it before another begins.");
        session->impl->startTrace(*options);
        g_recorded = session;
    });
}

apertune_status traceStop(apertune_session* session, apertune_trace_sink sink, void* user)
{
    return ran(session, [&] {
        if (!session || g_recorded != session)
            throw Fault(APERTUNE_BAD_INPUT, "No recording runs.", "Begin one first.");
        g_recorded = nullptr;
        session->impl->stopTrace(sink, user);
    });
}

void close(apertune_session* session)
{
    ran(nullptr, [&] {
        const std::unique_ptr<apertune_session> owned(session);
        // The recorder refers to the session, so a recording ends with it. Nobody wants its events.
        if (session && session == g_recorded) {
            g_recorded = nullptr;
            session->impl->stopTrace(nullptr, nullptr);
        }
    });
}

apertune_status ceilings(const char* request, apertune_text_sink sink, void* user)
{
    return ran(nullptr, [&] {
        const MeasuredCeilings measured = g_backend->ceilings(request);
        OrderedJson rates = OrderedJson::array();
        for (const CeilingSamples& samples : measured.samples)
            rates.push_back({{"quantity", samples.quantity}, {"how", samples.how}, {"samples", samples.rates}});
        send(sink, user, {{"rates", std::move(rates)}, {"notes", measured.notes}});
    });
}

apertune_status hostMemory(apertune_session* session, std::uint32_t kind, std::uint64_t bytes, void** memory)
{
    return ran(session, [&] { *memory = session->impl->hostMemory(kind, bytes); });
}

apertune_status setSamples(apertune_session* session, std::uint32_t input, const apertune_samples* samples)
{
    return ran(session, [&] { session->impl->setSamples(input, *samples); });
}

apertune_status runKeeping(apertune_session* session, std::uint32_t input)
{
    return ran(session, [&] { session->impl->runKeeping(input); });
}

apertune_status keptOutputs(apertune_session* session, apertune_tensor_sink sink, void* user)
{
    return ran(session, [&] {
        session->impl->keptOutputs(
            [&](const apertune_tensor* tensors, std::size_t count) { sink(user, tensors, count); });
    });
}

constexpr apertune_plugin kPlugin{
    APERTUNE_PLUGIN_ABI_VERSION,
    sizeof(apertune_plugin),
    describe,
    open,
    run,
    synchronize,
    finalize,
    timerStart,
    timerStop,
    outputs,
    resetPeaks,
    report,
    lastError,
    close,
    traceStart,
    traceStop,
    ceilings,
    hostMemory,
    setSamples,
    runKeeping,
    keptOutputs,
};

[[noreturn]] void noSamples()
{
    throw Fault(APERTUNE_UNSUPPORTED, "This backend does not take samples of its caller's.", "Use another backend.");
}

} // namespace

void Session::Freed::operator()(void* memory) const
{
    std::free(memory); // NOLINT: aligned memory
}

void* Session::hostMemory(std::uint32_t kind, std::uint64_t bytes)
{
    if (kind != APERTUNE_PAGEABLE)
        throw Fault(APERTUNE_UNSUPPORTED, "Only copies to a GPU are made from pinned memory.",
                    "Use pageable memory on this device.");
    constexpr std::uint64_t kAlignment = 64; // size of a cache line, and of the widest vector register
    void* memory = std::aligned_alloc(kAlignment, (bytes / kAlignment + 1) * kAlignment);
    if (!memory)
        throw std::bad_alloc();
    m_hostMemory.emplace_back(memory);
    return memory;
}

void Session::setSamples(std::uint32_t, const apertune_samples&)
{
    noSamples();
}

void Session::runKeeping(std::uint32_t)
{
    noSamples();
}

void Session::keptOutputs(const TensorSink&)
{
    noSamples();
}

const InputSpec& checkedSamples(const apertune_samples& samples, const std::vector<InputSpec>& inputs,
                                std::int64_t batch)
{
    if (samples.kind != APERTUNE_SAMPLE_VALUES)
        throw Fault(APERTUNE_UNSUPPORTED, "This backend does not prepare pixels on the device.",
                    "Let the host prepare them.");
    if (samples.port >= inputs.size() || samples.count > static_cast<std::uint64_t>(batch))
        throw Fault(APERTUNE_BAD_INPUT, "There is no such input, or it takes fewer samples.", "Please report it.");
    const InputSpec& input = inputs[samples.port];
    if (input.batchDim != 0)
        throw Fault(APERTUNE_UNSUPPORTED, "The input " + input.name + " has no batch dimension in front.",
                    "Use a model that takes batches of images.");
    return input;
}

void noKeptOutputs()
{
    throw Fault(APERTUNE_BAD_INPUT, "No pass kept its outputs.", "Run one first.");
}

MeasuredCeilings Backend::ceilings(const char*)
{
    throw Fault(APERTUNE_UNSUPPORTED, "This backend does not measure what a device reaches.",
                "Use the libtorch backend for it.");
}

const apertune_plugin* entry(Backend& backend)
{
    g_backend = &backend;
    return &kPlugin;
}

std::string shortened(std::string_view text)
{
    // Both ends are kept, because some engines state the cause first and others last.
    constexpr std::size_t kMost = 4000;
    if (text.size() <= kMost)
        return std::string(text);
    return std::string(text.substr(0, kMost / 2)) + "\n…\n" + std::string(text.substr(text.size() - kMost / 2));
}

std::string cpuName()
{
    std::ifstream stream("/proc/cpuinfo");
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with("model name"))
            if (const std::size_t colon = line.find(": "); colon != std::string::npos)
                return line.substr(colon + 2);
    return "CPU";
}

std::filesystem::path cacheFolder(const std::string& engine)
{
    const char* xdg = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    const std::filesystem::path base = xdg && *xdg ? xdg : std::filesystem::path(home ? home : "/tmp") / ".cache";
    return base / "apertune" / engine;
}

} // namespace apertune::plugins
