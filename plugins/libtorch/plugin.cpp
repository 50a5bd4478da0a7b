// SPDX-License-Identifier: GPL-3.0-or-later
// The C boundary: JSON and status codes outside, Session and exceptions inside.
#include "plugins/api/apertune_plugin.h"
#include "plugins/libtorch/ceilings.h"
#include "plugins/libtorch/fault.h"
#include "plugins/libtorch/request.h"
#include "plugins/libtorch/session.h"
#include "plugins/libtorch/torch_ops.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <utility>

struct apertune_session
{
    std::unique_ptr<apertune::libtorch::Session> impl;
};

namespace {

using namespace apertune::libtorch;
using Json = nlohmann::ordered_json;

/// All calls come from one thread, and last_error() speaks of the last call: one is enough for all sessions.
std::optional<Fault> g_lastFault;

void send(apertune_text_sink sink, void* user, const Json& json)
{
    // A path or a message of the system may hold any bytes; what leaves here is UTF-8.
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (sink)
        sink(user, text.data(), text.size());
}

/// What the session knows about a failure that its exception did not say.
void improve(Fault& fault, const Session& session)
{
    if (session.allocationFailed())
        fault = {APERTUNE_OUT_OF_MEMORY, "Memory ran out while the model was running.",
                 "Use a smaller batch or a 16-bit precision, or free memory on the device.", fault.detail};
    else if (std::string advice = session.adviceOnFailure(); !advice.empty())
        fault.hint = std::move(advice);
}

template <typename Body>
apertune_status guarded(Phase phase, const apertune_session* session, Body&& body) noexcept
{
    g_lastFault.reset();
    try {
        body();
        return APERTUNE_OK;
    } catch (...) {
        Fault fault = classify(std::current_exception(), phase);
        if (fault.status == APERTUNE_MODEL_THREW && session && session->impl)
            improve(fault, *session->impl);
        const apertune_status status = fault.status;
        g_lastFault = std::move(fault);
        return status;
    }
}

Json toJson(const DeviceInfo& device)
{
    Json json{{"id", device.id}, {"name", device.name}};
    if (device.memoryBytes > 0)
        json["memory_bytes"] = device.memoryBytes;
    for (const auto& [key, value] : {std::pair{"capability", device.capability}, std::pair{"uuid", device.uuid},
                                     std::pair{"driver", device.driver}})
        if (!value.empty())
            json[key] = value;
    return json;
}

Json toJson(const std::optional<std::int64_t>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json toJson(const Report& report)
{
    Json applied = Json::array();
    for (const Applied& line : report.applied)
        applied.push_back({{"switch", line.name}, {"state", line.state}, {"evidence", line.evidence}});
    return {
        {"applied", std::move(applied)},
        {"memory",
         {{"allocator_peak", toJson(report.memory.allocatorPeak)}, {"device_peak", toJson(report.memory.devicePeak)}}},
        {"notes", report.notes}};
}

apertune_status describe(apertune_text_sink sink, void* user)
{
    return guarded(Phase::describing, nullptr, [&] {
        const BackendInfo info = describeBackend();
        Json devices = Json::array();
        for (const DeviceInfo& device : info.devices)
            devices.push_back(toJson(device));
        send(sink, user,
             {{"name", "libtorch"},
              {"version", info.version},
              {"formats", {"torchscript", "aoti"}},
              {"switches", knownSwitches()},
              {"precisions", {"fp32", "tf32", "bf16", "fp16"}},
              {"devices", std::move(devices)},
              {"notes", info.notes}});
    });
}

apertune_status open(const char* request, apertune_session** session, apertune_text_sink sink, void* user)
{
    return guarded(Phase::opening, nullptr, [&] {
        *session = nullptr;
        Opened opened = openSession(parseRequest(request));
        const Json folder = opened.temporaryFolder.empty() ? Json(nullptr) : Json(opened.temporaryFolder);
        send(sink, user, {{"load_ns", opened.loadNanoseconds}, {"notes", opened.notes}, {"temporary_folder", folder}});
        *session = new apertune_session{std::move(opened.session)};
    });
}

apertune_status run(apertune_session* session, uint32_t input)
{
    return guarded(Phase::running, session, [&] { session->impl->run(input); });
}

apertune_status synchronize(apertune_session* session)
{
    return guarded(Phase::running, session, [&] { session->impl->synchronize(); });
}

apertune_status finalize(apertune_session* session)
{
    return guarded(Phase::running, session, [&] { session->impl->finalize(); });
}

apertune_status deviceTimerStart(apertune_session* session)
{
    return guarded(Phase::running, session, [&] { session->impl->startTimer(); });
}

apertune_status deviceTimerStop(apertune_session* session, uint64_t* nanoseconds)
{
    return guarded(Phase::running, session, [&] { *nanoseconds = session->impl->stopTimer(); });
}

apertune_status outputs(apertune_session* session, uint32_t input, apertune_tensor_sink sink, void* user)
{
    return guarded(Phase::running, session, [&] {
        session->impl->outputs(input,
                               [&](const apertune_tensor* tensors, std::size_t count) { sink(user, tensors, count); });
    });
}

apertune_status resetPeaks(apertune_session* session)
{
    return guarded(Phase::running, session, [&] { session->impl->resetPeaks(); });
}

apertune_status report(apertune_session* session, apertune_text_sink sink, void* user)
{
    return guarded(Phase::running, session, [&] { send(sink, user, toJson(session->impl->report())); });
}

void lastError(apertune_session*, apertune_text_sink sink, void* user)
{
    if (g_lastFault)
        send(sink, user,
             {{"message", g_lastFault->message}, {"hint", g_lastFault->hint}, {"detail", g_lastFault->detail}});
    else
        send(sink, user, {{"message", "No error."}, {"hint", ""}, {"detail", ""}});
}

/// The recording is the process's; the session it was begun for ends it at the latest.
const apertune_session* g_recorded = nullptr;

apertune_status traceStart(apertune_session* session, const apertune_trace_options* options)
{
    return guarded(Phase::running, session, [&] {
        torch_ops::start(*options);
        g_recorded = session;
    });
}

apertune_status traceStop(apertune_session* session, apertune_trace_sink sink, void* user)
{
    return guarded(Phase::running, session, [&] {
        g_recorded = nullptr;
        torch_ops::stop(sink, user);
    });
}

void close(apertune_session* session)
{
    guarded(Phase::running, nullptr, [&] {
        if (session && session == g_recorded && torch_ops::running())
            torch_ops::stop(nullptr, nullptr);
        delete session;
    });
}

apertune_status ceilings(const char* request, apertune_text_sink sink, void* user)
{
    return guarded(Phase::running, nullptr, [&] {
        const MeasuredCeilings measured = measureCeilings(parseCeilingRequest(request));
        Json rates = Json::array();
        for (const CeilingSamples& samples : measured.samples)
            rates.push_back({{"quantity", samples.quantity}, {"how", samples.how}, {"samples", samples.rates}});
        send(sink, user, {{"rates", std::move(rates)}, {"notes", measured.notes}});
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
    deviceTimerStart,
    deviceTimerStop,
    outputs,
    resetPeaks,
    report,
    lastError,
    close,
    traceStart,
    traceStop,
    ceilings,
};

} // namespace

const apertune_plugin* apertune_plugin_entry()
{
    return &kPlugin;
}
