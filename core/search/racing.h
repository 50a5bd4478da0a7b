// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/searcher.h"

#include <cstdint>
#include <memory>

namespace apertune::search {

/// Frontier racing: probe every group briefly, race the best configurations, measure the finalists interleaved. The
/// constants kPruneAfterOne … are defined in racing.cpp, kRaceMargin in leaderboard.cpp. Private to this folder.
///
/// 1. Batch searches. One group after the other; for the objective throughput:
///      - Memory edge: the line peak = a + c·batch through the two smallest batches, corrected at the largest batch
///        that surely fits. Batches beyond the edge are pruned; an out-of-memory at the edge steps down.
///      - With a latency bound: bisection for the largest batch within it.
///      - Probes downward from the edge, until two in a row are kWorseMargin worse than the group's best.
///      - The search also ends after two failures other than out-of-memory.
///
///    For latency or memory as the objective the probes go up from the smallest batch instead.
///
/// 2. Groups that are cut short:
///      - A group whose roofline ceiling is below the leader is never opened.
///      - A group that compiles is opened only if its plain sibling is within the group's compileGain of the best with
///        the same batch, and the wall budget has time for the compile and the race.
///      - A group whose first probe is below kPruneAfterOne of its rival is left for good.
///      - A group whose first probe is below kLeaveAfterOne of its rival, or whose first two probes are below
///        kLeaveAfterTwo of the leader, is left, but may be rescued.
///
/// 3. Order. The plain baseline comes first, then the groups from the last to the second, because those planned last
///    promise most and an early good leader saves probes. Groups that compile come last. What an earlier search found
///    changes the order:
///      - The baseline and the best known configuration are probed before all others.
///      - Groups within kKnownGood of its best come before unknown ones, worse ones after these.
///      - In a known group, its best batch is probed first, then those nearest to it.
///
/// 4. Measuring budget. At most a third is reserved for the race and the final rounds; the rest is shared evenly.
///      - While some groups have not begun, each gets one probe, at its smallest batch, which takes the least time.
///      - After 2, 4, 8 … groups have begun, the leader's group continues for one share.
///      - Then the group with the best cost continues first, from the largest batch that fits its share.
///
/// 5. Rescue pass. Batches need not get worse steadily, so the configurations that batch searches left out are probed
///    too, those of the best groups first, for up to a twentieth of the time that the batch searches took.
///
/// 6. Race. Configurations within kRaceMargin of the leader are arms. Each round measures one block of every arm in
///    random order (kRoundsLeast blocks when more arms race than stay open), and each arm is compared with the leader
///    of the same round, so that drift cancels. An arm leaves when the median of its log ratios is above h =
///    2·1.2533·s/√rounds (race_standing.h). The race ends at one arm, at h < kResolvedHalfWidth, or after kRoundsMost
///    rounds. A leader without rivals gets kRoundsLeast blocks more, for its median and interval.
///
/// 7. Final rounds. Winner, runner-up and up to two more within kFinalistMargin of the winner are measured interleaved,
///    in many short blocks over the time of the full protocol. A finalist that surely lost leaves; the best median
///    wins.
///
/// Error bound of the race: a configuration worse than the best by more than e wins with a chance of at most 5 % once
/// rounds ≥ 8·s²/e²·ln(2n/0.05), for n arms and blocks that vary by s (uniform sampling, sub-Gaussian noise). There is
/// no such bound for bimodal blocks. Memory as the objective needs no race, because its values have no noise.
std::unique_ptr<Searcher> makeRacing(const SearchTask& task, std::uint64_t seed);

} // namespace apertune::search
