// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"

#include <cstdint>
#include <optional>
#include <string>

namespace apertune::store {

/// Reads the columns of a row from left to right. Private to core/store.
class RowReader
{
public:
    explicit RowReader(const Statement& statement) : m_statement(statement) {}
    bool nextIsNull() const { return m_statement.isNull(m_at); }
    void skip(int columns) { m_at += columns; }
    std::int64_t integer() { return m_statement.integer(m_at++); }
    int small() { return static_cast<int>(integer()); }
    double real() { return m_statement.real(m_at++); }
    std::string text() { return m_statement.text(m_at++); }
    std::optional<double> optionalReal();
    std::optional<std::int64_t> optionalInteger();
    /// Reads an enum that is stored by value. Failures: corrupt (negative or above `last`).
    template <typename Enum>
    Enum enumerator(Enum last)
    {
        const auto value = optionalEnumerator(last);
        if (!value)
            failUnknownValue(m_statement.integer(m_at - 1));
        return *value;
    }
    /// Reads an enum that is stored by value; nullopt when it is negative or above `last`.
    template <typename Enum>
    std::optional<Enum> optionalEnumerator(Enum last)
    {
        const std::int64_t value = integer();
        return value < 0 || value > static_cast<std::int64_t>(last) ? std::nullopt
                                                                    : std::optional(static_cast<Enum>(value));
    }

private:
    [[noreturn]] static void failUnknownValue(std::int64_t value);
    const Statement& m_statement;
    int m_at = 0;
};

} // namespace apertune::store
