// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace apertune::gui {

/// A text of a presenter in the language of the window; presenters are free functions and have no tr() of their own.
/// `%n` in `text` becomes `n`.
inline QString tr(const char* text, const char* disambiguation = nullptr, int n = -1)
{
    return QCoreApplication::translate("apertune::gui", text, disambiguation, n);
}

} // namespace apertune::gui
