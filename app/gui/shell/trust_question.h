// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/trust.h"

class QWidget;

namespace apertune::gui {

/// Asks in a dialog over the window whether code from elsewhere may run. The calling thread waits for the answer. The
/// answer is no when the window closes. It is also no on the GUI thread, which must not wait.
models::TrustQuestion trustQuestion(QWidget& window);

} // namespace apertune::gui
