// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/raw_pages.h"

#include "core/base/errors.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/open_workspace.h"
#include "core/store/schema.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <system_error>
#include <unordered_set>

namespace apertune::store {

namespace {

// The numbers in this file are those of SQLite's file format (https://sqlite.org/fileformat2.html). Its integers are
// big-endian, and pages count from 1.

std::uint32_t big32(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::uint32_t big16(std::string_view bytes, std::size_t at)
{
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at]) << 8 |
                                      static_cast<unsigned char>(bytes[at + 1]));
}

bool isPageSize(std::uint32_t size)
{
    return size >= 512 && size <= 65536 && std::has_single_bit(size);
}

/// The running checksum of a write-ahead log.
struct LogSum
{
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    bool bigEndian = false;

    /// REQUIRES: the number of bytes is a multiple of 8.
    void add(std::string_view bytes)
    {
        const auto word = [&](std::size_t at) {
            // The order of bytes is that of the machine that wrote the log.
            const std::uint32_t value = big32(bytes, at);
            return bigEndian ? value : __builtin_bswap32(value);
        };
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            // Each sum includes the other, so that words that changed places are found.
            first += word(at) + second;
            second += word(at + 4) + first;
        }
    }
    void set(std::string_view bytes, std::size_t at)
    {
        first = big32(bytes, at);
        second = big32(bytes, at + 4);
    }
    bool is(std::string_view bytes, std::size_t at) const
    {
        return big32(bytes, at) == first && big32(bytes, at + 4) == second;
    }
};

/// Reads SQLite's variable-length integers one after the other. `good` becomes false at the end of the bytes.
struct VarintReader
{
    std::string_view bytes;
    std::size_t at = 0;
    bool good = true;

    std::uint64_t next()
    {
        std::uint64_t value = 0;
        for (int i = 0; i < 9; ++i) {
            if (at >= bytes.size()) {
                good = false;
                return 0;
            }
            const auto byte = static_cast<unsigned char>(bytes[at++]);
            // The ninth byte has eight bits.
            if (i == 8)
                return value << 8 | byte;
            value = value << 7 | (byte & 0x7f);
            if (!(byte & 0x80))
                break;
        }
        return value;
    }
};

/// Returns the number of bytes of a record of `size` bytes that lie in the page of its cell. The rest is in overflow
/// pages.
std::uint64_t localSize(std::uint64_t size, std::uint32_t usable, bool table)
{
    // Formulas of section 1.6, "B-tree Pages". An index cell is shorter, so that a page holds at least four.
    const std::uint64_t most = table ? usable - 35 : (usable - 12) * 64 / 255 - 23;
    if (size <= most)
        return size;
    const std::uint64_t least = (usable - 12) * 32 / 255 - 23;
    const std::uint64_t wanted = least + (size - least) % (usable - 4);
    return wanted <= most ? wanted : least;
}

/// Reads a value of a record from the start of `body` and removes it there. Returns false when it does not fit.
bool takeValue(std::uint64_t type, std::string_view& body, SqlValue& value)
{
    // Sizes of the serial types 0 to 9 of section 2.1: NULL, integers, a real number, and the constants 0 and 1.
    constexpr std::array<std::size_t, 10> kSizes{0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    if (type == 10 || type == 11)
        return false; // reserved by SQLite
    const std::size_t size = type < kSizes.size() ? kSizes[type] : (type - 12) / 2;
    if (size > body.size())
        return false;
    const std::string_view bytes = body.substr(0, size);
    body.remove_prefix(size);
    if (type == 0) {
        value = std::monostate{};
    } else if (type >= 12) {
        if (type % 2 == 0)
            value = SqlBytes{std::string(bytes)};
        else
            value = std::string(bytes);
    } else if (type >= 8) {
        value = static_cast<std::int64_t>(type - 8);
    } else {
        // Integers have the highest byte first and are signed.
        std::uint64_t bits = static_cast<unsigned char>(bytes[0]) & 0x80 ? ~std::uint64_t{0} : 0; // extends the sign
        for (const char c : bytes)
            bits = bits << 8 | static_cast<unsigned char>(c);
        if (type == 7)
            value = std::bit_cast<double>(bits);
        else
            value = static_cast<std::int64_t>(bits);
    }
    return true;
}

} // namespace

RawPages::RawPages(const std::filesystem::path& file) : m_logFile(file.string() + "-wal")
{
    // SQLite deletes the log of an empty database, so it must not see one.
    if (!isOnlyTheLog(file))
        openFile(file);
    readLog();
    readHeader();
}

