// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace apertune::testing {

/// Walks every visible widget of a window and fails for what a careful reader would report: cut text, nameless
/// controls, small targets, overlaps, unreadable colours.
void lint(const QWidget& window);

} // namespace apertune::testing
