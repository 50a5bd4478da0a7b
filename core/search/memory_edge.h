// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/memory_line.h"

#include <cstddef>
#include <vector>

namespace apertune::search {

class SearchState;

/// How far a ladder of batches goes, by the line through two of its peaks; places in the ladder.
struct MemoryEdge
{
    std::size_t edge = 0; ///< the last that is worth trying
    std::size_t safe = 0; ///< the last that surely fits
    bool settled = false; ///< measuring `safe` would tell no more
};

/// `batches` ascend; the line goes through the first and `known`. A batch that just does not fit by the line is tried.
MemoryEdge memoryEdge(const MemoryLine& line, const std::vector<double>& batches, std::size_t known,
                      base::Bytes memory);

/// Whether the configuration's batch has room several times over, by what other groups took.
bool fitsByFar(const SearchState& state, std::size_t configuration);

} // namespace apertune::search
