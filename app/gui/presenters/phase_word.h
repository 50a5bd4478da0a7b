// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/phase.h"

#include <QString>

namespace apertune::gui {

/// The word of a phase of a run in the language of the window: "measure".
QString phaseWord(study::Phase phase);

} // namespace apertune::gui
