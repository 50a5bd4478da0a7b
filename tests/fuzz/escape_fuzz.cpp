// SPDX-License-Identifier: GPL-3.0-or-later
// Escaping of untrusted text for a terminal, a shell, a CSV table and an HTML page.
#include "core/base/csv.h"
#include "core/base/escape.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

namespace apertune::fuzz {

namespace {

bool isControl(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Returns the text that a POSIX shell reads from a quoted word.
std::string unquoted(std::string_view word)
{
    std::string text;
    bool quoted = false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if (word[i] == '\'')
            quoted = !quoted;
        else if (word[i] == '\\' && !quoted && i + 1 < word.size())
            text += word[++i];
        else
            text += word[i];
    require(!quoted, "a quoted word is closed");
    return text;
}

/// Returns the field that RFC 4180 reads, and requires that nothing follows it.
std::string fieldOf(std::string_view csv)
{
    if (!csv.starts_with('"')) {
        require(csv.find_first_of(",\"\n\r") == std::string_view::npos, "a field that needs quotes has them");
        return std::string(csv);
    }
    std::string text;
    std::size_t i = 1;
    for (; i < csv.size() && (csv[i] != '"' || (i + 1 < csv.size() && csv[i + 1] == '"')); ++i) {
        i += csv[i] == '"' ? 1 : 0;
        text += csv[i];
    }
    require(i + 1 == csv.size() && csv[i] == '"', "a quoted field ends with its quote");
    return text;
}

} // namespace

void examine(std::string_view input)
{
    const std::string line = base::printableLine(input);
    require(std::ranges::none_of(line, isControl), "a line has no control characters");
    require(base::printableLine(line) == line, "what is printable stays as it is");
    const std::string text = base::printable(input);
    require(std::ranges::none_of(text, [](char c) { return isControl(c) && c != '\n' && c != '\t'; }),
            "a text has no control characters but line feeds and tabs");
    require(base::printable(text) == text, "what is printable stays as it is");
    if (input.find('\0') == std::string_view::npos && !input.empty())
        require(unquoted(base::shellQuoted(input)) == input, "a shell reads the word that was quoted");
    const std::string field = fieldOf(base::csvField(input));
    const std::string_view first = std::string_view(field).substr(0, 1);
    const bool number = field.find_first_not_of("+-.0123456789eE") == std::string::npos && !field.starts_with("+-");
    require(first.empty() || number || std::string_view("=+-@\t\r").find(first) == std::string_view::npos,
            "no field is a formula");
    const std::string row = base::CsvLine().text(input).number(0.1).take();
    require(row.ends_with(",0.1\n"), "a line ends after its last field");
    static_cast<void>(base::markdownText(input));
}

std::vector<std::string> seeds()
{
    return {"plain",
            "\x1b[31mred\x1b[0m",
            "\u202eevil",
            "=1+1",
            "-5.5",
            "-inf",
            "+-5",
            "-nan(x)",
            "a \"b\", c",
            "it's",
            "\xff\xc3(",
            "\u0085 \u2028",
            "[link](http://x) <b> `c`"};
}

} // namespace apertune::fuzz
