// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/api/apertune_plugin.h"
#include "plugins/fake/session.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>

struct apertune_session
{
    fake::Session session;
};

namespace {

using Json = nlohmann::json;

std::string g_lastError;

void send(apertune_text_sink sink, void* user, const std::string& text)
{
    sink(user, text.data(), text.size());
}

apertune_status fail(apertune_status status, const std::string& message)
{
    g_lastError = Json{{"message", message}, {"hint", "Change the script."}, {"detail", "fake backend"}}.dump();
    return status;
}

template <typename Work>
apertune_status guarded(Work work)
{
    try {
        work();
        return APERTUNE_OK;
    } catch (const fake::Failed& e) {
        return fail(e.status, e.what());
    } catch (const Json::exception& e) {
        return fail(APERTUNE_BAD_INPUT, std::string("The script or the request is unreadable: ") + e.what());
    } catch (const std::exception& e) {
        return fail(APERTUNE_BAD_INPUT, std::string("The session cannot be opened: ") + e.what());
    }
}

apertune_status describe(apertune_text_sink sink, void* user)
{
    // There is no script before a session, so an environment variable asks for the faults of a broken installation.
    if (const char* fault = std::getenv("APERTUNE_FAKE_DESCRIBE")) {
        if (std::string_view(fault) == "crash")
            std::abort();
        if (std::string_view(fault) == "fail")
            return fail(APERTUNE_INTERNAL, "The fake backend was told to fail.");
        if (std::string_view(fault) == "garbage") {
            send(sink, user, "this is not JSON");
            return APERTUNE_OK;
        }
    }
    return guarded([&] {
        Json json{{"name", "fake"},           {"version", "1"},
                  {"formats", {"fake"}},      {"for_tests", true},
                  {"switches", "all"},        {"precisions", {"fp32", "tf32", "bf16", "fp16", "int8", "fp8"}},
                  {"devices", Json::array()}, {"notes", Json::array()}};
        for (const char* id : {"cpu", "cuda:0", "cuda:1"})
            json["devices"].push_back({{"id", id}, {"name", std::string("fake ") + id}});
        if (const char* further = std::getenv("APERTUNE_FAKE_DEVICE"))
            json["devices"].push_back(
                {{"id", further}, {"name", std::string("fake ") + further}, {"precisions", {"fp32", "fp16"}}});
        send(sink, user, json.dump());
    });
}

apertune_status open(const char* request, apertune_session** session, apertune_text_sink sink, void* user)
{
    return guarded([&] {
        const Json json = Json::parse(request);
        const Json& config = json.at("config");
        fake::Configuration configuration{json.at("device").get<std::string>(), config.at("level").get<std::string>(),
                                          config.at("precision").get<std::string>(),
                                          config.at("batch").get<std::int64_t>(), config.value("threads", 0)};
        for (const auto& [name, on] : config.value("switches", std::map<std::string, bool>()))
            if (on)
                configuration.switches.insert(name);
        if (const auto int8 = config.find("quantization"); int8 != config.end())
            configuration.floatLayers = int8->at("float_layers").size();
        std::unique_ptr<apertune_session> made(
            new apertune_session{fake::Session(json.at("artifact").get<std::string>(), configuration)});
        send(sink, user, Json{{"load_ns", 1000000}, {"notes", Json::array()}}.dump());
        *session = made.release();
    });
}

apertune_status run(apertune_session* session, std::uint32_t)
{
    return guarded([&] { session->session.run(); });
}

apertune_status synchronize(apertune_session* session)
{
    return guarded([&] { session->session.synchronize(); });
}

apertune_status finalize(apertune_session* session)
{
    return guarded([&] { session->session.finalize(); });
}

apertune_status timerStart(apertune_session* session)
{
    return guarded([&] { session->session.startTimer(); });
}

apertune_status timerStop(apertune_session* session, std::uint64_t* ns)
{
    return guarded([&] { *ns = session->session.stopTimer(); });
}

apertune_status outputs(apertune_session* session, std::uint32_t input, apertune_tensor_sink sink, void* user)
{
    return guarded([&] { session->session.outputs(input, sink, user); });
}

apertune_status resetPeaks(apertune_session*)
{
    return APERTUNE_OK;
}

apertune_status report(apertune_session* session, apertune_text_sink sink, void* user)
{
    return guarded([&] { send(sink, user, session->session.report()); });
}

void lastError(apertune_session*, apertune_text_sink sink, void* user)
{
    send(sink, user, g_lastError);
}

void close(apertune_session* session)
{
    delete session;
}

apertune_status traceStart(apertune_session* session, const apertune_trace_options* options)
{
    return guarded([&] { session->session.startTrace(*options); });
}

apertune_status traceStop(apertune_session* session, apertune_trace_sink sink, void* user)
{
    return guarded([&] { session->session.stopTrace(sink, user); });
}

apertune_status ceilings(const char* request, apertune_text_sink sink, void* user)
{
    if (const char* fault = std::getenv("APERTUNE_FAKE_CEILINGS")) {
        if (std::string_view(fault) == "fail")
            return fail(APERTUNE_INTERNAL, "The fake backend was told to fail.");
        if (std::string_view(fault) == "garbage") {
            const std::string_view senseless = R"({"rates":[{"quantity":7},{"quantity":"copy","samples":[]},5]})";
            sink(user, senseless.data(), senseless.size());
            return APERTUNE_OK;
        }
    }
    return guarded([&] {
        const Json json = Json::parse(request);
        Json rates = Json::array();
        double flops = 100e9;
        for (const Json& precision : json.at("precisions")) {
            rates.push_back({{"quantity", precision}, {"how", "made up"}, {"samples", Json::array()}});
            for (int i = -3; i <= 3; ++i)
                rates.back()["samples"].push_back(flops * (1 + 0.01 * i));
            flops *= 2;
        }
        rates.push_back({{"quantity", "copy"}, {"how", "made up"}, {"samples", {9e9, 10e9, 10e9, 10e9, 10e9, 11e9}}});
        send(sink, user, Json{{"rates", rates}, {"notes", Json::array()}}.dump());
    });
}

apertune_status hostMemory(apertune_session* session, std::uint32_t kind, std::uint64_t bytes, void** memory)
{
    return guarded([&] { *memory = session->session.hostMemory(kind, bytes); });
}

apertune_status setSamples(apertune_session* session, std::uint32_t input, const apertune_samples* samples)
{
    return guarded([&] { session->session.setSamples(input, *samples); });
}

apertune_status runKeeping(apertune_session* session, std::uint32_t input)
{
    return guarded([&] { session->session.runKeeping(input); });
}

apertune_status keptOutputs(apertune_session* session, apertune_tensor_sink sink, void* user)
{
    return guarded([&] { session->session.keptOutputs(sink, user); });
}

} // namespace

const apertune_plugin* apertune_plugin_entry(void)
{
    static const apertune_plugin table{
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
    return &table;
}
