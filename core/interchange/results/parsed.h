// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/results/foreign_result.h"

#include <optional>

namespace apertune::interchange::results {

/// The results of a text, or the reason why they cannot be read; nullopt when the text is of another format.
using Parsed = std::optional<base::Result<ForeignResults>>;

} // namespace apertune::interchange::results
