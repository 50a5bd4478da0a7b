// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::analysis::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kRankTwice{"analysis.rank_twice", {"rank"}};
inline constexpr MessageKind kOneRank{"analysis.one_rank"};
inline constexpr MessageKind kWorldsDiffer{"analysis.worlds_differ", {"rank", "size", "other", "other_size"}};
inline constexpr MessageKind kNoCollectives{"analysis.no_collectives"};
inline constexpr MessageKind kCollectivesDifferInNumber{"analysis.collectives_differ_in_number",
                                                        {"rank", "count", "other", "other_count"}};
inline constexpr MessageKind kCollectivesDifferInKind{"analysis.collectives_differ_in_kind",
                                                      {"position", "kind", "rank", "other_kind", "other"}};

// Hints on what to do.
inline constexpr MessageKind kNameTheRanksOfOneJob{"analysis.name_the_ranks_of_one_job"};

inline constexpr std::array kAll{
    kRankTwice,           kWorldsDiffer, kOneRank, kNoCollectives, kCollectivesDifferInNumber, kCollectivesDifferInKind,
    kNameTheRanksOfOneJob};

} // namespace apertune::analysis::errors
