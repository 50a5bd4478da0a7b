// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page_spec.h"

namespace apertune::gui {

/// All pages of the program.
const PageTable& pageTable();

} // namespace apertune::gui
