// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/appearance.h"

#include "widgets/theme/style.h"

#include <QApplication>

namespace apertune::theme {

void applyTheme(Preference preference, Scheme systemGuess)
{
    QApplication::setStyle(new Style);
    Theme::instance().apply(preference, systemGuess);
}

} // namespace apertune::theme
