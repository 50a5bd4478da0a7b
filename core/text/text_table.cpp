// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text_table.h"

#include "core/base/escape.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>

namespace apertune::text {

namespace {

constexpr std::string_view kGap = "  ";
constexpr int kNarrowest = 8; ///< smallest width of an elastic column

struct CodePoint
{
    std::uint32_t value = 0;
    std::size_t bytes = 1;
};

/// Reads one character. A broken byte counts as a character of its own.
CodePoint decode(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    // The first byte of UTF-8 holds the number of bytes.
    const std::uint32_t first = byte(0);
    const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    if (length == 1 || length > text.size())
        return {first, 1};
    std::uint32_t value = first & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return {first, 1};
        value = value << 6 | (byte(i) & 0x3F);
    }
    return {value, length};
}

int columnsOf(std::uint32_t c)
{
    if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200D) || c == 0xFE0F)
        return 0;
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
                      (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFF60) || (c >= 0x1F300 && c <= 0x1FAFF);
    return wide ? 2 : 1;
}

std::string padded(const std::string& text, int width, TextTable::Align align)
{
    const std::string blanks(static_cast<std::size_t>(std::max(0, width - displayWidth(text))), ' ');
    return align == TextTable::Align::right ? blanks + text : text + blanks;
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

/// The width of the longest word of a title. One that begins with blanks stays whole.
int narrowestTitle(const std::string& title)
{
    if (title.starts_with(' '))
        return displayWidth(title);
    int widest = 0;
    for (const std::string& word : linesOf(wrap(title, 1, 0)))
        widest = std::max(widest, displayWidth(word));
    return widest;
}

std::vector<std::size_t> allOf(std::size_t count)
{
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

void appendLine(std::string& out, std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    out += line;
    out += '\n';
}

} // namespace

int displayWidth(std::string_view text)
{
    int width = 0;
    while (!text.empty()) {
        const CodePoint c = decode(text);
        width += columnsOf(c.value);
        text.remove_prefix(c.bytes);
    }
    return width;
}

std::string elide(std::string_view text, int width)
{
    if (displayWidth(text) <= width)
        return std::string(text);
    std::string kept;
    int used = 0;
    while (!text.empty()) {
        const CodePoint c = decode(text);
        // One column is kept for the ellipsis.
        if (used + columnsOf(c.value) > width - 1)
            break;
        used += columnsOf(c.value);
        kept += text.substr(0, c.bytes);
        text.remove_prefix(c.bytes);
    }
    return width > 0 ? kept + "…" : std::string();
}

std::string wrapPieces(const std::vector<std::string>& pieces, std::string_view separator, int width, int indent)
{
    std::string out;
    int used = 0;
    const int separatorWidth = displayWidth(separator);
    for (const std::string& piece : pieces) {
        const int columns = displayWidth(piece);
        if (out.empty()) {
            used = columns;
        } else if (width > 0 && used + separatorWidth + columns > width) {
            out += '\n';
            out.append(static_cast<std::size_t>(indent), ' ');
            used = indent + columns;
        } else {
            out += separator;
            used += separatorWidth + columns;
        }
        out += piece;
    }
    return out;
}

std::string wrap(std::string_view text, int width, int indent)
{
    std::vector<std::string> words;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return wrapPieces(words, " ", width, indent);
}

TextTable::TextTable(std::vector<Column> columns) : m_columns(std::move(columns))
{
    for (Column& column : m_columns)
        column.title = base::printableLine(column.title);
}

void TextTable::addRow(std::vector<std::string> cells)
{
    assert(cells.size() <= m_columns.size());
    cells.resize(m_columns.size());
    for (std::string& cell : cells)
        cell = base::printableLine(cell);
    m_rows.push_back(std::move(cells));
}

std::optional<std::vector<int>> TextTable::widthsOf(const Columns& columns, int width, int narrowest,
                                                    bool wrapTitles) const
{
    std::vector<int> widths;
    int total = 0;
    for (const std::size_t i : columns) {
        int widest = wrapTitles ? narrowestTitle(m_columns[i].title) : displayWidth(m_columns[i].title);
        for (const std::vector<std::string>& row : m_rows)
            widest = std::max(widest, displayWidth(row[i]));
        total += widest + (widths.empty() ? 0 : static_cast<int>(kGap.size()));
        widths.push_back(widest);
    }
    if (width <= 0 || total <= width)
        return widths;
    // The widest elastic columns shrink first, so that a short one stays whole beside a long one.
    const auto saved = [&](int cap) {
        int sum = 0;
        for (std::size_t i = 0; i < widths.size(); ++i)
            sum += m_columns[columns[i]].elastic ? std::max(0, widths[i] - cap) : 0;
        return sum;
    };
    if (total - saved(narrowest) > width)
        return std::nullopt;
    int cap = narrowest;
    // Bisection finds the largest width at which the columns fit.
    for (int above = *std::max_element(widths.begin(), widths.end()); above - cap > 1;) {
        const int middle = cap + (above - cap) / 2;
        (total - saved(middle) <= width ? cap : above) = middle;
    }
    // The rest of the division goes to the first columns, one each.
    int spare = width - (total - saved(cap));
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (m_columns[columns[i]].elastic && widths[i] > cap)
            widths[i] = cap + (spare-- > 0 ? 1 : 0);
    return widths;
}

bool TextTable::fits(int width) const
{
    return widthsOf(allOf(m_columns.size()), width, kNarrowest, true).has_value();
}

std::string TextTable::renderParagraphs(int width) const
{
    constexpr int kIndent = 4;
    std::string out;
    for (const std::vector<std::string>& row : m_rows) {
        std::vector<std::string> pieces{row.front()}; // unwrapped, because it may begin with blanks
        for (std::size_t i = 1; i < row.size(); ++i)
            if (!row[i].empty())
                for (std::string& line :
                     linesOf(wrap(m_columns[i].align == Align::right ? m_columns[i].title + " " + row[i] : row[i],
                                  width - kIndent, 0)))
                    pieces.push_back(std::move(line));
        for (const std::string& line : linesOf(wrapPieces(pieces, " · ", width, kIndent)))
            appendLine(out, elide(line, width));
    }
    return out;
}

std::string TextTable::renderColumns(const Columns& columns, const std::vector<int>& widths) const
{
    std::string out;
    const auto emit = [&](const auto& cellOf) {
        std::string line;
        for (std::size_t i = 0; i < columns.size(); ++i)
            line += (i > 0 ? std::string(kGap) : std::string()) +
                    padded(elide(cellOf(i), widths[i]), widths[i], m_columns[columns[i]].align);
        appendLine(out, std::move(line));
    };
    std::vector<std::vector<std::string>> titles;
    std::size_t lines = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& title = m_columns[columns[i]].title;
        titles.push_back(displayWidth(title) > widths[i] ? linesOf(wrap(title, widths[i], 0))
                                                         : std::vector<std::string>{title});
        lines = std::max(lines, titles.back().size());
    }
    // The last lines of all titles stand above the values.
    for (std::size_t line = 0; line < lines; ++line)
        emit([&](std::size_t i) {
            const std::size_t blank = lines - titles[i].size();
            return line < blank ? std::string() : titles[i][line - blank];
        });
    for (const std::vector<std::string>& row : m_rows)
        emit([&](std::size_t i) { return row[columns[i]]; });
    return out;
}

