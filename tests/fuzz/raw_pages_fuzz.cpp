// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of database files that SQLite refuses to read: core/store/raw_pages.h and salvage_rows.h. The input is the size
// of a database, its bytes, and frames of a write-ahead log. The checksums are corrected, because random input would
// never match them.
#include "core/store/failure.h"
#include "core/store/salvage_rows.h"
#include "tests/fuzz/fuzz.h"

#include <sqlite3.h>

#include <array>
#include <fstream>

namespace apertune::fuzz {

using store::Database;

namespace {

constexpr std::size_t kPage = 512;
constexpr std::uint32_t kMostPages = 200;

constexpr const char* kSchema =
    "PRAGMA page_size = 512; PRAGMA auto_vacuum = incremental; "
    "CREATE TABLE study (id INTEGER PRIMARY KEY, name TEXT NOT NULL, ratio REAL, data BLOB) STRICT; "
    "CREATE INDEX study_by_name ON study (name); "
    "CREATE TABLE place (trace INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (trace, name)) STRICT, WITHOUT ROWID;";
constexpr const char* kRows =
    "INSERT INTO study VALUES (1, 'first', 0.5, NULL), (2, 'second', 3, x'0011'), (3, 'long', NULL, zeroblob(1300)); "
    "INSERT INTO study (name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT "
    "'study ' || i FROM n; INSERT INTO place VALUES (1, 'here'), (1, 'there'); DELETE FROM study WHERE id = 3;";

std::string serialized(const char* rows)
{
    const Database db = Database::inMemory();
    db.execute(std::string(kSchema) + rows);
    sqlite3_int64 size = 0;
    unsigned char* const bytes = sqlite3_serialize(db.handle(), "main", &size, 0);
    require(bytes != nullptr, "a database can be serialized");
    std::string text(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    sqlite3_free(bytes);
    return text;
}

std::string big32(std::uint32_t value)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift);
    return bytes;
}

/// Adds bytes to the running checksum of a log, by https://sqlite.org/fileformat2.html#checksum_algorithm.
void add(std::array<std::uint32_t, 2>& sum, std::string_view bytes)
{
    for (Input words(bytes); !words.atEnd();) {
        sum[0] += __builtin_bswap32(words.take<std::uint32_t>()) + sum[1];
        sum[1] += __builtin_bswap32(words.take<std::uint32_t>()) + sum[0];
    }
}

/// A frame is the number of a page, the size of the database after it or 0, and the bytes of the page.
std::string logOf(Input frames)
{
    std::array<std::uint32_t, 2> sum{};
    const std::string salts = big32(7) + big32(8);
    std::string log = big32(0x377f0683) + big32(3007000) + big32(kPage) + big32(0) + salts;
    add(sum, log);
    log += big32(sum[0]) + big32(sum[1]);
    while (!frames.atEnd()) {
        const std::string place =
            big32(frames.take<std::uint16_t>() % kMostPages) + big32(frames.take<std::uint8_t>() % kMostPages);
        std::string page(frames.text(kPage));
        page.resize(kPage);
        add(sum, place);
        add(sum, page);
        log += place + salts + big32(sum[0]) + big32(sum[1]) + page;
    }
    return log;
}

void write(const std::filesystem::path& file, std::string_view bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void examinePages(const store::RawPages& pages)
{
    for (std::uint32_t page = 0; page <= std::min(pages.count() + 1, kMostPages); ++page) {
        require(pages.read(page).size() <= pages.pageSize(), "a page is no longer than a page");
        static_cast<void>(pages.place(page));
        const auto node = store::readTreePage(pages, page);
        if (!node)
            continue;
        for (const store::TreePage::Cell& cell : node->cells) {
            require(cell.local.size() <= cell.size || cell.size == 0, "a page holds no more of a record than there is");
            static_cast<void>(store::readRecord(pages, cell));
        }
    }
    static_cast<void>(pages.freePages());
}

} // namespace

void examine(std::string_view bytes)
{
    Input input(bytes);
    const std::string_view database = input.text(input.take<std::uint16_t>());
    const std::filesystem::path file = scratchFolder() / "damaged";
    const std::filesystem::path log = scratchFolder() / "damaged-wal";
    write(file, database);
    if (input.atEnd())
        std::filesystem::remove(log);
    else
        write(log, logOf(input));
    static const Database sound = [] {
        Database db = Database::inMemory();
        db.execute(kSchema);
        return db;
    }();
    static const std::vector<store::TreeShape> shapes = store::treeShapes(sound);
    const auto found = store::guarded([&] {
        const store::RawPages pages(Database::open(file, Database::Access::readOnly));
        examinePages(pages);
        store::RowFinder finder(pages, shapes);
        std::size_t rows = 0;
        finder.visit([&](const store::TreeShape& shape, const std::vector<store::SqlValue>& values) {
            require(values.size() <= shape.columns.size(), "a row has no more values than columns");
            ++rows;
        });
        return rows;
    });
    static_cast<void>(valueOf(found));
    std::filesystem::remove(scratchFolder() / "damaged-shm");
}

std::vector<std::string> seeds()
{
    const std::string empty = serialized("");
    const std::string full = serialized(kRows);
    const auto withSize = [](const std::string& database) {
        return bytesOf(static_cast<std::uint16_t>(database.size())) + database;
    };
    std::string frames;
    for (std::uint16_t page = 1; page <= 4; ++page)
        frames += bytesOf(page, static_cast<std::uint8_t>(page == 4 ? 4 : 0)) +
                  full.substr(static_cast<std::size_t>(page - 1) * kPage, kPage);
    std::string headless = full;
    headless.replace(0, 100, 100, '\0');
    return {withSize(empty), withSize(full), withSize(empty) + frames, withSize(headless)};
}

} // namespace apertune::fuzz
