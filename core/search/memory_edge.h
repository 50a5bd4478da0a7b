// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/memory_line.h"

#include <cstddef>
#include <vector>

namespace apertune::search {

class SearchState;

/// How far the batches of a group go before memory ends, predicted by a line through two measured peaks. The members
/// are positions in the list of batches.
struct MemoryEdge
{
    std::size_t edge = 0; ///< largest batch that is worth trying
    std::size_t safe = 0; ///< largest batch that fits even by the steepest line
    bool settled = false; ///< measuring `safe` would not move `edge`
};

/// Predicts the memory edge. A batch that exceeds `memory` by up to 3 % is still tried, because the line is a
/// prediction.
/// REQUIRES: `batches` is not empty and ascends; `line` goes through the peaks of batches[0] and batches[known].
MemoryEdge memoryEdge(const MemoryLine& line, const std::vector<double>& batches, std::size_t known,
                      base::Bytes memory);

/// Whether the configuration is predicted to need at most a quarter of the memory, by the peaks measured so far.
/// False when no peak or no memory is known.
bool fitsWithMargin(const SearchState& state, std::size_t configuration);

} // namespace apertune::search
