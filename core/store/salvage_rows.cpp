// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/salvage_rows.h"

#include <algorithm>
#include <array>
#include <map>

namespace apertune::store {

namespace {

/// No intact tree has more levels than this; a deeper one contains a loop.
constexpr int kMostLevels = 64;

bool fitsColumn(const TreeShape::Column& column, const SqlValue& value)
{
    if (std::holds_alternative<std::monostate>(value))
        // The row number is not stored in the record, so its column is null there.
        return column.mayBeNull || column.isRowId;
    if (column.isRowId)
        return false;
    // The types are those of the schema; other ones mean that the record belongs to another table.
    if (column.type == "INTEGER")
        return std::holds_alternative<std::int64_t>(value);
    if (column.type == "REAL") // SQLite stores a whole number as an integer
        return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
    if (column.type == "TEXT")
        return std::holds_alternative<std::string>(value);
    return std::holds_alternative<SqlBytes>(value);
}

TreeShape tableShape(const Database& db, const std::string& name, std::uint32_t root)
{
    TreeShape shape{name, !name.starts_with("sqlite_"), true, root, {}};
    Statement kind = db.query("SELECT wr FROM pragma_table_list(?1) WHERE schema = 'main'", name);
    shape.hasRowIds = !kind.step() || kind.integer(0) == 0;
    int keys = 0;
    Statement columns =
        db.query("SELECT name, type, \"notnull\", dflt_value IS NOT NULL, pk FROM pragma_table_info(?1) "
                 // Tables without row numbers store their key first.
                 "ORDER BY ?2 * cid, pk = 0, pk, cid",
                 name, shape.hasRowIds);
    while (columns.step()) {
        const bool key = columns.integer(4) > 0;
        keys += key;
        const bool mayBeNull = columns.integer(2) == 0 && (!key || shape.hasRowIds);
        shape.columns.push_back({columns.text(0), columns.text(1), mayBeNull, columns.integer(3) != 0, key});
    }
    // A single key of type INTEGER is the row number itself.
    for (TreeShape::Column& column : shape.columns)
        column.isRowId = column.isRowId && keys == 1 && shape.hasRowIds && column.type == "INTEGER";
    return shape;
}

TreeShape indexShape(const Database& db, const std::string& name, const TreeShape& table, std::uint32_t root)
{
    TreeShape shape{name, false, false, root, {}};
    Statement columns = db.query("SELECT cid, name FROM pragma_index_xinfo(?1) ORDER BY seqno", name);
    while (columns.step()) {
        const std::string column = columns.text(1);
        const auto own = std::find_if(table.columns.begin(), table.columns.end(),
                                      [&](const TreeShape::Column& c) { return c.name == column; });
        // The last column of an index is the row number.
        if (columns.integer(0) < 0 || own == table.columns.end() || own->isRowId)
            shape.columns.push_back({column, "INTEGER", false, false, false});
        else
            shape.columns.push_back({column, own->type, own->mayBeNull, false, false});
    }
    return shape;
}

} // namespace

std::vector<TreeShape> treeShapes(const Database& db)
{
    std::vector<TreeShape> shapes;
    Statement trees = db.prepare("SELECT type, name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0 "
                                 "ORDER BY type = 'index', rowid");
    while (trees.step()) {
        const auto root = static_cast<std::uint32_t>(trees.integer(3));
        const std::string table = trees.text(2);
        if (trees.text(0) == "table") {
            shapes.push_back(tableShape(db, table, root));
            continue;
        }
        const auto own =
            std::find_if(shapes.begin(), shapes.end(), [&](const TreeShape& shape) { return shape.name == table; });
        if (own != shapes.end() && own->root != root)
            shapes.push_back(indexShape(db, trees.text(1), *own, root));
    }
    return shapes;
}

RowFinder::RowFinder(const RawPages& pages, const std::vector<TreeShape>& shapes)
    : m_pages(pages), m_shapes(shapes), m_owner(std::size_t{pages.count()} + 1, kNoOwner)
{
    const std::vector<std::uint32_t> roots = findRoots();
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (roots[i] != 0)
            claim(static_cast<int>(i), roots[i]);
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (roots[i] == 0) {
            // In a file with incremental vacuum, the roots are in the order in which the tables were created.
            claim(static_cast<int>(i), shapes[i].root);
            m_damaged.insert("sqlite_schema");
        }
    if (!pages.hasHeader())
        m_damaged.insert("sqlite_schema");
    for (const std::uint32_t page : pages.freePages()) // free pages may still hold deleted rows
        if (page < m_owner.size() && m_owner[page] == kNoOwner)
            m_owner[page] = kFree;
}

std::vector<std::uint32_t> RowFinder::findRoots()
{
    // The schema's own table is read as data: rows of (type, name, table, root, sql). Its SQL is never run.
    std::map<std::pair<std::string, std::string>, std::uint32_t> recorded;
    std::vector<std::pair<std::uint32_t, int>> open{{1, 0}};
    while (!open.empty()) {
        const auto [page, level] = open.back();
        open.pop_back();
        const auto node = readTreePage(m_pages, page);
        if (!node || !node->ofTable() || level > kMostLevels) {
            m_damaged.insert("sqlite_schema");
            continue;
        }
        if (page < m_owner.size())
            m_owner[page] = kFree; // a tree of SQLite's own has no rows of ours
        if (!node->complete)
            m_damaged.insert("sqlite_schema");
        for (const TreePage::Cell& cell : node->cells) {
            if (node->interior()) {
                open.emplace_back(cell.child, level + 1);
                continue;
            }
            const auto row = readRecord(m_pages, cell);
            if (!row || row->size() != 5 || !std::holds_alternative<std::string>((*row)[0]) ||
                !std::holds_alternative<std::string>((*row)[1]) || !std::holds_alternative<std::int64_t>((*row)[3]))
                continue;
            const std::int64_t root = std::get<std::int64_t>((*row)[3]);
            if (root > 1 && root <= m_pages.count())
                recorded.emplace(std::pair(std::get<std::string>((*row)[0]), std::get<std::string>((*row)[1])),
                                 static_cast<std::uint32_t>(root));
        }
        if (node->interior())
            open.emplace_back(node->right, level + 1);
    }
    std::vector<std::uint32_t> roots;
    for (const TreeShape& shape : m_shapes) {
        const bool table = shape.isTable || shape.name == "sqlite_sequence";
        const auto found = recorded.find({table ? "table" : "index", shape.name});
        roots.push_back(found == recorded.end() ? 0 : found->second);
    }
    return roots;
}

void RowFinder::claim(int shape, std::uint32_t root)
{
    const TreeShape& tree = m_shapes[static_cast<std::size_t>(shape)];
    std::vector<std::uint32_t> open{root};
    while (!open.empty()) {
        const std::uint32_t page = open.back();
        open.pop_back();
        // A page has one owner. A page that is claimed twice shows a wrong pointer.
        if (page < 1 || page >= m_owner.size() || m_owner[page] != kNoOwner) {
            m_damaged.insert(tree.name);
            continue;
        }
        m_owner[page] = shape; // an unreadable page, too, because the pages below it still name it as their parent
        const auto node = readTreePage(m_pages, page);
        if (!node || node->ofTable() != tree.hasRowIds) {
            m_damaged.insert(tree.name);
            continue;
        }
        if (!node->complete)
            m_damaged.insert(tree.name);
        if (!node->interior())
            continue;
        for (const TreePage::Cell& cell : node->cells)
            open.push_back(cell.child);
        open.push_back(node->right);
    }
}

int RowFinder::ownerByMap(std::uint32_t page) const
{
    for (int level = 0; level < kMostLevels; ++level) {
        const auto place = m_pages.place(page);
        if (!place)
            return kNoOwner;
        if (place->kind == RawPages::Place::Kind::root) {
            const auto tree = std::find_if(m_shapes.begin(), m_shapes.end(),
                                           [&](const TreeShape& shape) { return shape.root == page; });
            return tree == m_shapes.end() ? kNoOwner : static_cast<int>(tree - m_shapes.begin());
        }
        if (place->kind != RawPages::Place::Kind::node)
            return kFree;
        // A node's parent may have an owner already, which is then also the node's.
        page = place->parent;
        if (page < 1 || page >= m_owner.size())
            return kNoOwner;
        if (m_owner[page] >= 0)
            return m_owner[page];
    }
    return kNoOwner;
}

int RowFinder::ownerByRows(const TreePage& node) const
{
    int found = kNoOwner;
    for (std::size_t i = 0; i < m_shapes.size(); ++i) {
        if (m_shapes[i].hasRowIds != node.ofTable() || !anyFits(m_shapes[i], node))
            continue;
        if (found != kNoOwner)
            return kNoOwner; // tables with rows of the same shape cannot be distinguished
        found = static_cast<int>(i);
    }
    return found;
}

bool RowFinder::fits(const TreeShape& shape, const TreePage& node, const TreePage::Cell& cell,
                     std::vector<SqlValue>& values) const
{
    auto record = readRecord(m_pages, cell);
    if (!record || record->empty() || record->size() > shape.columns.size() || node.ofTable() != shape.hasRowIds)
        return false;
    for (std::size_t i = 0; i < shape.columns.size(); ++i) {
        const TreeShape::Column& column = shape.columns[i];
        if (i >= record->size()) {
            if (!column.mayBeAbsent && !column.mayBeNull)
                return false;
            continue;
        }
        if (!fitsColumn(column, (*record)[i]))
            return false;
        if (column.isRowId)
            (*record)[i] = cell.rowId;
    }
    values = std::move(*record);
    return true;
}

bool RowFinder::anyFits(const TreeShape& shape, const TreePage& node) const
{
    std::vector<SqlValue> values;
    return std::any_of(node.cells.begin(), node.cells.end(),
                       [&](const TreePage::Cell& cell) { return fits(shape, node, cell, values); });
}

void RowFinder::visitPage(int shape, std::uint32_t page,
                          const std::function<void(const TreeShape&, const std::vector<SqlValue>&)>& row)
{
    const TreeShape& tree = m_shapes[static_cast<std::size_t>(shape)];
    if (!tree.isTable)
        return;
    const auto node = readTreePage(m_pages, page);
    if (!node || node->kind == TreePage::Kind::tableInterior)
        return;
    std::vector<SqlValue> values;
    for (const TreePage::Cell& cell : node->cells)
        if (fits(tree, *node, cell, values))
            row(tree, values);
        else
            m_damaged.insert(tree.name);
}

void RowFinder::visit(const std::function<void(const TreeShape&, const std::vector<SqlValue>&)>& row)
{
    std::vector<std::pair<std::uint32_t, int>> byMap;
    std::vector<std::pair<std::uint32_t, int>> byRows;
    for (std::uint32_t page = 1; page < m_owner.size(); ++page) {
        if (m_owner[page] >= 0) {
            visitPage(m_owner[page], page, row);
            continue;
        }
        if (m_owner[page] == kFree)
            continue;
        const auto node = readTreePage(m_pages, page);
        if (!node || node->kind == TreePage::Kind::tableInterior)
            continue;
        if (const int owner = ownerByMap(page);
            owner >= 0 && (node->cells.empty() || anyFits(m_shapes[static_cast<std::size_t>(owner)], *node)))
            byMap.emplace_back(page, owner);
        else if (const int guess = owner == kFree ? kNoOwner : ownerByRows(*node); guess >= 0)
            byRows.emplace_back(page, guess);
    }
    for (const auto& list : {byMap, byRows})
        for (const auto& [page, owner] : list) {
            m_damaged.insert(m_shapes[static_cast<std::size_t>(owner)].name);
            visitPage(owner, page, row);
        }
}

} // namespace apertune::store
