// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace apertune::controls {

/// Self-painted widgets show to assistive tools as nameless fillers unless they say what they are.
enum class PaintedRole { chart, table, figure };

/// Call in the constructor of a self-painted widget; its accessibleName and accessibleDescription carry the summary.
void setPaintedRole(QWidget* widget, PaintedRole role);

} // namespace apertune::controls
