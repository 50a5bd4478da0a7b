// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/raw_pages.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace apertune::store {

/// A B-tree of the workspace's schema: a table or an index.
struct TreeShape
{
    struct Column
    {
        std::string name;
        std::string type; ///< declared type: INTEGER, REAL, TEXT or BLOB
        bool mayBeNull = false;
        bool mayBeAbsent = false; ///< rows older than the column do not store it
        bool isRowId = false;     ///< the row's number holds the value; the record holds NULL
    };
    std::string name;
    bool isTable = false;        ///< a table of the workspace; false: an index, or SQLite's table of sequences
    bool hasRowIds = false;      ///< ordered by row number; false: ordered by the first columns
    std::uint32_t root = 0;      ///< first page in a new file
    std::vector<Column> columns; ///< columns in the order of the records
};

/// Returns the trees of a database, in the order of creation.
/// REQUIRES: this program created the database's schema.
std::vector<TreeShape> treeShapes(const Database& db);

/// What the schema's own table says about a table or an index. Its SQL is only compared, never run.
struct SchemaEntry
{
    std::string type;
    std::string name;
    std::uint32_t root = 0;
    std::string sql;
};

/// The schema's own table, as far as it can be read.
struct RecordedSchema
{
    std::vector<SchemaEntry> entries;
    std::vector<std::uint32_t> pages; ///< pages of its tree
    bool damaged = false;
};
RecordedSchema readSchema(const RawPages& pages);

/// Finds the rows of known tables in a damaged file:
///  1. by the trees, from their roots;
///  2. by the pointer map, where a node of a tree cannot be read;
///  3. by the shape of the rows, where the pointer map does not help either.
/// Where a tree and the pointer map disagree, other trees come first. A page whose rows fit no table that is named for
/// it is found by its rows.
class RowFinder
{
public:
    /// REQUIRES: `pages` and `shapes` outlive this object.
    RowFinder(const RawPages& pages, const std::vector<TreeShape>& shapes);

    /// Calls `row` for every row of a table, and of SQLite's table of sequences, that can be read and fits. Rows whose
    /// table is most certain come first. Values have the order of the columns. There are fewer of them when the record
    /// is shorter.
    void visit(const std::function<void(const TreeShape&, const std::vector<SqlValue>&)>& row);

    /// Returns the trees with a part that was misplaced or could not be read.
    /// REQUIRES: visit() has returned.
    const std::set<std::string>& damaged() const { return m_damaged; }

private:
    static constexpr int kNoOwner = -1;
    static constexpr int kFree = -2;

    /// A page that a tree names.
    struct Claim
    {
        int shape;
        std::uint32_t page;
        std::uint32_t parent; ///< 0: the page is a root
    };

    std::uint32_t rootOf(const TreeShape& shape, const RecordedSchema& schema) const;
    void claimTrees();
    void claim(const Claim& first, std::vector<Claim>* disputed);
    bool mapAgrees(const Claim& claim) const;
    int ownerByMap(std::uint32_t page) const;
    int ownerByRows(const TreePage& node) const;
    bool anyFits(const TreeShape& shape, const TreePage& node) const;
    std::optional<TreePage> readLeaf(const TreeShape& shape, std::uint32_t page) const;
    bool holdsRowsOf(int shape, std::uint32_t page) const;
    void visitPage(int shape, std::uint32_t page,
                   const std::function<void(const TreeShape&, const std::vector<SqlValue>&)>& row);

    const RawPages& m_pages;
    const std::vector<TreeShape>& m_shapes;
    std::vector<std::uint32_t> m_roots; ///< root page of each shape's table
    std::vector<int> m_owner;           ///< index of each page's shape, or kNoOwner or kFree
    std::set<std::string> m_damaged;
};

} // namespace apertune::store
