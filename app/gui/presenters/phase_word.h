// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace apertune::gui {

/// The shown word of a phase of a run (study::PhaseSink) in the language of the window: "measure". Phases that only a
/// newer version knows are returned unchanged.
QString phaseWord(const std::string& phase);

} // namespace apertune::gui
