// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::store::test {

inline constexpr std::size_t kPage = 16384; ///< size of a workspace's pages

/// The rows of each table as text.
using Rows = std::map<std::string, std::multiset<std::string>>;

Rows rowsOf(const std::filesystem::path& file);
std::size_t count(const Rows& rows);
/// Returns how many of `rows` are in `saved`, too.
std::size_t common(const Rows& rows, const Rows& saved, const std::string& only = {});

/// A stretch of bytes.
struct Stretch
{
    std::size_t begin;
    std::size_t size;
};

/// A committed row and all bytes of the file that a plain reader needs for it: the kind of its page, the number of
/// cells, the pointer to its cell, the cell, and the chain of its overflow pages.
struct PlacedRow
{
    std::string table;
    std::string text; ///< all columns, written as Rows writes them
    std::vector<Stretch> bytes;
};

/// Finds the rows of a sound workspace. It shares no code with the product, so that a mistake there shows.
/// REQUIRES: everything is in the file, nothing in its log.
std::vector<PlacedRow> placedRows(const std::filesystem::path& file);

/// Returns the rows whose bytes are the same in both files.
Rows intactRows(const std::vector<PlacedRow>& rows, std::string_view good, std::string_view damaged);

/// Returns the rows of `wanted` that are not in `saved`.
Rows missing(const Rows& wanted, const Rows& saved);

} // namespace apertune::store::test
