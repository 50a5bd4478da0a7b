// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace apertune::test {

/// The fields of a CSV file by RFC 4180.
inline std::vector<std::vector<std::string>> csvFieldsOf(const std::string& csv)
{
    std::vector<std::vector<std::string>> rows(1);
    rows.back().emplace_back();
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        if (quoted && csv[i] == '"' && csv[i + 1] == '"')
            rows.back().back() += csv[++i];
        else if (csv[i] == '"')
            quoted = !quoted;
        else if (!quoted && csv[i] == ',')
            rows.back().emplace_back();
        else if (!quoted && csv[i] == '\n')
            rows.emplace_back(1);
        else
            rows.back().back() += csv[i];
    }
    return rows;
}

/// Returns whether a spreadsheet would calculate the field. Numbers with a sign are values to it.
inline bool isFormula(const std::string& field)
{
    if (field.empty() || std::string("=+-@\t\r").find(field.front()) == std::string::npos)
        return false;
    return (field.front() != '-' && field.front() != '+') ||
           field.find_first_not_of("0123456789.e+-") != std::string::npos;
}

} // namespace apertune::test
