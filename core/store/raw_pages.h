// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace apertune::store {

/// Reads a database file page by page, for files that SQLite refuses to read.
///  - Nothing that the file defines is run: neither its schema nor its triggers and views.
///  - The formulas are those of https://sqlite.org/fileformat2.html.
///  - Pages count from 1.
/// Threads: one at a time.
class RawPages
{
public:
    /// Reads the pages of a file as the last commit in the write-ahead log left them. No other process can overwrite
    /// them while this object lives. Without the file, or where nothing is left in it, the log is read alone. Failures:
    /// those of openConnection(), and io.
    explicit RawPages(const std::filesystem::path& file);

    /// Returns the bytes of a page: fewer than pageSize() where the file ends, none beyond its end.
    std::string read(std::uint32_t page) const;

    std::uint32_t count() const { return m_count; } ///< the largest page number in file and log
    std::uint32_t pageSize() const { return m_pageSize; }
    std::uint32_t usableSize() const { return m_usableSize; } ///< bytes of a page that hold content

    /// Takes bytes of overflow pages from a supply that every sound file keeps within. Returns false when it is spent:
    /// then chains lead in circles or belong to many rows, and reading on would take too long.
    bool takeChainBytes(std::uint64_t bytes) const;

    // Facts from the file's header. Without a header they mean nothing.
    bool hasHeader() const { return m_hasHeader; }
    std::int64_t applicationId() const { return m_applicationId; }
    int version() const { return m_version; } ///< user_version

    /// Returns the pages of the list of free pages, as far as the list can be read.
    std::vector<std::uint32_t> freePages() const;

    /// A page's entry in the pointer map.
    struct Place
    {
        enum class Kind { root = 1, free = 2, firstOverflow = 3, furtherOverflow = 4, node = 5 };
        Kind kind;
        std::uint32_t parent; ///< a node's parent page
    };
    std::optional<Place> place(std::uint32_t page) const;

private:
    void openFile(const std::filesystem::path& file);
    void readLog();
    void readHeader();
    void choosePageSize(std::uint32_t stated, std::uint32_t reserved);
    std::size_t soundCells() const;
    std::string readFile(std::uint64_t offset, std::uint32_t size) const;

    std::optional<Database> m_connection;     ///< none: the log is all there is
    std::optional<Transaction> m_transaction; ///< keeps writers from reusing the log
    std::uint64_t m_fileSize = 0;
    std::string m_logFile;
    std::unordered_map<std::uint32_t, std::uint64_t> m_log; ///< page → offset of its bytes in the log
    std::uint32_t m_pageSize = 0;
    std::uint32_t m_usableSize = 0;
    std::uint32_t m_count = 0;
    bool m_hasHeader = false;
    std::int64_t m_applicationId = 0;
    int m_version = 0;
    std::uint32_t m_firstFree = 0;
    mutable std::uint64_t m_chainBytesLeft = 0;
};

/// A node of a B-tree.
struct TreePage
{
    enum class Kind { indexInterior = 2, tableInterior = 5, indexLeaf = 10, tableLeaf = 13 };
    struct Cell
    {
        std::uint32_t child = 0;  ///< interior nodes only
        std::int64_t rowId = 0;   ///< table trees only
        std::uint64_t size = 0;   ///< size of the record; 0: the node has none
        std::string_view local{}; ///< the part of the record in this page
        std::uint32_t overflow = 0;
    };
    Kind kind;
    std::string bytes; ///< the page's bytes; cells point into them
    std::vector<Cell> cells;
    std::uint32_t right = 0; ///< the last child of an interior node
    bool complete = true;    ///< false: cells that do not lie within the page were left out

    bool interior() const { return kind == Kind::indexInterior || kind == Kind::tableInterior; }
    bool ofTable() const { return kind == Kind::tableInterior || kind == Kind::tableLeaf; }
};

/// Reads a node of a tree; nullopt when the page is none. `assumed` replaces the kind that the page states.
std::optional<TreePage> readTreePage(const RawPages& pages, std::uint32_t page,
                                     std::optional<TreePage::Kind> assumed = {});

/// The type of a value in a record, without its size.
enum class StoredType { null, integer, real, text, blob };

/// Reads the types of a record's values; nullopt when they are damaged or not all in the page of the cell.
std::optional<std::vector<StoredType>> readTypes(const TreePage::Cell& cell);

/// Reads the values of a record; nullopt when it is damaged, a part of it is missing, or it is larger than any value
/// that SQLite may store in a workspace.
std::optional<std::vector<SqlValue>> readRecord(const RawPages& pages, const TreePage::Cell& cell);

} // namespace apertune::store
