// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apertune::base {

/// One line of a CSV file after RFC 4180. Every CSV file that Apertune writes from tables and charts is made of these.
/// Not thread-safe: a line belongs to one thread.
class CsvLine
{
public:
    /// Appends a text, made harmless as csvField() says.
    CsvLine& text(std::string_view value);

    /// Appends the shortest number that reads back as the same double; an empty field for none and for NaN and
    /// infinity.
    CsvLine& number(std::optional<double> value);

    CsvLine& count(std::int64_t value);
    CsvLine& empty() { return text({}); }

    /// The line with its line feed. The object must not be used afterwards.
    std::string take() { return std::move(m_text) + '\n'; }

private:
    std::string m_text;
    bool m_hasFields = false;
};

} // namespace apertune::base
