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
    TimeRange step;             ///< the range to compare: its iterations, or the span of its device's work
    std::int64_t worldSize = 0; ///< number of ranks of the job; 0: unknown
};

/// One collective over all ranks. Vectors have an entry for each rank, in the order of RankComparison::ranks.
struct Collective
{
    std::string kind;                ///< "AllReduce", "SendRecv"; otherwise the short name of the kernel
    std::vector<TimeRange> times;    ///< times of the kernels, on the clock of the first rank
    std::vector<std::int64_t> waits; ///< ns from the rank's own arrival to that of the last rank
    std::size_t last = 0;            ///< the rank that arrives last

    std::int64_t wait(std::size_t rank) const { return waits[rank]; }
    /// Returns the time after the last rank's arrival, in which the collective moves data.
    std::int64_t transfer(std::size_t rank) const { return times[rank].length() - waits[rank]; }
    std::int64_t allWaits() const;
};

/// The time of one rank's step, in ns.
struct RankUse
{
    std::int64_t rank = 0;
    std::int64_t clockOffset = 0; ///< clock of this rank minus the clock of the first rank
    std::int64_t step = 0;
    std::int64_t lateStart = 0;    ///< delay of its step's begin behind the first one
    std::int64_t computing = 0;    ///< union of its kernels other than collectives
    std::int64_t waiting = 0;      ///< union of its waits in collectives, for ranks that arrived later
    std::int64_t transferring = 0; ///< union of the rest of its collectives
    std::int64_t lastAt = 0;       ///< number of collectives at which it arrives last
    std::int64_t delaying = 0;     ///< Σ waiting of the others for it
};

/// The effects of the ranks of a job on each other.
struct RankComparison
{
    std::vector<RankUse> ranks;          ///< sorted by rank
    std::vector<Collective> collectives; ///< in order
    std::int64_t missing = 0;            ///< ranks of the job that were not given; waits for them count as moving data
    /// The error of the aligned clocks in ns: the 90th percentile of the distance between a collective's end and that
    /// of the first rank, for the rank with the largest one.
    std::int64_t clockError = 0;
    /// The part of the first collective's waiting that is due to steps that began late, Σ over the ranks, in ns. Its
    /// cause lies before the recording.
    std::int64_t lateStarts = 0;
    /// Position in `ranks` of the rank that causes at least kStragglerShare of the waiting. It is set only when ranks
    /// wait for at least kLeastWaiting of their steps, no rank is missing, and the ends agree.
    std::optional<std::size_t> straggler;

    std::int64_t waiting() const;  ///< Σ over the ranks of RankUse::waiting
    std::int64_t allWaits() const; ///< Σ over collectives and ranks; RankUse::delaying is a part of it
    /// Returns false when the ends of collectives differ so much that waits cannot be determined: ranks form several
    /// groups, or a clock was set while recording. The errors may be at most a fifth of the waits.
    bool endsAgree() const;
};
inline constexpr double kStragglerShare = 0.5;
inline constexpr double kLeastWaiting = 0.05;

/// Joins the ranks of a job by their collectives: the kernels of NCCL and RCCL in each step, in order.
/// - All ranks leave a collective at the same time. The median distance of these ends is the offset of two clocks, so
///   clocks of several machines need not agree.
/// - A kernel of a collective runs from its rank's arrival. It waits until the last rank arrives, then it moves data.
///
/// Failures: invalidArgument when
/// - fewer than two ranks are given, or one of them twice;
/// - the recordings are of jobs of different sizes;
/// - their collectives differ in number or kind (ranks of different jobs or steps, or of several groups).
base::Result<RankComparison> compareRanks(std::vector<RankTrace> ranks);

} // namespace apertune::analysis
