// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <vector>

namespace apertune::search {

class SearchState;

/// Reasons why a batch search left configurations out, with the measured figures. Private to this folder.

/// The objective got worse twice in a row. `measured` has the measured configurations of the batch search in order.
/// REQUIRES: `measured` has at least two elements; `group` is not empty.
base::Message gettingWorseMessage(const SearchState& state, const std::vector<std::size_t>& measured,
                                  const std::vector<std::size_t>& group);

/// The group is far behind the leader. `measured` has the first one or two configurations of the batch search.
base::Message farBehindMessage(const SearchState& state, const std::vector<std::size_t>& measured, std::size_t leader);

} // namespace apertune::search
