// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace apertune::base {

/// These functions escape untrusted texts (names of models, studies, kernels and devices, reasons, paths), so that no
/// reader interprets them as commands. Each output format has one function. All are pure.

/// Escapes a text for a terminal or a plain text file. Control characters (C0, DEL, C1), bidirectional overrides,
/// Unicode line separators and invalid UTF-8 become visible escapes such as \x1b and \u202e. Line feeds and tabs stay.
std::string printable(std::string_view text);

/// Like printable(), but also escapes line feeds and tabs. Use it for a text on one line, for example a table cell.
std::string printableLine(std::string_view text);

/// Quotes one word of a POSIX shell command. A word of plain characters does not change.
std::string shellQuoted(std::string_view word);

/// Escapes one field of a CSV line.
///  - The field is quoted where RFC 4180 requires it.
///  - A text that a spreadsheet would read as a formula (it begins with = + - @, a tab or a carriage return) gets an
///    apostrophe in front, as OWASP advises. Numbers do not change.
///  - Control characters become visible. Line feeds and tabs stay.
std::string csvField(std::string_view text);

/// Escapes one line of Markdown text: a backslash precedes characters that would begin a link, markup or HTML.
std::string markdownText(std::string_view text);

} // namespace apertune::base
