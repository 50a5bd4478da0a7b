// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/searcher.h"

#include <cstdint>
#include <memory>

namespace apertune::search {

/// Successive halving (Jamieson & Talwalkar 2016) with eta = 3. Every rung takes the same time, divided evenly among
/// the remaining configurations; the best third goes on to the next rung. When the measuring budget cannot give every
/// configuration a block in the first rung, a random part of them is left out. Private to this folder.
std::unique_ptr<Searcher> makeHalving(const SearchTask& task, std::uint64_t seed);

} // namespace apertune::search