void RawPages::openFile(const std::filesystem::path& file)
{
    m_connection.emplace(openConnection(file));
    m_logFile = m_connection->file().string() + "-wal"; // links are resolved
    std::error_code code;
    if (std::filesystem::exists(m_logFile, code)) {
        try {
            m_transaction.emplace(*m_connection, Transaction::Kind::read);
            static_cast<void>(m_connection->integer("SELECT count(*) FROM sqlite_schema"));
        } catch (const Failure&) {
            // A log that cannot be read leaves the file itself.
            m_transaction.reset(); // SQLite cannot read the file, so no other program can change it either
        }
    }
    // The file is read through SQLite's own descriptor. Closing another one would drop this process's locks on the
    // file.
    sqlite3_file* handle = nullptr;
    sqlite3_int64 size = 0;
    if (sqlite3_file_control(m_connection->handle(), "main", SQLITE_FCNTL_FILE_POINTER, &handle) != SQLITE_OK ||
        !handle || !handle->pMethods || handle->pMethods->xFileSize(handle, &size) != SQLITE_OK)
        fail({base::ErrorCode::io, base::message<errors::kCannotBeRead>(), file.string(),
              base::message<base::errors::kCheckDisk>()});
    m_fileSize = static_cast<std::uint64_t>(size);
}

std::string RawPages::readFile(std::uint64_t offset, std::uint32_t size) const
{
    if (offset >= m_fileSize)
        return {};
    // The last page may be cut off.
    std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(size, m_fileSize - offset)), '\0');
    sqlite3_file* handle = nullptr;
    sqlite3_file_control(m_connection->handle(), "main", SQLITE_FCNTL_FILE_POINTER, &handle);
    // A sector that the disk cannot read counts as damage.
    if (handle->pMethods->xRead(handle, bytes.data(), static_cast<int>(bytes.size()),
                                static_cast<sqlite3_int64>(offset)) != SQLITE_OK)
        return {};
    return bytes;
}

void RawPages::readLog()
{
    constexpr std::size_t kLogHeader = 32;
    constexpr std::size_t kFrameHeader = 24;
    std::error_code code;
    if (!std::filesystem::is_regular_file(m_logFile, code))
        return;
    std::ifstream log(m_logFile, std::ios::binary);
    std::string header(kLogHeader, '\0');
    // The lowest bit of the magic number is the order of bytes.
    if (!log.read(header.data(), kLogHeader) || (big32(header, 0) & ~1u) != 0x377f0682)
        return;
    const std::uint32_t pageSize = big32(header, 8);
    // The lowest bit of the magic number is the byte order of the machine that wrote the checksums.
    LogSum sum{0, 0, (big32(header, 0) & 1) != 0};
    // The header has a checksum of its own; without it, nothing of the log can be trusted.
    sum.add(std::string_view(header).substr(0, 24));
    if (!isPageSize(pageSize) || !sum.is(header, 24))
        return;
    m_pageSize = pageSize;
    std::unordered_map<std::uint32_t, std::uint64_t> uncommitted;
    std::string frame(kFrameHeader + pageSize, '\0');
    for (std::uint64_t offset = kLogHeader; log.read(frame.data(), static_cast<std::streamsize>(frame.size()));
         offset += frame.size()) {
        // Each restart of the log has new salts, so frames with older ones are leftovers.
        if (frame.compare(8, 8, header, 16, 8) != 0)
            continue;
        sum.add(std::string_view(frame).substr(0, 8));
        sum.add(std::string_view(frame).substr(kFrameHeader));
        const bool sound = sum.is(frame, 16);
        // Each checksum goes on from the one before it, so the frames behind a damaged one can still be checked.
        sum.set(frame, 16);
        if (!sound)
            continue;
        // Only the last frame of a transaction states the size of the database. Frames after the last such frame were
        // never committed.
        uncommitted[big32(frame, 0)] = offset + kFrameHeader;
        if (big32(frame, 4) == 0)
            continue;
        for (const auto& [page, at] : uncommitted)
            m_log[page] = at;
        // The transaction is complete, and the next one begins.
        uncommitted.clear();
    }
}

void RawPages::choosePageSize(std::uint32_t size, std::uint32_t reserved)
{
    m_pageSize = size;
    // 480 bytes are the least that the format allows; a smaller number is damage.
    m_usableSize = size - reserved >= 480 ? size - reserved : size;
    m_count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>((m_fileSize + size - 1) / size, std::uint32_t{0x7fffffff}));
    // A log may be longer than its file, which was cut off. The bound keeps a wrong page number from taking the memory.
    constexpr std::uint32_t kMostBehindFile = 1 << 22;
    const std::uint32_t last = m_count + kMostBehindFile;
    for (const auto& [page, at] : m_log)
        if (page <= last)
            m_count = std::max(m_count, page);
}

