// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"
#include "plugins/fake/script.h"

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace fake {

/// A failure that the backend reports through a status.
struct Failed : std::runtime_error
{
    Failed(apertune_status s, const std::string& message) : std::runtime_error(message), status(s) {}
    apertune_status status;
};

/// A model that only waits, returns made-up outputs, and fails as its script says.
class Session
{
public:
    /// Sleeps for the load time. Throws Failed.
    Session(std::filesystem::path artifact, Configuration configuration);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();

    void run();
    void synchronize();
    void finalize() { strike("finalize"); }
    void outputs(std::uint32_t input, apertune_tensor_sink sink, void* user);
    // Passes over the caller's samples. The answer for a sample is class round(|first value| × 1000), modulo the
    // classes.
    void* hostMemory(std::uint32_t kind, std::uint64_t bytes);
    void setSamples(std::uint32_t input, const apertune_samples& samples);
    void runKeeping(std::uint32_t input);
    void keptOutputs(apertune_tensor_sink sink, void* user);
    std::string report(); ///< JSON
    void startTimer() { m_deviceNs = 0; }
    std::uint64_t stopTimer();

    // While a recording runs, each pass adds the scripted operators, one after the other, in their shares of its time.
    void startTrace(const apertune_trace_options& options);
    void stopTrace(apertune_trace_sink sink, void* user);

private:
    void handOut(std::uint32_t input, const std::vector<float>& scores, apertune_tensor_sink sink, void* user);
    void record(std::int64_t begin, std::int64_t end);
    void strike(const std::string& place);
    void unpack();
    std::vector<float> logits(std::uint32_t input) const;

    Configuration m_configuration;
    Script m_script;
    std::map<std::string, std::int64_t> m_passed;
    std::mt19937_64 m_random{17};
    double m_factor = 1; ///< process noise of this session, a factor
    double m_wander = 0; ///< state of the slow noise, in units of its spread
    std::uint64_t m_deviceNs = 0;
    bool m_nan = false;
    std::vector<std::unique_ptr<void, void (*)(void*)>> m_hostMemory;
    std::map<std::uint32_t, std::vector<float>> m_given; ///< the first value of each sample, by input set
    std::optional<std::uint32_t> m_kept;
    std::filesystem::path m_unpacked;
    void* m_library = nullptr;
    bool m_tracing = false;
    apertune_trace_options m_traceOptions{};
    std::vector<apertune_trace_event> m_events;
    std::uint64_t m_lost = 0;
};

} // namespace fake
