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

/// The C boundary of plugins/api in C++ clothes: a backend derives two classes and hands out entry(). JSON, status
/// codes and the last error are made here; nothing that is thrown leaves the plugin. All calls come from one thread.
namespace apertune::plugins {

/// One model made ready for one configuration on one device; the functions are those of apertune_plugin.h. Every
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
    virtual std::uint64_t stopTimer() { return 0; } ///< nanoseconds of the device's clock; 0 where there is none
    virtual void outputs(std::uint32_t input, const TensorSink& sink) = 0;
    virtual void resetPeaks() {}
    virtual Report report() = 0;

    /// What the session knows about a failure of a run that its exception did not say.
    virtual void improve(Fault&) const {}

    // Passes over the caller's samples; a backend that overrides one overrides all but hostMemory().
    /// The default hands out pageable memory and throws Fault UNSUPPORTED for pinned.
    virtual void* hostMemory(std::uint32_t kind, std::uint64_t bytes);
    virtual void setSamples(std::uint32_t input, const apertune_samples& samples);
    virtual void runKeeping(std::uint32_t input);
    virtual void keptOutputs(const TensorSink& sink);

    /// Begins to record. REQUIRES: no recording of this process runs.
    virtual void startTrace(const apertune_trace_options& options) = 0;
    /// Ends the recording; with a null sink it is thrown away. REQUIRES: this session's recording runs.
    virtual void stopTrace(apertune_trace_sink sink, void* user) = 0;

private:
    struct Freed
    {
        void operator()(void* memory) const;
    };
    std::vector<std::unique_ptr<void, Freed>> m_hostMemory;
};

/// For setSamples(): throws Fault unless the samples are values for an existing input whose first dimension is the
/// batch's, no more than `batch`.
const InputSpec& checkedSamples(const apertune_samples& samples, const std::vector<InputSpec>& inputs,
                                std::int64_t batch);
[[noreturn]] void noKeptOutputs();

struct Opened
{
    std::unique_ptr<Session> session;
    std::uint64_t loadNanoseconds = 0;
    std::vector<std::string> notes;
    std::string temporaryFolder; ///< what the backend unpacked and removes on close(); empty: nothing
};

struct DeviceInfo
{
    std::string id; ///< "cpu", "cuda:0", "xpu:0"; see apertune_plugin.h
    std::string name;
    std::int64_t memoryBytes = 0; ///< 0: not said
    std::string capability;       ///< "9.0"; empty on a CPU
    std::string uuid;
    std::string driver;
    std::vector<std::string> precisions{}; ///< that it computes in; empty: the backend's
};

/// What describe() answers.
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

/// Rates of blocks of one quantity; see ceilings() of apertune_plugin.h.
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

    /// The fault that an exception other than Fault stands for.
    virtual Fault classify(std::exception_ptr error, Phase phase) = 0;

    /// What the device really reaches. The default throws Fault UNSUPPORTED.
    virtual MeasuredCeilings ceilings(const char* request);
};

/// The table whose functions call `backend`, which lives as long as the library. One backend a library.
const apertune_plugin* entry(Backend& backend);

/// At most a few thousand bytes of a text, from both ends: the cause may stand at either.
std::string shortened(std::string_view text);

/// "AMD EPYC 7543", from /proc/cpuinfo.
std::string cpuName();

/// The GPUs that the driver shows, asked through the driver's own library, or a note why there are none. Makes no
/// context. Never throws.
void addCudaDevices(Description& info);

/// Where an engine keeps what it made of models: below the user's cache folder. Not made yet.
std::filesystem::path cacheFolder(const std::string& engine);

} // namespace apertune::plugins