/// Returns how many cells of some pages have a sound record, to compare page sizes.
std::size_t RawPages::soundCells() const
{
    constexpr std::uint32_t kPagesToTry = 64;
    std::size_t sound = 0;
    const std::uint32_t step = std::max(1u, m_count / kPagesToTry);
    for (std::uint32_t page = 1; page <= m_count && page < m_count + step; page += step)
        if (const auto node = readTreePage(*this, page); node && !node->interior())
            sound += static_cast<std::size_t>(
                std::count_if(node->cells.begin(), node->cells.end(),
                              [&](const TreePage::Cell& cell) { return readTypes(cell).has_value(); }));
    return sound;
}

void RawPages::readHeader()
{
    const std::uint32_t logged = m_pageSize; // verified by a checksum
    std::string start = readFile(0, 100);
    if (const auto page = m_log.find(1); page != m_log.end()) {
        choosePageSize(logged, 0);
        start = read(1).substr(0, 100);
    }
    m_hasHeader = start.size() == 100 && std::memcmp(start.data(), "SQLite format 3", 16) == 0;
    std::uint32_t stated = m_hasHeader ? big16(start, 16) : 0;
    stated = stated == 1 ? 65536 : stated; // the field has 16 bits
    if (logged != 0 || !isPageSize(stated))
        stated = logged != 0 ? logged : kPageSize; // a size that nobody states is that of every workspace
    const std::uint32_t reserved = m_hasHeader ? static_cast<unsigned char>(start[20]) : 0;
    choosePageSize(stated, reserved);
    // A header that differs from that of every workspace may be damaged, so the pages decide.
    if (const std::uint32_t usual = logged != 0 ? logged : kPageSize; stated != usual || reserved != 0) {
        const std::size_t asStated = soundCells();
        choosePageSize(usual, 0);
        if (soundCells() < asStated)
            choosePageSize(stated, reserved);
    }
    m_chainBytesLeft = std::uint64_t{2} * m_count * m_pageSize;
    if (!m_hasHeader)
        return;
    m_firstFree = big32(start, 32);
    m_version = static_cast<int>(big32(start, 60));
    m_applicationId = big32(start, 68);
}

bool RawPages::takeChainBytes(std::uint64_t bytes) const
{
    if (bytes > m_chainBytesLeft)
        return false;
    m_chainBytesLeft -= bytes;
    return true;
}

std::string RawPages::read(std::uint32_t page) const
{
    if (page < 1 || page > m_count)
        return {};
    // A page in the log replaces the one in the file.
    if (const auto logged = m_log.find(page); logged != m_log.end()) {
        std::string bytes(m_pageSize, '\0');
        std::ifstream log(m_logFile, std::ios::binary);
        log.seekg(static_cast<std::streamoff>(logged->second));
        if (log.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
            return bytes;
    }
    return readFile(static_cast<std::uint64_t>(page - 1) * m_pageSize, m_pageSize);
}

std::vector<std::uint32_t> RawPages::freePages() const
{
    std::vector<std::uint32_t> free;
    std::unordered_set<std::uint32_t> seen;
    // A damaged list could lead in a circle, so no page is visited twice.
    for (std::uint32_t trunk = m_firstFree; trunk >= 1 && trunk <= m_count && seen.insert(trunk).second;) {
        const std::string bytes = read(trunk);
        if (bytes.size() < m_usableSize)
            break;
        const std::uint32_t count = big32(bytes, 4);
        // A trunk page cannot name more pages than fit on it.
        if (count > m_usableSize / 4 - 2)
            break;
        free.push_back(trunk);
        for (std::uint32_t i = 0; i < count; ++i)
            free.push_back(big32(bytes, 8 + std::size_t{4} * i));
        trunk = big32(bytes, 0);
    }
    return free;
}

std::optional<RawPages::Place> RawPages::place(std::uint32_t page) const
{
    constexpr std::uint32_t kPendingByte = 0x40000000;
    if (page < 3)
        return std::nullopt;
    // Pages of the pointer map (section 1.8) have an entry of 5 bytes for each page that follows. The page with the
    // pending byte holds no data, so a map page that falls on it moves behind it.
    const std::uint32_t perMap = m_usableSize / 5;
    std::uint32_t map = (page - 2) / (perMap + 1) * (perMap + 1) + 2;
    if (map == kPendingByte / m_pageSize + 1)
        ++map;
    if (page <= map)
        return std::nullopt; // the page belongs to the map itself
    const std::string bytes = read(map);
    const std::size_t at = std::size_t{5} * (page - map - 1);
    if (at + 5 > bytes.size() || bytes[at] < 1 || bytes[at] > 5)
        return std::nullopt;
    return Place{static_cast<Place::Kind>(bytes[at]), big32(bytes, at + 1)};
}

std::optional<TreePage> readTreePage(const RawPages& pages, std::uint32_t page, std::optional<TreePage::Kind> assumed)
{
    TreePage node;
    node.bytes = pages.read(page);
    const std::string_view bytes = node.bytes;
    // The first page begins with the header of the file.
    const std::size_t start = page == 1 ? 100 : 0;
    if (bytes.size() < start + 12)
        return std::nullopt;
    const int kind = assumed ? static_cast<int>(*assumed) : bytes[start];
    // Interior and leaf pages of indexes and tables.
    if (kind != 2 && kind != 5 && kind != 10 && kind != 13)
        return std::nullopt;
    node.kind = static_cast<TreePage::Kind>(kind);
    const std::size_t pointers = start + (node.interior() ? 12 : 8);
    // A page holds no more cells than pointers to them fit. A larger number is damage, but the first pointers are good.
    const auto most = static_cast<std::uint32_t>((pages.usableSize() - pointers) / 2);
    const std::uint32_t stated = big16(bytes, start + 3);
    const std::uint32_t count = std::min(stated, most);
    node.complete = stated <= most;
    if (node.interior())
        node.right = big32(bytes, start + 8);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t pointer = pointers + std::size_t{2} * i;
        // A damaged cell is left out, and the others of the page are still read.
        const std::size_t at = pointer + 2 <= bytes.size() ? big16(bytes, pointer) : 0;
        const std::size_t prefix = node.interior() ? 4 : 0;
        // Cells lie behind the list of their places, whose length may be wrong.
        if (at < pointer + 2 || at + prefix + 1 > bytes.size()) {
            node.complete = false;
            continue;
        }
        TreePage::Cell cell;
        if (node.interior())
            cell.child = big32(bytes, at);
        VarintReader reader{bytes, at + prefix};
        if (node.kind != TreePage::Kind::tableInterior)
            cell.size = reader.next();
        if (node.ofTable())
            cell.rowId = static_cast<std::int64_t>(reader.next());
        // Only a part of a long record is in the cell; the rest is in pages of its own.
        const std::uint64_t local = cell.size == 0 ? 0 : localSize(cell.size, pages.usableSize(), node.ofTable());
        const bool spills = local < cell.size;
        if (!reader.good || local > bytes.size() - reader.at || (spills && local + 4 > bytes.size() - reader.at)) {
            node.complete = false;
            continue;
        }
        cell.local = bytes.substr(reader.at, local);
        if (spills)
            cell.overflow = big32(bytes, reader.at + local);
        node.cells.push_back(cell);
    }
    return node;
}

