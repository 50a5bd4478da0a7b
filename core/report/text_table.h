// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apertune::report {

/// Terminal columns that UTF-8 text takes: combining marks 0, East Asian wide characters 2, everything else 1.
int displayWidth(std::string_view text);

/// `text` cut to at most `width` columns, with "…" in place of what is missing.
std::string elide(std::string_view text, int width);

/// `text` broken at blanks into lines of at most `width` columns (a longer word stands alone), every line but the
/// first preceded by `indent` blanks, which count. width ≤ 0: one line.
std::string wrap(std::string_view text, int width, int indent);

/// The same for pieces that stay whole, with `separator` between two on one line.
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
        bool elastic = false; ///< gives way when the table is too wide, the widest of them first
    };

    explicit TextTable(std::vector<Column> columns);

    /// Missing cells are empty. REQUIRES: no more cells than columns
    void addRow(std::vector<std::string> cells);
    /// A line across all columns; "" is an empty line.
    void addLine(std::string text);
    bool empty() const { return m_rows.empty(); }

    /// Whether every column has a place in `width` columns, elastic ones as narrow as they get. width ≤ 0: always.
    bool fits(int width) const;
    /// Lines ending in '\n' without trailing blanks, at most `width` columns when width > 0.
    std::string render(int width = 0) const;

private:
    struct Row
    {
        std::vector<std::string> cells;
        bool isLine = false;
    };
    std::vector<int> columnWidths(int width) const;
    std::vector<Column> m_columns;
    std::vector<Row> m_rows;
};

using Align = TextTable::Align;

} // namespace apertune::report
