// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/searcher.h"

#include <cstdint>
#include <memory>

namespace apertune::search {

/// Mixed-precision search: how few layers have to stay in float. Private to this folder.
///
/// The configurations of groups with `kept` form a chain, ordered by that number. The caller reports a configuration as
/// failed when its outputs agree too little with the reference. The search assumes that agreement grows along the
/// chain.
///
///   1. Configurations outside of the chain are measured by the full protocol.
///   2. The chain is probed at no layer in float, one, three, seven … until a configuration keeps the bound.
///   3. Bisection narrows the interval between that configuration and the last that failed.
///
/// Configurations of the chain that remain are pruned as "bisect". The winner is the cheapest of all measured ones.
std::unique_ptr<Searcher> makeBisect(const SearchTask& task, std::uint64_t seed);

} // namespace apertune::search
