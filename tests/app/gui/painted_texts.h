// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QWidget;

namespace apertune::testing {

/// The texts that the visible widgets of a window paint, in painting order. Plots are asked to paint themselves; what
/// other widgets keep as pictures (the timeline's bars) is not seen.
QStringList paintedTexts(QWidget& window);

/// Everything else that a person may come to read or hear in a window: tooltips, accessible names and descriptions,
/// placeholders, and the texts of item models with their headers.
QStringList accessibleTexts(QWidget& window);

} // namespace apertune::testing