std::optional<std::vector<StoredType>> readTypes(const TreePage::Cell& cell)
{
    VarintReader header{cell.local};
    const std::uint64_t size = header.next();
    if (!header.good || size > cell.local.size() || size < header.at)
        return std::nullopt;
    header.bytes = cell.local.substr(0, static_cast<std::size_t>(size));
    std::vector<StoredType> types;
    while (header.at < header.bytes.size()) {
        const std::uint64_t type = header.next();
        if (!header.good || type == 10 || type == 11) // reserved by SQLite
            return std::nullopt;
        types.push_back(type == 0   ? StoredType::null
                        : type == 7 ? StoredType::real
                        : type < 12 ? StoredType::integer
                        : type % 2  ? StoredType::text
                                    : StoredType::blob);
    }
    return types;
}

std::optional<std::vector<SqlValue>> readRecord(const RawPages& pages, const TreePage::Cell& cell)
{
    // No record is larger than the file that holds it.
    if (cell.size == 0 || cell.size > std::min(std::uint64_t{pages.count()} * pages.pageSize(), kLargestValue))
        return std::nullopt;
    std::string joined;
    std::string_view record = cell.local;
    if (cell.local.size() < cell.size) {
        if (!pages.takeChainBytes(cell.size - cell.local.size()))
            return std::nullopt;
        joined = cell.local;
        // Each page of the chain begins with the number of the next one. The number in the last page is not needed.
        for (std::uint32_t page = cell.overflow; joined.size() < cell.size;) {
            const std::string bytes = pages.read(page);
            const std::size_t part =
                static_cast<std::size_t>(std::min<std::uint64_t>(cell.size - joined.size(), pages.usableSize() - 4));
            if (bytes.size() < 4 + part)
                return std::nullopt;
            joined.append(bytes, 4, part);
            page = big32(bytes, 0);
        }
        record = joined;
    }
    // A record begins with the types of its values; their bytes follow.
    VarintReader header{record};
    const std::uint64_t headerSize = header.next();
    if (!header.good || headerSize > record.size() || headerSize < header.at)
        return std::nullopt;
    header.bytes = record.substr(0, static_cast<std::size_t>(headerSize));
    std::string_view body = record.substr(static_cast<std::size_t>(headerSize));
    std::vector<SqlValue> values;
    while (header.at < header.bytes.size()) {
        const std::uint64_t type = header.next();
        if (!header.good || !takeValue(type, body, values.emplace_back()))
            return std::nullopt;
    }
    if (!body.empty())
        return std::nullopt;
    return values;
}

} // namespace apertune::store
