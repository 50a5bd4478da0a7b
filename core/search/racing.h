// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/searcher.h"

namespace apertune::search {

/// Frontier racing.
///
/// Group after group, those that compile last; of the others the first, which is the plain baseline, and then from
/// the last to the second, since what is planned last promises most, and a good leader early saves looks: (1) memory
/// edge: peak = a + c·batch from one pass each of the two smallest batches, corrected by the largest that surely fits,
/// then straight to the edge; an out-of-memory there steps down. (2) Under a latency bound the largest batch within it,
/// by bisection. (3) The edge and the batch below are probed; a group whose both configurations are under kDrop of the
/// leader is left, for good when its first is under kDropAtOnce; otherwise the walk goes down until two neighbours in a
/// row are kFalling worse than the group's best; what it left out is looked at behind all walks, the best groups'
/// first, for up to half of the walks' time, since groups need not fall evenly. Two configurations that fail for
/// another reason than memory end it, too. When latency or memory is the objective, the walk goes up from the smallest
/// batch. A group with a ceiling below the leader is never opened. A group that compiles is opened only when its plain
/// sibling came within kCompileGain of the leader and its compile time leaves the budget enough to finish. A measuring
/// budget is shared out: a third of it at most is kept for the race and the last turns. While others have not begun, a
/// group gets one look, at its smallest batch, which takes the least time; but the leader's has a turn of further looks
/// now and then. Then the most promising goes on first. Further looks begin at the largest batch that the walk's part
/// of the budget has time to look at.
///
/// Then all configurations within kNear of the leader race: rounds of one block each in random order, each
/// configuration judged by its ratios to the leader of the same rounds, so that drift cancels (with more configurations
/// than stay open side by side, a visit takes five blocks). A configuration leaves when median − h > 0 of these log
/// ratios, h = 2·1.2533·s/√rounds with s the pooled robust spread (MAD); the race ends at one configuration, or with h
/// under kResolved. A leader that nothing is near has no race, and five blocks more, for its median and its interval.
/// Winner and runner-up, and up to two more that the race left within kFinal of the winner, take turns over the time of
/// the full protocol, in many short turns so that they share what the machine does meanwhile; one that has surely lost
/// to the best leaves, and the best median wins.
///
/// With blocks that vary by s around their configuration's value, a configuration worse than the best by more than e
/// wins with 5 % chance at most once rounds ≥ 8·s²/e²·ln(2n/0.05) (uniform sampling, sub-Gaussian noise);
/// configurations whose blocks fall into two groups have no such bound. Memory as the objective needs no race: its
/// values carry no noise.
std::unique_ptr<Searcher> makeRacing(const SearchTask& task, std::uint64_t seed);

} // namespace apertune::search
