// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/key_table.h"

namespace apertune::trace_views {

/// What keys do in a flame graph; the action is the key that stands for it: an arrow, Return, Backspace or Home.
const controls::KeyTable& flameKeys();

} // namespace apertune::trace_views
