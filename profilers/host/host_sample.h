// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/package_energy.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::profilers {

/// The operating system's counters at one instant. Cumulative counters are stored unchanged, so a rate needs two
/// samples. A counter that cannot be read is empty.
struct HostSample
{
    base::Nanoseconds time{};                    ///< CLOCK_MONOTONIC
    std::optional<std::int64_t> residentBytes{}; ///< memory of this process
    base::Nanoseconds cpu{};                     ///< CPU time of this process without the sampling thread
    std::int64_t voluntarySwitches = 0;          ///< context switches of all threads of this process
    std::int64_t involuntarySwitches = 0;
    std::optional<std::int64_t> stealTicks{};        ///< time that the hypervisor gave to other machines (steal)
    std::optional<std::int64_t> allTicks{};          ///< time of the whole machine
    std::optional<std::int64_t> megahertz{};         ///< mean of the processors that this process may use
    std::optional<std::int64_t> energyMicrojoules{}; ///< energy of all processor packages since the first sample
};

/// Reads samples. Files stay open, so that reading one takes a few microseconds. One thread may use it.
class HostReader
{
public:
    /// `root` is the folder that holds proc and sys; tests give a folder of their own.
    explicit HostReader(const std::filesystem::path& root = "/");
    ~HostReader();
    HostReader(const HostReader&) = delete;
    HostReader& operator=(const HostReader&) = delete;

    HostSample read();

    /// Returns one message for each series that will be missing, with the reason. Empty when everything can be read.
    const std::vector<base::Message>& missing() const { return m_missing; }

private:
    std::string contentOf(int file);

    int m_statm = -1;
    int m_stat = -1;
    std::vector<int> m_frequencies;
    base::PackageEnergy m_packages;
    std::vector<base::Message> m_missing;
    std::string m_buffer;
};

/// Adds the counter series of consecutive samples, each on its own track: resident memory (B), CPU use (% of one
/// processor), voluntary and involuntary context switches (1/s), steal time (% of the machine), clock (MHz), power
/// (mW). A rate is the mean of an interval and has the time of its end. Series without values are left out.
void addHostCounters(trace::TraceBuilder& into, const std::vector<HostSample>& samples);

} // namespace apertune::profilers
