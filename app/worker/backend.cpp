// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/backend.h"

#include "app/worker/program_errors.h"
#include "core/base/json_members.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <utility>

namespace apertune::worker {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

void appendText(void* user, const char* text, std::size_t size)
{
    static_cast<std::string*>(user)->append(text, size);
}

ErrorCode codeOf(apertune_status status)
{
    switch (status) {
    case APERTUNE_BAD_INPUT:
        return ErrorCode::invalidArgument;
    case APERTUNE_UNSUPPORTED:
        return ErrorCode::unsupported;
    case APERTUNE_OUT_OF_MEMORY:
        return ErrorCode::outOfMemory;
    case APERTUNE_MODEL_THREW:
        return ErrorCode::modelThrew;
    case APERTUNE_DEVICE_LOST:
        return ErrorCode::crashed;
    default:
        return ErrorCode::internal;
    }
}

Error lastError(const apertune_plugin& plugin, apertune_session* session, apertune_status status)
{
    std::string text;
    // The text is asked for at once: the next call of the plugin may replace it.
    plugin.last_error(session, appendText, &text);
    const Json json = Json::parse(text, nullptr, false);
    Error error{codeOf(status), base::message<program_errors::kBackendSaysNothing>(static_cast<std::int64_t>(status)),
                text, base::message(program_errors::kSeeLog)};
    // A backend that gave no JSON still gave a text, which is kept as the context.
    if (!json.is_object())
        return error;
    if (base::Message reason = base::foreignText(base::textMember(json, "message")); !reason.empty())
        error.message = std::move(reason);
    error.hint = base::foreignText(base::textMember(json, "hint"));
    error.context = base::textMember(json, "detail");
    return error;
}

base::Result<Json> parseAnswer(const std::string& text, const char* call)
{
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return Error{ErrorCode::internal, base::message<program_errors::kAnswerIsNoObject>(std::string(call)),
                     text.substr(0, 200), base::message(program_errors::kBackendBroken)};
    return json;
}

} // namespace

Session::Session(Session&& other) noexcept
    : m_plugin(other.m_plugin), m_session(std::exchange(other.m_session, nullptr))
{
}

Session::~Session()
{
    m_plugin->close(m_session);
}

Error Session::error(apertune_status status)
{
    return lastError(*m_plugin, m_session, status);
}

base::Status Session::finalize()
{
    const apertune_status status = m_plugin->finalize(m_session);
    return status == APERTUNE_OK ? base::Status{} : error(status);
}

base::Status Session::resetPeaks()
{
    const apertune_status status = m_plugin->reset_peaks(m_session);
    return status == APERTUNE_OK ? base::Status{} : error(status);
}

base::Result<Json> Session::report()
{
    std::string text;
    const apertune_status status = m_plugin->report(m_session, appendText, &text);
    if (status != APERTUNE_OK)
        return error(status);
    return parseAnswer(text, "report");
}

base::Status Session::outputs(std::uint32_t input, const std::function<void(std::span<const apertune_tensor>)>& sink)
{
    const auto forward = [](void* user, const apertune_tensor* tensors, std::size_t count) {
        (*static_cast<const std::function<void(std::span<const apertune_tensor>)>*>(user))({tensors, count});
    };
    // The C interface takes a plain pointer. The function is not changed through it.
    void* user = const_cast<std::function<void(std::span<const apertune_tensor>)>*>(&sink);
    const apertune_status status = m_plugin->outputs(m_session, input, forward, user);
    return status == APERTUNE_OK ? base::Status{} : error(status);
}

bool Session::takesSamples() const
{
    // An older plugin has a shorter table, so a member may be read only if the table is long enough.
    return m_plugin->struct_size >= offsetof(apertune_plugin, kept_outputs) + sizeof m_plugin->kept_outputs &&
           m_plugin->host_memory && m_plugin->set_samples && m_plugin->run_keeping && m_plugin->kept_outputs;
}

base::Result<void*> Session::hostMemory(std::uint32_t kind, std::uint64_t bytes)
{
    void* memory = nullptr;
    if (const apertune_status status = m_plugin->host_memory(m_session, kind, bytes, &memory); status != APERTUNE_OK)
        return error(status);
    return memory;
}

base::Status Session::setSamples(std::uint32_t input, const apertune_samples& samples)
{
    const apertune_status status = m_plugin->set_samples(m_session, input, &samples);
    return status == APERTUNE_OK ? base::Status{} : error(status);
}

base::Status Session::runKeeping(std::uint32_t input)
{
    const apertune_status status = m_plugin->run_keeping(m_session, input);
    return status == APERTUNE_OK ? base::Status{} : error(status);
}

base::Status Session::keptOutputs(const std::function<void(std::span<const apertune_tensor>)>& sink)
{
    const auto forward = [](void* user, const apertune_tensor* tensors, std::size_t count) {
        (*static_cast<const std::function<void(std::span<const apertune_tensor>)>*>(user))({tensors, count});
    };
    void* user = const_cast<std::function<void(std::span<const apertune_tensor>)>*>(&sink);
    const apertune_status status = m_plugin->kept_outputs(m_session, forward, user);
    return status == APERTUNE_OK ? base::Status{} : error(status);
}

bool Session::canTrace() const
{
    return m_plugin->struct_size >= offsetof(apertune_plugin, trace_stop) + sizeof m_plugin->trace_stop &&
           m_plugin->trace_start && m_plugin->trace_stop;
}

base::Status Session::startTrace(const apertune_trace_options& options)
{
    const apertune_status status = m_plugin->trace_start(m_session, &options);
    return status == APERTUNE_OK ? base::Status{} : error(status);
}

base::Status Session::stopTrace(const std::function<void(const apertune_trace_batch&)>& sink)
{
    const auto forward = [](void* user, const apertune_trace_batch* batch) {
        (*static_cast<const std::function<void(const apertune_trace_batch&)>*>(user))(*batch);
    };
    void* user = const_cast<std::function<void(const apertune_trace_batch&)>*>(&sink);
    const apertune_status status = m_plugin->trace_stop(m_session, forward, user);
    return status == APERTUNE_OK ? base::Status{} : error(status);
}

base::Result<Json> Backend::describe()
{
    std::string text;
    const apertune_status status = m_plugin->describe(appendText, &text);
    if (status != APERTUNE_OK)
        return lastError(*m_plugin, nullptr, status);
    return parseAnswer(text, "describe");
}

base::Result<Json> Backend::ceilings(const Json& request)
{
    if (m_plugin->struct_size < offsetof(apertune_plugin, ceilings) + sizeof m_plugin->ceilings || !m_plugin->ceilings)
        return Error{ErrorCode::unsupported,
                     base::message(program_errors::kMeasuresNoCeilings),
                     {},
                     base::message(program_errors::kUseLibtorch)};
    std::string text;
    const apertune_status status = m_plugin->ceilings(request.dump().c_str(), appendText, &text);
    if (status != APERTUNE_OK)
        return lastError(*m_plugin, nullptr, status);
    return parseAnswer(text, "ceilings");
}

base::Result<Backend::Opened> Backend::open(const Json& request)
{
    apertune_session* session = nullptr;
    std::string text;
    const apertune_status status = m_plugin->open(request.dump().c_str(), &session, appendText, &text);
    if (status != APERTUNE_OK)
        return lastError(*m_plugin, session, status);
    // The session is owned before its answer is read, so that a bad answer closes it.
    auto owned = std::make_unique<Session>(*m_plugin, session);
    auto info = parseAnswer(text, "open");
    if (!info)
        return info.error();
    return Opened{std::move(owned), std::move(info).value()};
}

} // namespace apertune::worker
