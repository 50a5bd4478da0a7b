// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sqlite_error.h"

#include "core/base/errors.h"
#include "core/store/errors.h"

#include <sqlite3.h>

#include <cstring>

namespace apertune::store {

using base::Error;
using base::ErrorCode;

Error sqliteError(int extendedCode, int systemError, const char* message, const std::filesystem::path& file)
{
    const std::string name = file.string();
    const std::string detail =
        systemError != 0 ? std::string(message) + ", " + std::strerror(systemError) : std::string(message);
    // The low byte is the primary code; the rest says more about it.
    switch (extendedCode & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {ErrorCode::busy, base::message<errors::kLockedByOther>(), name,
                base::message<errors::kCloseOtherUser>()};
    case SQLITE_FULL:
        return {ErrorCode::io, base::message<errors::kDiskFull>(), name, base::message<base::errors::kFreeDisk>()};
    case SQLITE_READONLY:
        return {ErrorCode::io, base::message<errors::kCannotBeWritten>(detail), name,
                base::message<errors::kCheckFileOrCopy>()};
    case SQLITE_IOERR:
        // SQLite reports a file-size limit or a quota in this way, mostly without the errno behind it.
        if (extendedCode == SQLITE_IOERR_WRITE || extendedCode == SQLITE_IOERR_SHMSIZE)
            return {ErrorCode::io, base::message<errors::kWritingFailed>(detail), name,
                    base::message<errors::kFreeDiskOrQuota>()};
        return {ErrorCode::io, base::message<errors::kIoFailed>(detail), name,
                base::message<errors::kCheckDiskLocal>()};
    case SQLITE_CANTOPEN:
        return {ErrorCode::io, base::message<errors::kCannotBeOpened>(detail), name,
                base::message<errors::kCheckPathAndFolder>()};
    case SQLITE_NOTADB:
        return {ErrorCode::corrupt, base::message<errors::kNoWorkspace>(), name,
                base::message<errors::kNameWorkspaceOrNew>()};
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
        return {ErrorCode::corrupt, base::message<errors::kDamagedBecause>(detail), name,
                base::message<errors::kRestoreOrRepair>()};
    case SQLITE_NOMEM:
        return {ErrorCode::outOfMemory, base::message<errors::kNoMemory>(), name,
                base::message<base::errors::kCloseOthers>()};
    case SQLITE_TOOBIG:
        return {ErrorCode::invalidArgument, base::message<errors::kValueTooLarge>(), name,
                base::message<base::errors::kPleaseReport>()};
    case SQLITE_CONSTRAINT:
        // Statements check that the rows they refer to exist, so the file has lost a missing one.
        if (extendedCode == SQLITE_CONSTRAINT_FOREIGNKEY)
            return {ErrorCode::corrupt, base::message<errors::kDamagedBecause>(detail), name,
                    base::message<errors::kRestoreOrRepair>()};
        return {ErrorCode::internal, base::message<errors::kInconsistent>(detail), name,
                base::message<base::errors::kPleaseReport>()};
    case SQLITE_ERROR:
        // All statements are fixed at compile time, so the reason is a missing table or column.
        return {ErrorCode::corrupt, base::message<errors::kOtherStructure>(detail), name,
                base::message<errors::kRestoreOrOtherVersion>()};
    default:
        return {ErrorCode::internal, base::message<errors::kCouldNotUseBecause>(detail), name,
                base::message<base::errors::kPleaseReport>()};
    }
}

} // namespace apertune::store
