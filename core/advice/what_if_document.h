// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/what_if.h"
#include "core/base/json.h"

#include <vector>

namespace apertune::advice {

/// The document "apertune.what-if/1".
base::Json whatIfDocument(const std::vector<Change>& changes, const WhatIfReport& report);

} // namespace apertune::advice
