// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/open_workspace.h"

#include "core/base/errors.h"
#include "core/base/temporary_dir.h"
#include "core/store/copy_database.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/migration.h"
#include "core/store/schema_check.h"

#include <system_error>

namespace apertune::store {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

namespace {

void requireShort(const fs::path& path)
{
    constexpr std::size_t kLongest = 500; // SQLite's limit of 512 minus the length of its suffixes
    if (path.string().size() > kLongest)
        fail({ErrorCode::invalidArgument, base::message<errors::kPathTooLong>(path.string().size(), kLongest),
              path.string(), base::message<errors::kShorterPath>()});
}

constexpr std::uintmax_t kSmallestDatabase = 512; ///< size of the smallest page that SQLite knows

/// Checks by name only. The file itself must never be opened here: closing any descriptor of it would drop the POSIX
/// locks that other connections of this process hold on it.
fs::path resolved(const fs::path& file, OpenMode mode)
{
    const std::string shown = file.string();
    if (shown.empty() || shown.find('\0') != std::string::npos)
        fail({ErrorCode::invalidArgument, base::message<errors::kNotNamed>(), {}, base::message<errors::kNameRuns>()});

    std::error_code code;
    // The limit of SQLite holds for absolute paths.
    requireShort(fs::absolute(file, code));
    const fs::file_status status = fs::status(file, code);
    if (fs::is_directory(status))
        fail({ErrorCode::invalidArgument,
              base::message<errors::kIsAFolder>(shown),
              {},
              base::message<errors::kNameFileInIt>((file / "runs.apertune").string())});
    if (fs::exists(status) && !fs::is_regular_file(status))
        fail({ErrorCode::invalidArgument,
              base::message<errors::kNotRegular>(shown),
              {},
              base::message<errors::kNameWorkspaceFile>()});
    // SQLite takes a file of one byte for an empty database and would overwrite it.
    if (isOnlyTheLog(file))
        fail({ErrorCode::corrupt, base::message<errors::kOnlyTheLog>(), shown,
              base::message<errors::kRestoreOrRepair>()});
    if (const auto size = fs::exists(status) ? fs::file_size(file, code) : 0; size > 0 && size < kSmallestDatabase)
        fail({ErrorCode::corrupt, base::message<errors::kNoWorkspace>(), shown,
              base::message<errors::kNameWorkspaceOrNew>()});
    if (!fs::exists(status) && code && code != std::errc::no_such_file_or_directory)
        fail({ErrorCode::io,
              base::message<errors::kCannotLook>(shown, code.message()),
              {},
              base::message<errors::kCheckPathAndPermissions>()});
    if (!fs::exists(status)) {
        // A link to a missing file would make SQLite create the file in another place.
        if (fs::is_symlink(fs::symlink_status(file, code)))
            fail({ErrorCode::notFound,
                  base::message<errors::kDeadLink>(shown, fs::read_symlink(file, code).string()),
                  {},
                  base::message<errors::kMendLink>()});
        if (mode == OpenMode::readOnly)
            fail({ErrorCode::notFound,
                  base::message<errors::kNoSuchWorkspace>(shown),
                  {},
                  base::message<errors::kMadeByFirst>()});
        if (const fs::path folder = fs::absolute(file, code).parent_path(); !folder.empty()) {
            fs::create_directories(folder, code);
            if (code)
                fail({ErrorCode::io,
                      base::message<errors::kCannotCreateFolder>(folder.string(), code.message()),
                      {},
                      base::message<base::errors::kCheckOrOtherPlace>()});
        }
    }
    // Links are resolved, so that the lock and the log lie beside the file itself.
    const fs::path path = fs::weakly_canonical(fs::absolute(file, code), code);
    if (code)
        fail({ErrorCode::io,
              base::message<errors::kCannotResolve>(shown, code.message()),
              {},
              base::message<base::errors::kCheckPath>()});
    requireShort(path);
    return path;
}

void configure(const Database& database)
{
    // With a write-ahead log, NORMAL can lose the last commits at a power failure, but cannot damage the file. The log
    // is cut to 64 MiB after a large import, because SQLite would keep its size.
    database.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON;"
                     "PRAGMA journal_size_limit = 67108864");
}

bool hasPendingLog(const fs::path& file)
{
    std::error_code code;
    const auto size = fs::file_size(file.string() + "-wal", code);
    return !code && size > 0;
}

/// Opens a read-only connection and identifies the file. Where the side files of the write-ahead log cannot be created,
/// SQLite can read only a file that nobody writes.
Database openForReading(const fs::path& file, FileIdentity& identity)
{
    try {
        Database database = Database::open(file, Database::Access::readOnly);
        identity = identify(database);
        return database;
    } catch (const Failure& failure) {
        // Only a failure to read the log suggests another way to open.
        if (failure.error.code != ErrorCode::io)
            throw;
        if (hasPendingLog(file))
            fail({ErrorCode::io, base::message<errors::kPendingLog>(), file.string(),
                  base::message<errors::kCopyBoth>()});
    }
    // Without a pending log the file alone is complete, and SQLite may read it without its log.
    Database database = Database::open(file, Database::Access::immutable);
    identity = identify(database);
    return database;
}

void requireWorkspace(const FileIdentity& identity, const fs::path& file)
{
    if (identity.empty && (identity.applicationId == 0 || identity.applicationId == kApplicationId))
        fail({ErrorCode::corrupt, base::message<errors::kEmptyFile>(), file.string(),
              base::message<errors::kOpenForWriting>()});
    if (identity.applicationId != kApplicationId || identity.version < 1)
        fail({ErrorCode::corrupt, base::message<errors::kForeignDatabase>(), file.string(),
              base::message<errors::kNameWorkspaceOrNew>()});
}

/// Returns the first problem that SQLite finds; empty without one. Larger files are not checked: it takes about 1 ms a
/// MiB.
base::Message damage(const Database& database)
{
    constexpr std::int64_t kLargestChecked = 64 << 20;
    const std::int64_t size = database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size");
    std::error_code code;
    const auto sizeOnDisk = static_cast<std::int64_t>(fs::file_size(database.file(), code));
    if (!code && sizeOnDisk < size && !hasPendingLog(database.file()))
        return base::message<errors::kLastPageCutOff>(); // SQLite would read zeros in place of the missing page
    // A check of a large file would delay each start.
    if (size > kLargestChecked)
        return {};
    try {
        Statement check = database.prepare("PRAGMA quick_check(1)");
        const std::string found = check.step() ? check.text(0) : std::string();
        return found == "ok" ? base::Message() : base::foreignText(found);
    } catch (const Failure& failure) {
        if (failure.error.code != ErrorCode::corrupt)
            throw;
        return failure.error.message;
    }
}

base::Message newerReason(int version, int known)
{
    return base::message<errors::kNewerSchema>(version, known);
}

/// Opens a copy of an older file, upgraded to the newest schema. The file stays as it is; its later commits are not
/// seen.
void readUpgradedCopy(OpenedWorkspace& opened, int version, std::span<const Migration> migrations)
{
    try {
        auto folder = base::TemporaryDir::create("upgrade");
        if (!folder)
            fail(folder.error());
        const fs::path copy = folder->path() / opened.file.filename();
        // The original is never changed: this process may not write to it.
        copyDatabase(*opened.database, copy);
        opened.copy.emplace(std::move(*folder));
        opened.database.emplace(Database::open(copy, Database::Access::create));
        applyMigrations(*opened.database, version, migrations);
    } catch (Failure& failure) {
        failure.error.message = base::message<errors::kUpgradedCopyFailed>(version, std::move(failure.error.message));
        throw;
    }
    opened.readOnlyReason = base::message<errors::kUpgradedCopy>(std::move(opened.readOnlyReason), version);
}

/// Upgrades an older workspace, with a backup, as opening it for writing does. Returns false and changes nothing when
/// that is impossible: another process writes the file, or the medium is read-only.
bool upgradeInPlace(const fs::path& file, std::span<const Migration> migrations)
{
    try {
        return openWorkspace(file, OpenMode::readWrite, migrations).readOnlyReason.empty();
    } catch (const Failure&) {
        return false; // the upgraded copy that follows reports the problem
    }
}

OpenedWorkspace openReadOnly(const fs::path& file, const base::Message& reason, std::span<const Migration> migrations,
                             bool mayUpgrade = false)
{
    FileIdentity identity;
    OpenedWorkspace opened{file, {}, {}, openForReading(file, identity), reason, false};
    requireWorkspace(identity, file);
    requireOwnSchema(*opened.database, migrations);
    const int known = migrations.back().version;
    if (identity.version < known) {
        // An open connection would keep the upgrade from changing the mode of the journal.
        opened.database.reset();
        if (mayUpgrade && upgradeInPlace(file, migrations))
            return openReadOnly(file, reason, migrations);
        opened.database.emplace(openForReading(file, identity));
        requireOwnSchema(*opened.database, migrations);
        readUpgradedCopy(opened, identity.version, migrations);
    }
    if (identity.version > known) {
        opened.newerSchema = true;
        opened.readOnlyReason = newerReason(identity.version, known);
    }
    configure(*opened.database);
    return opened;
}

} // namespace

