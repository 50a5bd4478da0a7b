// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/searcher.h"

namespace apertune::search {

/// Mixed precision: how few layers have to stay in float. Configurations of groups with `kept` are a chain by that
/// number; whoever measures says of a configuration whose answers agree too little with the reference that it failed.
/// Agreement is taken to grow along the chain.
///
/// First every other configuration by the full protocol, then the chain: no layer in float, one, three, seven … until a
/// configuration keeps the bound, then halving between it and the last that did not. What is left is pruned as
/// "bisect". The winner is the cheapest of all that were measured, in a chain or not. Private to this folder.
std::unique_ptr<Searcher> makeBisect(const SearchTask& task, std::uint64_t seed);

} // namespace apertune::search
