// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"
#include "plugins/onnxruntime/engine.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace apertune::ort {

/// An operator that ran.
struct NodeRun
{
    std::int64_t start = 0;    ///< nanoseconds of CLOCK_MONOTONIC; the engine's clock ticks in microseconds
    std::int64_t duration = 0; ///< nanoseconds
    std::uint32_t thread = 0;
    std::string op;       ///< "Conv"
    std::string name;     ///< "/layer1/conv"; may be empty
    std::string provider; ///< "CPUExecutionProvider"
    std::string shapes;   ///< of the inputs: "[[1, 3, 224, 224], [64, 3, 7, 7]]"
};

struct Profile
{
    std::vector<NodeRun> nodes; ///< of a thread in the order in which they ended
    std::uint64_t lost = 0;     ///< entries that could not be read
};

/// A second session of the same model that records what it does. It exists only while something is recorded or looked
/// at: the session that is measured never carries a recorder. Its file lies in a private folder that goes with it.
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

    /// What ran since the warm-up. Ends the recording: called once.
    Profile finish();

private:
    const Library& m_engine;
    std::filesystem::path m_folder;
    std::unique_ptr<Engine> m_loaded;
    std::int64_t m_from = 0;
};

/// Reads the engine's profile. `zero`: CLOCK_MONOTONIC at the profile's time 0; what began before `from` is left out.
Profile readProfile(const std::filesystem::path& file, std::int64_t zero, std::int64_t from);

/// Hands operators over in batches. Those that ran elsewhere than on `provider` say so in their name. Of each thread at
/// most `limit` events (0: all), the rest counts as lost.
void handOver(const Profile& profile, const std::string& provider, const apertune_trace_options& options,
              apertune_trace_sink sink, void* user);

/// Nanoseconds of CLOCK_MONOTONIC.
std::int64_t monotonicNow();

} // namespace apertune::ort
