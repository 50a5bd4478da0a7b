// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/searcher.h"

#include <cstdint>
#include <memory>

namespace apertune::search {

/// Measures one configuration after the other by the full protocol, in the order of the task or shuffled, until the
/// budget is spent. What is left then is pruned. Private to this folder.
std::unique_ptr<Searcher> makeSequence(const SearchTask& task, std::uint64_t seed, bool shuffled);

} // namespace apertune::search
