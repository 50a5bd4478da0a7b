// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

#include <string>
#include <string_view>

namespace apertune::gui {

/// A text of a presenter in the language of the window; presenters are free functions and have no tr() of their own.
/// `%n` in `text` becomes `n`.
inline QString tr(const char* text, const char* disambiguation = nullptr, int n = -1)
{
    return QCoreApplication::translate("apertune::gui", text, disambiguation, n);
}

/// A text that core made, in the language of the window; core's texts have the context "core".
/// REQUIRES: the text has no numbers or names put into it, for a translation knows whole texts only.
inline QString fromCore(std::string_view text)
{
    return text.empty() ? QString() : QCoreApplication::translate("core", std::string(text).c_str());
}

} // namespace apertune::gui
