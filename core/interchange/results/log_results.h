// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/results/parsed.h"

#include <string_view>

namespace apertune::interchange::results {

/// Reads what measuring programs log. Private to this folder.
Parsed fromLog(std::string_view text);

} // namespace apertune::interchange::results
