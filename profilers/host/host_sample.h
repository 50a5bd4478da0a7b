// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::profilers {

/// The operating system's counters at one instant. Those that only grow are as the system gives them; rates are made
/// of two samples. What cannot be read is empty.
struct HostSample
{
    base::Nanoseconds time{};                    ///< CLOCK_MONOTONIC
    std::optional<std::int64_t> residentBytes{}; ///< of this process
    base::Nanoseconds cpu{};                     ///< of this process without the thread that samples
    std::int64_t voluntarySwitches = 0;          ///< of this process, all threads
    std::int64_t involuntarySwitches = 0;
    std::optional<std::int64_t> stealTicks{};        ///< of the whole machine: taken by the hypervisor
    std::optional<std::int64_t> allTicks{};          ///< of the whole machine
    std::optional<std::int64_t> megahertz{};         ///< mean of the processors that this process may use
    std::optional<std::int64_t> energyMicrojoules{}; ///< of all processor packages; wraps around
};

/// Reads samples. Files are opened once and read again, a few microseconds each. One thread.
class HostReader
{
public:
    /// `root` stands before /proc and /sys; tests give a folder of their own.
    explicit HostReader(const std::filesystem::path& root = "/");
    ~HostReader();
    HostReader(const HostReader&) = delete;
    HostReader& operator=(const HostReader&) = delete;

    HostSample read();

    /// Why a series will be missing, a sentence each; empty when everything can be read.
    const std::vector<std::string>& missing() const { return m_missing; }

private:
    std::string contentOf(int file);

    int m_statm = -1;
    int m_stat = -1;
    std::vector<int> m_frequencies;
    std::vector<int> m_energies;
    std::vector<std::string> m_missing;
    std::string m_buffer;
};

/// The counter series of a stretch of samples, each on a track of its own: resident memory (B), CPU use (% of one
/// processor), context switches of both sorts (1/s), stolen time (% of the machine), clock (MHz), power (mW). A rate
/// stands at the end of the interval that it is the mean of. Series without values are left out.
void addHostCounters(trace::TraceBuilder& into, const std::vector<HostSample>& samples);

} // namespace apertune::profilers
