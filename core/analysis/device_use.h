// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/host_activity.h"
#include "core/analysis/operator_forest.h"

#include <array>
#include <string_view>
#include <vector>

namespace apertune::analysis {

/// Causes for which a device is idle.
enum class IdleCause : std::uint8_t {
    hostWait,        ///< the host was busy with something else, for more than kLongPause
    launchGap,       ///< the host prepared a launch: overhead of operators, the launch call, its latency
    synchronization, ///< the host had waited for the device and had to start feeding it again
    copyWait,        ///< the host was in a copy call, or started again after one that blocked
    allocation,      ///< the host allocated or released device or pinned memory
    deviceQueue,     ///< work had been launched; the device or another stream held it back
    firstCall,       ///< the host loaded a module, compiled, captured a graph, or launched a kernel for the first time;
                     ///< see first_calls.h
    unknown,         ///< the calls that launched the work were not recorded
};
constexpr std::size_t kIdleCauses = 8;

/// "host_wait", "launch_gap", "synchronization", "copy_wait", "allocation", "device_queue", "first_call",
/// "unknown".
std::string_view toString(IdleCause cause);

/// A pause of the host between two launches longer than this (100 µs) is not the framework's overhead.
constexpr std::int64_t kLongPause = 100'000;

/// An idle time of a device, split by cause. The parts add up to its length.
struct Gap
{
    Interval time;
    std::array<std::int64_t, kIdleCauses> parts{};
    std::int32_t next = kNone; ///< the work that ends it, index into TraceIndex::work; kNone at the window's end
    IdleCause main() const;    ///< the largest part
};

/// Use of a device in a window. busy + idle is the length of the window, and the parts of idle add up to idle.
///
/// Busy is the union of the intervals of kernels, copies, memsets and graphs of the device, as in
/// HolisticTraceAnalysis. Synchronisation records are not work.
///
/// Idle time between two pieces of work is attributed to the host thread that launched the second one:
///   * launched before the gap began: deviceQueue, or launchGap (copyWait, firstCall) until 10 µs after the call, its
///     latency;
///   * otherwise the time that the thread spends within the gap in calls that allocate, wait, copy or prepare code goes
///     to their causes, and the launch call with its latency, at most 10 µs after the call, to launchGap (copyWait for
///     a copy, firstCall for a first call); what is left until the work begins is deviceQueue;
///   * the remainder goes to hostWait when longer than kLongPause, less the time within the operator that launches and
///     within code that TorchDynamo compiled, which is launchGap; a shorter one to launchGap;
///   * when a wait, an allocation or a blocking copy was under way as the gap began, the queue had been drained by it:
///     everything in the gap short of kLongPause goes to that cause. A copy of at most 1 KiB back to the host counts as
///     a wait (reading a number), not as a copy.
struct DeviceUse
{
    std::int64_t device = 0;
    Interval window;
    std::int64_t busy = 0;
    std::int64_t kernels = 0;       ///< union of kernels and graphs
    std::int64_t copies = 0;        ///< union of copies
    std::int64_t overlapped = 0;    ///< time in which a kernel and a copy run
    std::int64_t exposedCopies = 0; ///< copies while no kernel runs
    std::int64_t communication = 0; ///< part of kernels: union of the kernels of collectives
    /// Part of communication while no other kernel runs. Such a kernel sends, or waits for the other devices.
    std::int64_t exposedCommunication = 0;
    std::int64_t fills = 0; ///< time in which only memsets run
    std::int64_t idle = 0;
    std::array<std::int64_t, kIdleCauses> idleBy{};
    std::vector<Gap> gaps;           ///< sorted by start
    std::vector<HostBusy> hostBusy;  ///< the activities behind idleBy[hostWait], longest first
    std::int64_t inCompiledCode = 0; ///< part of idleBy[launchGap] that the host spent in compiled code (Inductor)
    Intervals busyTimes;             ///< within the window

    /// Returns the time in which a kernel computes.
    std::int64_t computing() const { return kernels - exposedCommunication; }
    double busyShare() const
    {
        return window.length() > 0 ? static_cast<double>(busy) / static_cast<double>(window.length()) : 0;
    }
    /// overlapped / the shorter of kernels and copies: 1 when the copies hide completely; -1 without one of them.
    double overlap() const;
};

DeviceUse deviceUse(const TraceIndex& index, const OperatorForest& forest, std::int64_t device, Interval window);

} // namespace apertune::analysis
