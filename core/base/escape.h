// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace apertune::base {

/// Texts that strangers wrote (names of models, studies, kernels and devices, reasons, paths) in forms that no reader
/// takes for orders. Each form has this one function. All are pure.

/// For a terminal or a plain text file: control characters (C0, DEL, C1), bidirectional overrides, line separators of
/// Unicode and bytes that are no UTF-8 become visible escapes such as \x1b and \u202e. Line feeds and tabs stay.
std::string printable(std::string_view text);

/// The same for a text that has to stay on one line, such as a cell of a table: line feeds and tabs are escaped, too.
std::string printableLine(std::string_view text);

/// One word of a POSIX shell's line; a word of plain characters stays as it is.
std::string shellQuoted(std::string_view word);

/// One field of a CSV line, in quotes where RFC 4180 wants them. A text that a spreadsheet would take for a formula
/// (it begins with = + - @, a tab or a carriage return) gets an apostrophe in front, as OWASP advises; numbers stay
/// as they are. Control characters become visible, line feeds and tabs stay.
std::string csvField(std::string_view text);

/// One line of text in Markdown: characters that would begin a link, markup or HTML stand behind a backslash.
std::string markdownText(std::string_view text);

} // namespace apertune::base
