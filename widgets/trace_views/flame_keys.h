// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/key_table.h"

namespace apertune::trace_views {

/// Returns the keys of a flame graph. The number of an action is the Qt::Key that represents it: an arrow, Return,
/// Backspace or Home.
const controls::KeyTable& flameKeys();

} // namespace apertune::trace_views
