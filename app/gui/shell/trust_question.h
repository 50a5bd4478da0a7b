// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/trust.h"

class QWidget;

namespace apertune::gui {

/// Asks in a box over the window whether code from elsewhere may run, and keeps the asking thread waiting for the
/// answer. No, when the window closes, and on the window's own thread, which must not wait.
models::TrustQuestion trustQuestion(QWidget& window);

} // namespace apertune::gui
