// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apertune::base {

/// One line of a CSV file by RFC 4180. All CSV files that Apertune writes from tables and charts use this class.
/// It is not thread-safe: a line belongs to one thread.
class CsvLine
{
public:
    /// Appends a text, escaped by csvField().
    CsvLine& text(std::string_view value);

    /// Appends the shortest number that reads back as the same double. nullopt, NaN and infinity give an empty field.
    CsvLine& number(std::optional<double> value);

    CsvLine& count(std::int64_t value);
    CsvLine& empty() { return text({}); }

    /// Returns the line with its line feed. The object must not be used afterwards.
    std::string take() { return std::move(m_text) + '\n'; }

private:
    std::string m_text;
    bool m_hasFields = false;
};

} // namespace apertune::base
