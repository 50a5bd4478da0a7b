// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace apertune::base {

/// The words of an enum in documents and on the command line: one row for each value, words unique.
template <typename Enum, std::size_t n>
using EnumWords = std::array<std::pair<Enum, std::string_view>, n>;

/// Returns the word of a value; `otherwise` for a value without a row.
template <typename Enum, std::size_t n>
constexpr std::string_view wordOf(const EnumWords<Enum, n>& words, Enum value, std::string_view otherwise = {})
{
    for (const auto& [known, word] : words)
        if (known == value)
            return word;
    return otherwise;
}

/// Returns the value with this word; nullopt for an unknown word.
template <typename Enum, std::size_t n>
constexpr std::optional<Enum> valueOf(const EnumWords<Enum, n>& words, std::string_view text)
{
    for (const auto& [value, word] : words)
        if (word == text)
            return value;
    return std::nullopt;
}

} // namespace apertune::base
