// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/message.h"

#include <string_view>

namespace apertune::interchange::results {

/// Returns the error that says what was recognised in a text that is of none of the formats. Private to this folder.
base::Error unknownResults(std::string_view text);
base::Error unknownResults(base::Message recognised);

} // namespace apertune::interchange::results
