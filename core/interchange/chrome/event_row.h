// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/chrome/event_rows.h"
#include "core/trace/import_options.h"

#include <limits>

namespace apertune::interchange::chrome {

/// An event whose row is being made. Private to the sources of EventRows.
struct EventRows::Row
{
    const Tokens& tokens;
    const Fields& fields;
    ParsedBlock& block;
    RawEvent event{};
    Category category{};
    bool knownCategory = false;

    std::string_view token(Field field) const
    {
        const std::uint32_t i = fields[field];
        return i == 0 ? std::string_view() : tokens.token(i);
    }
    bool has(Field field) const { return fields[field] != 0; }
    std::int64_t integer(Field field, std::int64_t otherwise) const
    {
        return has(field) ? parseInteger(token(field)).value_or(otherwise) : otherwise;
    }
    template <typename T>
    T small(Field field, T otherwise) const
    {
        const std::int64_t value = integer(field, otherwise);
        return value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max() ? otherwise
                                                                                              : static_cast<T>(value);
    }
    /// Returns a string without its quotes. Escapes stay, because no name in the vocabulary has one.
    std::string_view word(Field field) const
    {
        const std::string_view t = token(field);
        return t.size() >= 2 && t.front() == '"' && t.back() == '"' ? t.substr(1, t.size() - 2) : std::string_view();
    }
    /// Returns a size in bytes. One larger than any memory reads as 0 and is counted as a loss.
    std::int64_t size(std::int64_t bytes) const
    {
        if (bytes >= -trace::kMostBytes && bytes <= trace::kMostBytes)
            return bytes;
        lose(LossReason::largeSize);
        return 0;
    }
    void lose(LossReason reason) const { block.losses[static_cast<std::size_t>(reason)].add(event.start); }
};

} // namespace apertune::interchange::chrome
