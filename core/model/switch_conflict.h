// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/switches.h"

namespace apertune::model {

/// Returns the conflict between switches, when one needs another or excludes it as the catalogue declares. Empty when
/// there is none.
base::Message switchConflict(const SwitchMap& switches);

} // namespace apertune::model
