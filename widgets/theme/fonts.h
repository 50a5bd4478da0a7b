// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace apertune::theme {

/// The type scale at the default text size of 13 px. All roles scale with setTextSize().
enum class Type {
    caption,    ///< 11, regular
    body,       ///< 13, regular
    bodyStrong, ///< 13, semibold
    heading,    ///< 14, semibold
    title,      ///< 18, semibold
    figure,     ///< 24, semibold; the number of a card
    mono,       ///< 12, JetBrains Mono
};

inline constexpr int kDefaultTextSize = 13;
inline constexpr int kMinTextSize = 11;
inline constexpr int kMaxTextSize = 18;

/// Returns the font of a role: Inter with DejaVu Sans as fallback, or for `mono` JetBrains Mono with DejaVu Sans Mono.
/// GUI thread.
QFont font(Type type);

/// Sets the text size of `body` in pixels, clamped to kMinTextSize…kMaxTextSize. It applies to later calls of font().
void setTextSize(int pixels);
int textSize();

} // namespace apertune::theme
