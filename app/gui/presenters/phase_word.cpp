// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/phase_word.h"

#include "app/gui/presenters/translate.h"

namespace apertune::gui {

QString phaseWord(study::Phase phase)
{
    return fromCore(study::toString(phase));
}

} // namespace apertune::gui
