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
    firstCall,       ///< the host prepared code: see first_calls.h
    unknown,         ///< the launching calls were not recorded
};
constexpr std::size_t kIdleCauses = 8;

/// "host_wait", "launch_gap", "synchronization", "copy_wait", "allocation", "device_queue", "first_call",
/// "unknown".
std::string_view toString(IdleCause cause);

/// A pause of the host between two launches that is longer than this (100 µs) is not overhead of the framework.
constexpr std::int64_t kLongPause = 100'000;

/// An idle time of a device, split by cause. The parts add up to its length.
struct Gap
{
    TimeRange time;
    std::array<std::int64_t, kIdleCauses> parts{};
    std::int32_t next = kNone; ///< the work after it, index into TraceIndex::work; kNone at the window's end
    IdleCause main() const;    ///< the largest part
};

/// Use of a device in a window. busy + idle is the length of the window, and the parts of idle add up to idle.
///
/// Busy is the union of the intervals of kernels, copies, memsets and graphs of the device, as in
/// HolisticTraceAnalysis. Synchronisation records are not work.
///
/// Idle time between two pieces of work is attributed to the host thread that launched the second one. A launch has a
/// latency of at most 10 µs after its call.
///
///  * The launch precedes the gap: the latency is launchGap (copyWait for a copy, firstCall for a first call), the rest
///    deviceQueue.
///  * Otherwise, time of the thread within the gap in calls that allocate, wait, copy or prepare code has their causes.
///    The launch call and its latency are launchGap (copyWait, firstCall), the time from there to the work is
///    deviceQueue.
///  * The remainder is launchGap when it is at most kLongPause. A longer remainder is hostWait, except for time in the
///    launching operator and in code that TorchDynamo compiled, which is launchGap.
///  * When a wait, an allocation or a blocking copy was running as the gap began, it had drained the queue. The whole
///    gap has that cause, except for pauses above kLongPause. A copy of at most 1 KiB to the host counts as a wait (the
///    program reads a number), not as a copy.
struct DeviceUse
{
    std::int64_t device = 0;
    TimeRange window;
    std::int64_t busy = 0;
    std::int64_t kernels = 0;       ///< union of kernels and graphs
    std::int64_t copies = 0;        ///< union of copies
    std::int64_t overlapped = 0;    ///< time in which a kernel and a copy run
    std::int64_t exposedCopies = 0; ///< copies while no kernel runs
    std::int64_t communication = 0; ///< part of kernels: union of the kernels of collectives
    /// Part of communication while no other kernel runs: it sends data, or waits for other devices.
    std::int64_t exposedCommunication = 0;
    std::int64_t fills = 0; ///< time in which only memsets run
    std::int64_t idle = 0;
    std::array<std::int64_t, kIdleCauses> idleBy{};
    std::vector<Gap> gaps;           ///< sorted by start
    std::vector<HostBusy> hostBusy;  ///< the activities behind idleBy[hostWait], longest first
    std::int64_t inCompiledCode = 0; ///< part of idleBy[launchGap] that the host spent in compiled code (Inductor)
    TimeRanges busyTimes;            ///< within the window

    /// Returns the time in which a kernel computes.
    std::int64_t computing() const { return kernels - exposedCommunication; }
    double busyShare() const
    {
        return window.length() > 0 ? static_cast<double>(busy) / static_cast<double>(window.length()) : 0;
    }
    /// Returns overlapped / the shorter one of kernels and copies: 1 when the copies are hidden completely; -1 without
    /// kernels or without copies.
    double overlap() const;
};

DeviceUse deviceUse(const TraceIndex& index, const OperatorForest& forest, std::int64_t device, TimeRange window);

} // namespace apertune::analysis
