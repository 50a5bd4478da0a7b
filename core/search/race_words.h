// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <vector>

namespace apertune::search {

class SearchState;

/// Why a walk of a race left configurations out, with the figures that it saw. Private to this folder.

/// `seen`: the configurations of the walk in its order, the last two worse than the best of `group`.
base::Message whyFalling(const SearchState& state, const std::vector<std::size_t>& seen,
                         const std::vector<std::size_t>& group);

/// `seen`: the walk's first, or its first two.
base::Message whyHopeless(const SearchState& state, const std::vector<std::size_t>& seen, std::size_t leader);

} // namespace apertune::search
