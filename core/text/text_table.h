// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::text {

/// Returns the terminal columns of UTF-8 text: 0 for combining marks, 2 for East Asian wide characters, 1 for all
/// others.
int displayWidth(std::string_view text);

/// Cuts `text` to at most `width` columns, with "…" in place of the missing part.
std::string elide(std::string_view text, int width);

/// Breaks `text` at blanks into lines of at most `width` columns. A longer word stands alone. All lines but the first
/// begin with `indent` blanks, which count. With width ≤ 0 the text stays on one line.
std::string wrap(std::string_view text, int width, int indent);

/// Wraps in the same way, for pieces that are never broken. `separator` stands between two pieces on one line.
std::string wrapPieces(const std::vector<std::string>& pieces, std::string_view separator, int width, int indent);

/// A table of aligned columns for terminals.
class TextTable
{
public:
    enum class Align { left, right };
    struct Column
    {
        std::string title;
        Align align = Align::left;
        bool elastic = false; ///< becomes narrower when the table is too wide; the widest elastic column first
        /// Where the table is too wide, columns with a rank above 0 are left out, the highest rank first, the leftmost
        /// first among equals.
        int rank = 0;
    };

    explicit TextTable(std::vector<Column> columns);

    /// Adds a row. Missing cells are empty.
    /// REQUIRES: there are at most as many cells as columns.
    void addRow(std::vector<std::string> cells);
    bool empty() const { return m_rows.empty(); }

    /// Returns whether all columns fit into `width` columns of the terminal with elastic ones at their narrowest. True
    /// for width ≤ 0.
    bool fits(int width) const;
    /// Returns the lines, each ending in '\n' and without trailing blanks, at most `width` columns wide when width > 0.
    /// A table that is too wide is made narrower in this order, as far as needed:
    ///
    /// * titles are broken at blanks, and elastic columns become narrower, but stay readable;
    /// * columns with a rank are left out, and a line below the table names them;
    /// * elastic columns become as narrow as they may;
    /// * each row is a paragraph with the titles beside the numbers, so that no value is lost.
    ///
    /// A shortened value ends in "…".
    std::string render(int width = 0) const;

private:
    using Columns = std::vector<std::size_t>; ///< positions in m_columns, ascending
    /// The widths of these columns in a table of `width` columns; nullopt when they do not fit with elastic ones at
    /// `narrowest`.
    std::optional<std::vector<int>> widthsOf(const Columns& columns, int width, int narrowest, bool wrapTitles) const;
    std::string renderColumns(const Columns& columns, const std::vector<int>& widths) const;
    std::string leftOutLine(const Columns& kept, int width) const;
    std::string renderParagraphs(int width) const;
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows; ///< one cell for each column
};

using Align = TextTable::Align;

} // namespace apertune::text
