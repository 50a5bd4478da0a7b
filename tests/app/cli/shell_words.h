// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace apertune::test {

/// Words as a shell splits them. Quotes of both kinds keep blanks, and nothing else is special.
inline std::vector<std::string> shellWords(const std::string& line)
{
    std::vector<std::string> found;
    std::string word;
    char quote = 0;
    for (const char c : line + " ") {
        if (quote != 0 ? c == quote : c == '"' || c == '\'') {
            quote = quote != 0 ? char{} : c;
        } else if (c != ' ' || quote != 0) {
            word += c;
        } else if (!word.empty()) {
            found.push_back(word);
            word.clear();
        }
    }
    return found;
}

} // namespace apertune::test
