// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

namespace apertune::theme {

/// Gives the application its whole appearance: the style, and the theme's palette and font (Theme::apply()). GUI
/// thread.
/// REQUIRES: a QApplication exists.
void applyTheme(Preference preference, Scheme systemGuess);

} // namespace apertune::theme
