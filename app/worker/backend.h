// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "plugins/api/apertune_plugin.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace apertune::worker {

/// A model opened by a backend: the session functions of plugins/api in C++. All calls come from the measuring thread.
///
/// Failures carry the backend's own message, with the detail in `context`: outOfMemory, modelThrew, invalidArgument,
/// unsupported, crashed (the device is lost) or internal.
class Session
{
public:
    Session(const apertune_plugin& plugin, apertune_session* session) : m_plugin(&plugin), m_session(session) {}
    Session(Session&& other) noexcept;
    Session& operator=(Session&&) = delete;
    ~Session();

    // The hot calls have no Result, so that they cost nothing. For a status other than APERTUNE_OK, ask error(status).
    apertune_status run(std::uint32_t input) { return m_plugin->run(m_session, input); }
    apertune_status synchronize() { return m_plugin->synchronize(m_session); }
    apertune_status startDeviceTimer() { return m_plugin->device_timer_start(m_session); }
    apertune_status stopDeviceTimer(std::uint64_t& ns) { return m_plugin->device_timer_stop(m_session, &ns); }

    base::Status finalize();
    base::Status resetPeaks();
    base::Result<base::Json> report();

    /// Hands the outputs of one input set to `sink`. The tensors live during that call only.
    base::Status outputs(std::uint32_t input, const std::function<void(std::span<const apertune_tensor>)>& sink);

    /// Whether this backend runs passes over samples of the caller. The next four functions REQUIRE it.
    bool takesSamples() const;
    base::Result<void*> hostMemory(std::uint32_t kind, std::uint64_t bytes);
    base::Status setSamples(std::uint32_t input, const apertune_samples& samples);
    base::Status runKeeping(std::uint32_t input);
    base::Status keptOutputs(const std::function<void(std::span<const apertune_tensor>)>& sink);

    /// Whether this backend records operators at all.
    bool canTrace() const;
    /// REQUIRES: canTrace()
    /// REQUIRES: no pass is in flight.
    base::Status startTrace(const apertune_trace_options& options);
    base::Status stopTrace(const std::function<void(const apertune_trace_batch&)>& sink);

    base::Error error(apertune_status status);

private:
    const apertune_plugin* m_plugin;
    apertune_session* m_session;
};

/// A loaded backend. The table is static in its library, which is never unloaded.
class Backend
{
public:
    explicit Backend(const apertune_plugin& plugin) : m_plugin(&plugin) {}

    base::Result<base::Json> describe();

    /// Measures the rates that the device reaches, as apertune_plugin.h says. Failures: unsupported when this backend
    /// does not measure them.
    base::Result<base::Json> ceilings(const base::Json& request);

    struct Opened
    {
        std::unique_ptr<Session> session;
        base::Json info; ///< answer of open(): load_ns, notes
    };
    base::Result<Opened> open(const base::Json& request);

private:
    const apertune_plugin* m_plugin;
};

} // namespace apertune::worker
