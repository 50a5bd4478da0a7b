// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/switches.h"

#include <string>

namespace apertune::model {

/// Why these switches cannot all be as they are: one needs another or excludes it. Empty when they can.
std::string switchConflict(const SwitchMap& switches);

} // namespace apertune::model
