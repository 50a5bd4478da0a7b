// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"
#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace apertune::analysis {

/// The recording of one rank of a distributed job.
struct RankTrace
{
    std::int64_t rank = 0;
    const TraceIndex* index = nullptr;
    Interval step;              ///< the part to look at: its iterations, or the span of its device's work
    std::int64_t worldSize = 0; ///< number of ranks of the job; 0: unknown
};

/// One collective over all ranks. Vectors have an entry for each rank, in the order of RankComparison::ranks.
struct Collective
{
    std::string kind;                ///< "AllReduce", "SendRecv"; the short name of the kernel where it does not say
    std::vector<Interval> times;     ///< when the kernels ran, on the clock of the first rank
    std::vector<std::int64_t> waits; ///< ns from the rank's own arrival to that of the last rank
    std::size_t last = 0;            ///< the rank that arrives last

    std::int64_t wait(std::size_t rank) const { return waits[rank]; }
    /// The time after the last rank's arrival, in which the collective moves data.
    std::int64_t transfer(std::size_t rank) const { return times[rank].length() - waits[rank]; }
    std::int64_t allWaits() const;
};

/// The time of one rank's step, in ns.
struct RankUse
{
    std::int64_t rank = 0;
    std::int64_t clockOffset = 0; ///< how far its clock is ahead of the first rank's
    std::int64_t step = 0;
    std::int64_t lateStart = 0;    ///< how much later its step began than the first one
    std::int64_t computing = 0;    ///< union of its kernels other than collectives
    std::int64_t waiting = 0;      ///< union of its waits in collectives, for ranks that arrived later
    std::int64_t transferring = 0; ///< union of the rest of its collectives
    std::int64_t lastAt = 0;       ///< number of collectives at which it arrives last
    std::int64_t delaying = 0;     ///< Σ waiting of the others for it
};

/// What the ranks of a job do to each other.
struct RankComparison
{
    std::vector<RankUse> ranks;          ///< sorted by rank
    std::vector<Collective> collectives; ///< in order
    std::int64_t missing = 0; ///< ranks of the job that were not given; what they are waited for counts as moving data
    /// The distance that nine of ten ends of a collective keep to those of the first rank, after the clocks are
    /// aligned, in ns; of the rank where it is largest.
    std::int64_t clockError = 0;
    /// The part of the first collective's waiting that comes from steps that began late: its reason lies before the
    /// recording. Σ over the ranks, in ns.
    std::int64_t lateStarts = 0;
    /// The rank that at least kStragglerShare of the waiting is for, where ranks wait at least kLeastWaiting of their
    /// steps, no rank is missing, and the ends agree. Position in `ranks`.
    std::optional<std::size_t> straggler;

    std::int64_t waiting() const;  ///< Σ over the ranks of RankUse::waiting
    std::int64_t allWaits() const; ///< Σ over collectives and ranks; what RankUse::delaying is a part of
    /// False when the ends of collectives differ so much that waits cannot be told: ranks form several groups, or a
    /// clock was set while recording. The errors may be a fifth of the waits at most.
    bool endsAgree() const;
};
inline constexpr double kStragglerShare = 0.5;
inline constexpr double kLeastWaiting = 0.05;

/// Joins the ranks of a job by their collectives: the kernels of NCCL and RCCL in each step, in order.
/// - All ranks leave a collective at the same time. The median distance of these ends is the offset of two clocks, so
///   clocks of several machines need not agree.
/// - A kernel of a collective runs from its rank's arrival. Until the last rank arrives, it waits; from then on it
/// moves
///   data.
/// Failures: invalidArgument, when fewer than two ranks are given, one twice, when they are of jobs of different sizes,
/// or when their collectives differ in number or kind: ranks of different jobs or steps, or of several groups.
base::Result<RankComparison> compareRanks(std::vector<RankTrace> ranks);

} // namespace apertune::analysis
