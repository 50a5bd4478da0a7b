// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

#include <string>
#include <string_view>

namespace apertune::gui {

/// A text of a presenter in the language of the window. Presenters are free functions without a tr() of their own. `n`
/// replaces `%n` in `text`.
inline QString tr(const char* text, const char* disambiguation = nullptr, int n = -1)
{
    return QCoreApplication::translate("apertune::gui", text, disambiguation, n);
}

/// A text of core in the language of the window; such texts have the context "core".
///
/// REQUIRES: no numbers or names were inserted into the text, because a translation knows whole texts only.
inline QString fromCore(std::string_view text)
{
    return text.empty() ? QString() : QCoreApplication::translate("core", std::string(text).c_str());
}

} // namespace apertune::gui
