// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/salvage_rows.h"

#include <algorithm>
#include <array>
#include <map>

namespace apertune::store {

namespace {

/// No intact tree has more levels than this; a deeper one contains a loop.
constexpr int kMostLevels = 64;

/// SQLite's table of the largest ids that were given.
constexpr const char* kSequences = "sqlite_sequence";

bool fitsColumn(const TreeShape::Column& column, StoredType type)
{
    if (type == StoredType::null)
        // The row number is not stored in the record, so its column is null there.
        return column.mayBeNull || column.isRowId;
    if (column.isRowId)
        return false;
    // The types are those of the schema; other ones mean that the record belongs to another table.
    if (column.type == "INTEGER")
        return type == StoredType::integer;
    if (column.type == "REAL") // SQLite stores a whole number as an integer
        return type == StoredType::real || type == StoredType::integer;
    if (column.type == "TEXT")
        return type == StoredType::text;
    return type == StoredType::blob;
}

/// Returns whether the record of a cell has the types of the table. Its values are not read, because they may be long.
bool fits(const TreeShape& shape, const TreePage& node, const TreePage::Cell& cell)
{
    const auto types = readTypes(cell);
    if (!types || types->empty() || types->size() > shape.columns.size() || node.ofTable() != shape.hasRowIds)
        return false;
    for (std::size_t i = 0; i < shape.columns.size(); ++i) {
        const TreeShape::Column& column = shape.columns[i];
        if (i < types->size() ? !fitsColumn(column, (*types)[i]) : !column.mayBeAbsent && !column.mayBeNull)
            return false;
    }
    return true;
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
        std::string type = columns.text(1);
        if (name == kSequences) // its columns are declared without types
            type = columns.text(0) == "seq" ? "INTEGER" : "TEXT";
        shape.columns.push_back({columns.text(0), std::move(type), mayBeNull, columns.integer(3) != 0, key});
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

RecordedSchema readSchema(const RawPages& pages)
{
    // The table is read as data: rows of (type, name, table, root, sql).
    RecordedSchema schema;
    std::vector<std::pair<std::uint32_t, int>> open{{1, 0}};
    std::set<std::uint32_t> seen;
    while (!open.empty()) {
        const auto [page, level] = open.back();
        open.pop_back();
        const auto node = readTreePage(pages, page);
        if (!node || !node->ofTable() || level > kMostLevels || !seen.insert(page).second) {
            schema.damaged = true;
            continue;
        }
        schema.pages.push_back(page);
        schema.damaged = schema.damaged || !node->complete;
        for (const TreePage::Cell& cell : node->cells) {
            if (node->interior()) {
                open.emplace_back(cell.child, level + 1);
                continue;
            }
            const auto row = readRecord(pages, cell);
            if (!row || row->size() != 5 || !std::holds_alternative<std::string>((*row)[0]) ||
                !std::holds_alternative<std::string>((*row)[1]) || !std::holds_alternative<std::int64_t>((*row)[3])) {
                schema.damaged = true;
                continue;
            }
            const std::int64_t root = std::get<std::int64_t>((*row)[3]);
            const auto* const sql = std::get_if<std::string>(&(*row)[4]);
            if (root > 1 && root <= pages.count())
                schema.entries.push_back({std::get<std::string>((*row)[0]), std::get<std::string>((*row)[1]),
                                          static_cast<std::uint32_t>(root), sql ? *sql : std::string()});
        }
        if (node->interior())
            open.emplace_back(node->right, level + 1);
    }
    return schema;
}

RowFinder::RowFinder(const RawPages& pages, const std::vector<TreeShape>& shapes)
    : m_pages(pages), m_shapes(shapes), m_owner(std::size_t{pages.count()} + 1, kNoOwner)
{
    const RecordedSchema schema = readSchema(pages);
    for (const std::uint32_t page : schema.pages)
        m_owner[page] = kFree; // a tree of SQLite's own has no rows of ours
    if (schema.damaged || !pages.hasHeader())
        m_damaged.insert("sqlite_schema");
    for (const TreeShape& shape : shapes) {
        m_roots.push_back(rootOf(shape, schema));
        // In a file with incremental vacuum, the roots are in the order in which the tables were created.
        if (m_roots.back() == 0) {
            m_roots.back() = shape.root;
            m_damaged.insert("sqlite_schema");
        }
    }
    claimTrees();
    for (const std::uint32_t page : pages.freePages()) // free pages may still hold deleted rows
        if (page < m_owner.size() && m_owner[page] == kNoOwner)
            m_owner[page] = kFree;
}

/// Returns the root that the schema's table names; 0 where it names none or the pointer map contradicts.
std::uint32_t RowFinder::rootOf(const TreeShape& shape, const RecordedSchema& schema) const
{
    const bool table = shape.isTable || shape.name == kSequences;
    const auto found = std::find_if(schema.entries.begin(), schema.entries.end(), [&](const SchemaEntry& entry) {
        return entry.type == (table ? "table" : "index") && entry.name == shape.name;
    });
    return found != schema.entries.end() && mapAgrees({0, found->root, 0}) ? found->root : 0;
}

bool RowFinder::mapAgrees(const Claim& claim) const
{
    const auto place = m_pages.place(claim.page);
    if (!place)
        return true; // the map says nothing
    return claim.parent == 0 ? place->kind == RawPages::Place::Kind::root
                             : place->kind == RawPages::Place::Kind::node && place->parent == claim.parent;
}

void RowFinder::claimTrees()
{
    std::vector<Claim> disputed;
    for (std::size_t i = 0; i < m_shapes.size(); ++i)
        claim({static_cast<int>(i), m_roots[i], 0}, &disputed);
    // Either the tree or the map is damaged. The tree counts where no other tree has the page.
    for (const Claim& claimed : disputed)
        claim(claimed, nullptr);
}

/// Claims the pages of a tree from `first` on. Claims that the pointer map contradicts are put off to `disputed`.
void RowFinder::claim(const Claim& first, std::vector<Claim>* disputed)
{
    const TreeShape& tree = m_shapes[static_cast<std::size_t>(first.shape)];
    std::vector<Claim> open{first};
    while (!open.empty()) {
        const Claim now = open.back();
        open.pop_back();
        // A page has one owner. A page that is claimed twice shows a wrong pointer.
        if (now.page < 1 || now.page >= m_owner.size() || m_owner[now.page] != kNoOwner) {
            m_damaged.insert(tree.name);
            continue;
        }
        if (disputed && !mapAgrees(now)) {
            m_damaged.insert(tree.name);
            disputed->push_back(now);
            continue;
        }
        const auto node = readTreePage(m_pages, now.page);
        if (!node || node->ofTable() != tree.hasRowIds) {
            m_damaged.insert(tree.name);
            // An unreadable page is claimed, too, because the pages below it still name it as their parent.
            if (disputed)
                m_owner[now.page] = now.shape;
            continue;
        }
        m_owner[now.page] = now.shape;
        if (!node->complete)
            m_damaged.insert(tree.name);
        if (!node->interior())
            continue;
        for (const TreePage::Cell& cell : node->cells)
            open.push_back({now.shape, cell.child, now.page});
        open.push_back({now.shape, node->right, now.page});
    }
}

int RowFinder::ownerByMap(std::uint32_t page) const
{
    for (int level = 0; level < kMostLevels; ++level) {
        const auto place = m_pages.place(page);
        if (!place)
            return kNoOwner;
        if (place->kind == RawPages::Place::Kind::root) {
            const auto tree = std::find(m_roots.begin(), m_roots.end(), page);
            return tree == m_roots.end() ? kNoOwner : static_cast<int>(tree - m_roots.begin());
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

bool RowFinder::anyFits(const TreeShape& shape, const TreePage& node) const
{
    return std::any_of(node.cells.begin(), node.cells.end(),
                       [&](const TreePage::Cell& cell) { return fits(shape, node, cell); });
}

/// Reads a page with rows of a tree; nullopt when it holds none. A page that does not say that it is a leaf is one when
/// rows in it fit.
std::optional<TreePage> RowFinder::readLeaf(const TreeShape& shape, std::uint32_t page) const
{
    auto node = readTreePage(m_pages, page);
    // Inner nodes of trees without row numbers hold rows as well.
    if (node && node->ofTable() == shape.hasRowIds && node->kind != TreePage::Kind::tableInterior &&
        (node->cells.empty() || anyFits(shape, *node)))
        return node;
    auto leaf = readTreePage(m_pages, page, shape.hasRowIds ? TreePage::Kind::tableLeaf : TreePage::Kind::indexLeaf);
    if (leaf && anyFits(shape, *leaf))
        return leaf;
    return std::nullopt;
}

/// Returns whether a page that is named as a part of the tree may be one.
bool RowFinder::holdsRowsOf(int shape, std::uint32_t page) const
{
    const TreeShape& tree = m_shapes[static_cast<std::size_t>(shape)];
    if (readLeaf(tree, page))
        return true;
    const auto node = readTreePage(m_pages, page);
    return !node || node->interior(); // otherwise it is a leaf of another tree
}

void RowFinder::visitPage(int shape, std::uint32_t page,
                          const std::function<void(const TreeShape&, const std::vector<SqlValue>&)>& row)
{
    const TreeShape& tree = m_shapes[static_cast<std::size_t>(shape)];
    if (!tree.isTable && tree.name != kSequences)
        return;
    const auto node = readLeaf(tree, page);
    if (!node)
        return;
    for (const TreePage::Cell& cell : node->cells) {
        auto values = fits(tree, *node, cell) ? readRecord(m_pages, cell) : std::nullopt;
        if (!values) {
            m_damaged.insert(tree.name);
            continue;
        }
        for (std::size_t i = 0; i < values->size(); ++i)
            if (tree.columns[i].isRowId)
                (*values)[i] = cell.rowId;
        row(tree, *values);
    }
}

void RowFinder::visit(const std::function<void(const TreeShape&, const std::vector<SqlValue>&)>& row)
{
    std::vector<std::pair<std::uint32_t, int>> byMap;
    std::vector<std::pair<std::uint32_t, int>> byRows;
    for (std::uint32_t page = 1; page < m_owner.size(); ++page) {
        if (m_owner[page] >= 0 && holdsRowsOf(m_owner[page], page)) {
            visitPage(m_owner[page], page, row);
            continue;
        }
        if (m_owner[page] == kFree)
            continue;
        const int owner = ownerByMap(page);
        if (owner >= 0 && readLeaf(m_shapes[static_cast<std::size_t>(owner)], page)) {
            byMap.emplace_back(page, owner);
            continue;
        }
        const auto node = readTreePage(m_pages, page);
        if (!node || node->kind == TreePage::Kind::tableInterior)
            continue;
        if (const int guess = owner == kFree ? kNoOwner : ownerByRows(*node); guess >= 0)
            byRows.emplace_back(page, guess);
    }
    for (const auto& list : {byMap, byRows})
        for (const auto& [page, owner] : list) {
            m_damaged.insert(m_shapes[static_cast<std::size_t>(owner)].name);
            visitPage(owner, page, row);
        }
}

} // namespace apertune::store