std::string TextTable::leftOutLine(const Columns& kept, int width) const
{
    std::string names;
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (std::find(kept.begin(), kept.end(), i) == kept.end())
            names += (names.empty() ? "" : ", ") + m_columns[i].title;
    return names.empty() ? std::string()
                         : wrap("Left out for lack of space: " + names + ". --json has everything.", width, 2) + '\n';
}

std::string TextTable::render(int width) const
{
    constexpr int kReadable = 16; // below that, an elastic column says little
    Columns columns = allOf(m_columns.size());
    if (const auto widths = widthsOf(columns, width, kReadable, false))
        return renderColumns(columns, *widths);
    // The columns of least importance give way before the others become hard to read.
    for (Columns kept = columns;;) {
        if (const auto widths = widthsOf(kept, width, kReadable, true))
            return renderColumns(kept, *widths) + leftOutLine(kept, width);
        const auto least = std::max_element(kept.begin(), kept.end(), [this](std::size_t a, std::size_t b) {
            return m_columns[a].rank < m_columns[b].rank;
        });
        if (least == kept.end() || m_columns[*least].rank == 0) {
            columns = std::move(kept);
            break;
        }
        kept.erase(least);
    }
    if (const auto widths = widthsOf(columns, width, kNarrowest, true))
        return renderColumns(columns, *widths) + leftOutLine(columns, width);
    return renderParagraphs(width);
}

} // namespace apertune::text
