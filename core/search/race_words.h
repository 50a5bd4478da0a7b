// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace apertune::search {

class Notebook;

/// Why a walk of a race left cells out, in the figures that it saw. Private to this folder.

/// `seen`: the cells of the walk in its order, the last two worse than the best of `family`.
std::string whyFalling(const Notebook& notes, const std::vector<std::size_t>& seen,
                       const std::vector<std::size_t>& family);

/// `seen`: the walk's first, or its first two.
std::string whyHopeless(const Notebook& notes, const std::vector<std::size_t>& seen, std::size_t leader);

} // namespace apertune::search
