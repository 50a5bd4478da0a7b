// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/migration.h"

#include "core/store/copy_database.h"
#include "core/store/errors.h"
#include "core/store/failure.h"

#include <filesystem>
#include <string>

namespace apertune::store {

namespace fs = std::filesystem;
using base::ErrorCode;

namespace {

void setVersion(const Database& database, int version)
{
    database.execute("PRAGMA user_version = " + std::to_string(version));
}

fs::path backupPath(const fs::path& file, int version)
{
    // An existing backup is never overwritten: it may be the only copy from before a failed upgrade.
    const std::string name = file.string() + ".bak-v" + std::to_string(version);
    fs::path candidate = name;
    for (int n = 2; fs::exists(candidate); ++n)
        candidate = name + "-" + std::to_string(n);
    return candidate;
}

} // namespace

void useWriteAheadLog(const Database& database)
{
    Statement wal = database.prepare("PRAGMA journal_mode = WAL");
    if (!wal.step() || wal.text(0) != "wal")
        fail({ErrorCode::io, base::message<errors::kNoWriteAheadLog>(), database.file().string(),
              base::message<errors::kPutOnLocal>()});
}

void createSchema(const Database& database, std::span<const Migration> migrations)
{
    // These three settings have to precede the first table. A process that is killed here leaves an empty database,
    // which the next open finds and completes.
    database.execute("PRAGMA page_size = " + std::to_string(kPageSize));
    database.execute("PRAGMA auto_vacuum = INCREMENTAL");
    useWriteAheadLog(database);

    Transaction transaction(database, Transaction::Kind::write);
    // All steps run on a new file too, so a new workspace has the schema of an upgraded one.
    for (const Migration& step : migrations)
        database.execute(std::string(step.sql));
    database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
    setVersion(database, migrations.back().version);
    transaction.commit();
}

void applyMigrations(const Database& database, int fromVersion, std::span<const Migration> migrations)
{
    // A step may rebuild a table that others refer to. The check at the end finds references that it broke. The setting
    // cannot change inside a transaction.
    database.execute("PRAGMA foreign_keys = OFF");
    Transaction transaction(database, Transaction::Kind::write);
    for (const Migration& step : migrations)
        if (step.version > fromVersion)
            database.execute(std::string(step.sql));
    // A row means a reference that leads nowhere.
    if (database.prepare("PRAGMA foreign_key_check").step())
        fail({ErrorCode::corrupt, base::message<errors::kReferencesDiffer>(), database.file().string()});
    setVersion(database, migrations.back().version);
    transaction.commit();
    database.execute("PRAGMA foreign_keys = ON");
}

void migrate(const Database& database, int fromVersion, std::span<const Migration> migrations)
{
    const fs::path backup = backupPath(database.file(), fromVersion);
    // The copy is made before the first change.
    copyDatabase(database, backup);
    try {
        applyMigrations(database, fromVersion, migrations);
    } catch (Failure& failure) {
        failure.error.message = base::message<errors::kUpgradeFailed>(fromVersion, migrations.back().version,
                                                                      std::move(failure.error.message));
        failure.error.hint =
            base::sentencesOf({base::message<errors::kCopyIsAt>(backup.string()), std::move(failure.error.hint)});
        throw;
    }
}

} // namespace apertune::store