bool isOnlyTheLog(const fs::path& file)
{
    std::error_code code;
    const auto size = fs::file_size(file, code);
    return (code == std::errc::no_such_file_or_directory || (!code && size < kSmallestDatabase)) && hasPendingLog(file);
}

Database openConnection(const fs::path& file)
{
    return Database::open(resolved(file, OpenMode::readOnly), Database::Access::readOnly);
}

void removeEmptyLog(const fs::path& file)
{
    std::error_code code;
    if (fs::file_size(file.string() + "-wal", code) != 0 || code)
        return;
    try {
        // SQLite removes its side files only when the last connection that may write closes.
        identify(Database::open(file, Database::Access::write));
    } catch (const Failure&) {
        // This process may not write to the folder. The side files stay, which is harmless.
    }
}

OpenedWorkspace openWorkspace(const fs::path& name, OpenMode mode, std::span<const Migration> migrations)
{
    const fs::path file = resolved(name, mode);
    if (mode == OpenMode::readOnly)
        return openReadOnly(file, base::message<errors::kOpenedForReading>(), migrations, true);

    std::error_code ignored;
    const bool existed = fs::exists(file, ignored);
    auto lock = WriterLock::take(file);
    if (!lock) {
        // A folder that this process may not write to can still be read.
        if (lock.error().code == ErrorCode::unsupported && existed)
            return openReadOnly(file, base::message<errors::kFolderNotWritable>(), migrations);
        Error error = lock.error();
        if (error.code == ErrorCode::unsupported)
            error.code = ErrorCode::io;
        fail(error);
    }

    OpenedWorkspace opened{file, {},   std::move(lock).value(), Database::open(file, Database::Access::create),
                           {},   false};
    Database& database = *opened.database;
    const FileIdentity identity = identify(database);
    // SQLite opens a write-protected file for reading without an error. Then the lock is given up, because it would
    // keep out a process that can write.
    if (!database.writable()) {
        opened.database.reset();
        opened.lock.reset();
        return openReadOnly(file, base::message<errors::kFileNotWritable>(), migrations);
    }
    const int known = migrations.back().version;
    // A file without tables and without the application's number is new.
    if (identity.empty && identity.applicationId == 0) {
        createSchema(database, migrations);
    } else {
        requireWorkspace(identity, file);
        if (identity.version > known) {
            opened.database.reset();
            opened.lock.reset();
            return openReadOnly(file, newerReason(identity.version, known), migrations);
        }
        requireOwnSchema(database, migrations);
        if (const base::Message found = damage(database); !found.empty()) {
            opened.database.reset();
            opened.lock.reset();
            return openReadOnly(file, base::message<errors::kIsDamaged>(found), migrations);
        }
        useWriteAheadLog(database); // it is off in copies and restored backups
        if (identity.version < known)
            migrate(database, identity.version, migrations);
    }
    configure(database);
    return opened;
}

} // namespace apertune::store
