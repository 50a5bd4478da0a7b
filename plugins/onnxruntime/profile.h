// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"
#include "plugins/onnxruntime/engine.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace apertune::ort {

/// One run of an operator.
struct NodeRun
{
    std::int64_t start = 0;    ///< nanoseconds of CLOCK_MONOTONIC, with the engine's resolution of one microsecond
    std::int64_t duration = 0; ///< nanoseconds
    std::uint32_t thread = 0;
    std::string op;       ///< "Conv"
    std::string name;     ///< "/layer1/conv"; may be empty
    std::string provider; ///< "CPUExecutionProvider"
    std::string shapes;   ///< shapes of the inputs: "[[1, 3, 224, 224], [64, 3, 7, 7]]"
};

struct Profile
{
    std::vector<NodeRun> nodes; ///< each thread's nodes are in the order in which they ended
    std::uint64_t lost = 0;     ///< entries that could not be read
};

/// A second session of the same model that records a profile. It exists only while something is recorded or inspected,
/// so the measured session never carries a recorder. Its file lies in a private folder that the destructor removes.
class Recorder
{
public:
    /// Loads the model and warms it up.
    Recorder(const Library& engine, const std::filesystem::path& file, const Request& request, const Inputs& inputs,
             std::uint32_t warmUp = 2);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    Engine& engine() { return *m_loaded; }

    /// Ends the recording and returns the operators that ran since the warm-up.
    ///
    /// REQUIRES: it was not called before.
    Profile finish();

private:
    const Library& m_engine;
    std::filesystem::path m_folder;
    std::unique_ptr<Engine> m_loaded;
    std::int64_t m_from = 0;
};

/// Reads the engine's profile. `zero` is CLOCK_MONOTONIC at time 0 of the profile. Operators that began before `from`
/// are left out.
Profile readProfile(const std::filesystem::path& file, std::int64_t zero, std::int64_t from);

/// Passes operators to the sink in batches. The name of an operator that ran on another provider than `provider`
/// contains that provider. At most options.max_events events of each thread are passed (0: all); the rest counts as
/// lost.
void handOver(const Profile& profile, const std::string& provider, const apertune_trace_options& options,
              apertune_trace_sink sink, void* user);

/// Nanoseconds of CLOCK_MONOTONIC.
std::int64_t monotonicNow();

} // namespace apertune::ort
