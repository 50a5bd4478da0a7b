// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/raw_pages.h"

#include <cstdint>
#include <functional>
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
        std::string type; ///< as declared: INTEGER, REAL, TEXT or BLOB
        bool mayBeNull = false;
        bool mayBeAbsent = false; ///< rows that are older than the column do not store it
        bool isRowId = false;     ///< stored as the row's number, and as NULL in its record
    };
    std::string name;
    bool isTable = false;        ///< of the workspace; false: an index, or SQLite's own
    bool hasRowIds = false;      ///< the tree is ordered by row number; else it is ordered by its first columns
    std::uint32_t root = 0;      ///< its first page in a new file
    std::vector<Column> columns; ///< in the order of its records
};

/// The trees of a database whose schema this program made, in the order of creation.
std::vector<TreeShape> treeShapes(const Database& db);

/// Finds the rows of known tables in a damaged file: by the trees from their roots, by the pointer map where a node of
/// a tree cannot be read, and by the shape of the rows where that does not tell either.
class RowFinder
{
public:
    /// REQUIRES: both outlive this object.
    RowFinder(const RawPages& pages, const std::vector<TreeShape>& shapes);

    /// Calls `row` for every row that can be read and fits its table, those with the surest place first. Values stand
    /// in the order of the columns and end early where the record does.
    void visit(const std::function<void(const TreeShape&, const std::vector<SqlValue>&)>& row);

    /// Trees of which a part was not where it should be, or could not be read. Complete after visit().
    const std::set<std::string>& damaged() const { return m_damaged; }

private:
    static constexpr int kNobody = -1;
    static constexpr int kFree = -2;

    std::vector<std::uint32_t> findRoots();
    void claim(int shape, std::uint32_t root);
    int ownerByMap(std::uint32_t page) const;
    int ownerByRows(const TreePage& node) const;
    bool fits(const TreeShape& shape, const TreePage& node, const TreePage::Cell& cell,
              std::vector<SqlValue>& values) const;
    bool anyFits(const TreeShape& shape, const TreePage& node) const;
    void visitPage(int shape, std::uint32_t page,
                   const std::function<void(const TreeShape&, const std::vector<SqlValue>&)>& row);

    const RawPages& m_pages;
    const std::vector<TreeShape>& m_shapes;
    std::vector<int> m_owner; ///< of each page
    std::set<std::string> m_damaged;
};

} // namespace apertune::store
