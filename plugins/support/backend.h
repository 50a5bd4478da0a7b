// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"
#include "plugins/support/artifact.h"
#include "plugins/support/fault.h"
#include "plugins/support/report.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A C++ form of the C boundary of plugins/api. A backend derives two classes and exports entry(). JSON, status codes
/// and the last error are made here, and no exception leaves the plugin. All calls come from one thread.
namespace apertune::plugins {

/// One model made ready for one configuration on one device. The functions are those of apertune_plugin.h. Every
/// function may throw.
class Session
{
public:
    using TensorSink = std::function<void(const apertune_tensor*, std::size_t)>;

    virtual ~Session() = default;

    virtual void run(std::uint32_t input) = 0;
    virtual void synchronize() {}
    virtual void finalize() {}
    virtual void startTimer() {}
    virtual std::uint64_t stopTimer() { return 0; } ///< nanoseconds of the device's clock; 0 without one
    virtual void outputs(std::uint32_t input, const TensorSink& sink) = 0;
    virtual void resetPeaks() {}
    virtual Report report() = 0;

    /// Adds facts that only the session knows to a fault of a run.
    virtual void improve(Fault&) const {}

    // Passes over the caller's samples. A backend that overrides one of these overrides all but hostMemory().
    /// The default hands out pageable memory and throws Fault UNSUPPORTED for pinned.
    virtual void* hostMemory(std::uint32_t kind, std::uint64_t bytes);
    virtual void setSamples(std::uint32_t input, const apertune_samples& samples);
    virtual void runKeeping(std::uint32_t input);
    virtual void keptOutputs(const TensorSink& sink);

    /// Begins to record.
    ///
    /// REQUIRES: no recording of this process runs.
    virtual void startTrace(const apertune_trace_options& options) = 0;
    /// Ends the recording. A null sink discards it.
    ///
    /// REQUIRES: this session's recording runs.
    virtual void stopTrace(apertune_trace_sink sink, void* user) = 0;

private:
    struct Freed
    {
        void operator()(void* memory) const;
    };
    std::vector<std::unique_ptr<void, Freed>> m_hostMemory;
};

/// Checks the arguments of setSamples() and returns the input. Throws Fault unless the samples are values for an
/// existing input and their first dimension is at most `batch`.
const InputSpec& checkedSamples(const apertune_samples& samples, const std::vector<InputSpec>& inputs,
                                std::int64_t batch);
[[noreturn]] void noKeptOutputs();

struct Opened
{
    std::unique_ptr<Session> session;
    std::uint64_t loadNanoseconds = 0;
    std::vector<std::string> notes;
    std::string temporaryFolder; ///< folder that the backend unpacked and removes on close(); empty: none
};

struct DeviceInfo
{
    std::string id; ///< "cpu", "cuda:0", "xpu:0"; see apertune_plugin.h
    std::string name;
    std::int64_t memoryBytes = 0; ///< 0: unknown
    std::string capability;       ///< "9.0"; empty on a CPU
    std::string uuid;
    std::string driver;
    std::vector<std::string> precisions{}; ///< precisions in which it computes; empty: those of the backend
};

/// The answer of describe().
struct Description
{
    std::string name;
    std::string version;
    std::vector<std::string> formats;
    std::vector<std::string> switches;
    std::map<std::string, std::string> summaries; ///< one line for each switch that is the backend's own
    /// The switches that are on at each level; empty: the levels are those of core/model/switches.h.
    std::vector<std::pair<std::string, std::vector<std::string>>> levels;
    std::vector<std::string> precisions;
    std::vector<DeviceInfo> devices;
    std::vector<std::string> notes;
};

/// Rates of one quantity, one for each block; see ceilings() of apertune_plugin.h.
struct CeilingSamples
{
    std::string quantity;
    std::string how;
    std::vector<double> rates;
};

struct MeasuredCeilings
{
    std::vector<CeilingSamples> samples;
    std::vector<std::string> notes;
};

class Backend
{
public:
    virtual ~Backend() = default;

    virtual Description describe() = 0;
    virtual Opened open(const char* request) = 0;

    /// Returns the fault for an exception that is no Fault.
    virtual Fault classify(std::exception_ptr error, Phase phase) = 0;

    /// Measures the rates that the device reaches. The default throws Fault UNSUPPORTED.
    virtual MeasuredCeilings ceilings(const char* request);
};

/// Returns the function table of the plugin, whose functions call `backend`.
/// REQUIRES: `backend` lives as long as the library. A library has one backend.
const apertune_plugin* entry(Backend& backend);

/// Shortens a text to a few thousand bytes. Both ends are kept, because the cause may be at either.
std::string shortened(std::string_view text);

/// Returns the processor's name in /proc/cpuinfo: "AMD EPYC 7543".
std::string cpuName();

/// Returns the folder for files that an engine derives from models, below the user's cache folder. It may not exist
/// yet.
std::filesystem::path cacheFolder(const std::string& engine);

} // namespace apertune::plugins
