// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/allocation_difference.h"
#include "core/analysis/layer_difference.h"
#include "core/model/measurement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::analysis {

/// A trace that is compared with another one.
/// REQUIRES: what it refers to outlives the comparison.
struct ComparedTrace
{
    const TraceIndex& index;
    const OperatorForest& forest;
    const Iterations& iterations;
    /// Every time and count is divided by it: the batch size, where sides are compared per sample.
    double samples = 1;
};

/// A part of the difference between two traces. Parts with the same names on both sides are one part. All times are
/// nanoseconds of an iteration (of a sample, where ComparedTrace::samples is not 1).
struct DifferencePart
{
    DifferenceKind kind = DifferenceKind::sameWork;
    std::vector<NamedWork> a;         ///< empty when added
    std::vector<NamedWork> b;         ///< empty when removed; as `a` when the work is the same
    std::string origin;               ///< the operator that the work belongs to, when it is one operator on both sides
    OpClass opClass = OpClass::other; ///< class of the work with the most time
    std::optional<IdleCause> cause;   ///< set for idle time of a device
    std::optional<HostGap> gap;       ///< set for time of a host outside of operators
    bool unrecorded = false; ///< time that wrappers of a host's operators spend in themselves: fused or compiled work
    std::int64_t places = 0; ///< places of an iteration that were merged
    model::Interval timeA;
    model::Interval timeB;
    model::Interval change; ///< timeB − timeA; negative: B is faster here
};

/// One side of a difference.
struct DifferenceSide
{
    bool onDevice = false;   ///< true: compares work of a device; false: operators of the host's busiest thread
    std::int64_t device = 0; ///< id
    IterationSource source = IterationSource::none;
    std::size_t iterations = 0; ///< steady iterations that count; 1 when the recording shows none and counts as a whole
    double works = 0;           ///< kernels, copies and fills (operators of a host) in an iteration
    double unrecorded = 0;      ///< ns of an iteration of a host in parts that are `unrecorded` and outside operators
    model::Interval time;       ///< an iteration takes so long
};

/// The difference of the time of an iteration of two traces, split into parts.
///  - The parts add up to `change`, but for a nanosecond of rounding.
///  - Intervals are Student's for the difference of two means (Welch, "The generalization of 'Student's' problem",
///    Biometrika 34, 1947), over the iterations of each recording. They do not hold what differs between two recordings
///    of the same program. With a single iteration there is no interval (confidence 0).
struct TraceDifference
{
    DifferenceSide a;
    DifferenceSide b;
    model::Interval change;            ///< time of B − time of A
    std::vector<DifferencePart> parts; ///< sorted by the size of their change, largest first
    /// Time of work that is equal (name, shapes and operator), B over A. Away from 1, the machine itself differs
    /// (clock, other programs, another device) or the values that it works on. Empty where less than a fifth of the
    /// work is equal, where it has fewer than eight places, or where these disagree.
    std::optional<model::Interval> sameWorkRatio;
    /// Share of the time of works of A whose place B has, too: the same work, or another for the same operator or
    /// product. A small share means that the traces are of different programs.
    double matchedShare = 0;
    std::vector<DifferenceLayer> layers; ///< in the order of an iteration; their changes are those of all works
    /// Allocations of the device whose work is compared, or of the host. They are empty unless both are of a device or
    /// both of a host.
    AllocationDifference allocations;

    /// Returns the part of `change` that has no recorded cause, in ns:
    ///  - the work that is `unrecorded`, and kUnrecordedWork that takes the place of no recorded work;
    ///  - idle time of unknown cause;
    ///  - time outside of works, idle time and gaps of the host.
    double residual() const;
};

/// Compares the steady iterations of two traces (kMostIterations at most). Pure; O(n log n) in the events plus the
/// product of the numbers of works in an iteration of each.
///
/// Where the time of a side goes. Every instant of an iteration belongs to one work or is idle:
///  - The device is the one with the most work. While several works run at once, the time belongs to kernels before
///    copies and to copies before fills, and among equals to the one that began first.
///  - Idle time is split by deviceUse().
///  - Without a device, the time belongs to the outermost operators of the busiest thread that are no mere wrappers
///    (their class is known, or nothing is below them). What wrappers spend in themselves, in views and in allocations
///    is unrecorded work, and so are gaps in which the thread allocates tensors. The rest is idle, split by HostGap.
///
/// How works are matched. The most frequent sequence of works stands for the iterations of a side; work that others
/// have besides is added at its end. Of two sequences, align() finds the works that take the same place: same name
/// before same operator and shapes, before same short name, before products of one class.
///  - Matched works of one short name are the same work.
///  - Products of a host that are left over are matched by the shapes of their inputs, whatever their order.
///  - Matched works of one operator, and matched products, convolutions and attention, are replaced one for one.
///  - What lies between two such pairs is replaced as a whole where both sides have work, and class by class where they
///    have much. What one side has alone is removed or added.
TraceDifference compareTraces(const ComparedTrace& a, const ComparedTrace& b);

/// A step from the time of A to the time of B: all parts of one kind and class, or of one cause. The changes of all
/// steps add up to the difference. Where equal work takes sameWorkRatio times as long, that share of all work of B is a
/// step of its own (`machine`), and the steps of work are what remains: timeB / sameWorkRatio − timeA. This separates
/// the speed of the machine from the program.
struct DifferenceStep
{
    DifferenceKind kind = DifferenceKind::sameWork;
    OpClass opClass = OpClass::other; ///< not of idle time
    std::optional<IdleCause> cause;
    std::optional<HostGap> gap;
    bool unrecorded = false; ///< all of it, whatever the kind
    bool machine = false;    ///< equal work takes another time: clock, threads, another device, other programs
    model::Interval change;
};
/// How far sameWorkRatio may lie from 1 on machines that run equally fast.
inline constexpr double kEqualMachines = 0.01;
/// Whether equal work surely takes another time in B than in A.
bool machineDiffers(const TraceDifference& difference);
/// Returns the steps, largest first.
std::vector<DifferenceStep> differenceSteps(const TraceDifference& difference);

/// Returns the sum of two independent values: the squares of the distances to their ends add up.
model::Interval sumOfIndependent(const model::Interval& a, const model::Interval& b);

} // namespace apertune::analysis
