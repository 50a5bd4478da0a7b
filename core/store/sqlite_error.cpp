// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sqlite_database.h"

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
    switch (extendedCode & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {ErrorCode::busy, "The workspace was locked by another program for more than 5 s.", name,
                "Try again; if it stays so, close the other program that has this workspace open."};
    case SQLITE_FULL:
        return {ErrorCode::io, "The disk is full: the last change was not stored, everything before it is intact.",
                name, "Free some disk space and try again."};
    case SQLITE_READONLY:
        return {ErrorCode::io, "The workspace cannot be written (" + detail + ").", name,
                "Check the permissions of the file and its folder, or use a copy elsewhere."};
    case SQLITE_IOERR:
        // SQLite reports a file-size limit or a quota in this way, mostly without the errno behind it.
        if (extendedCode == SQLITE_IOERR_WRITE || extendedCode == SQLITE_IOERR_SHMSIZE)
            return {ErrorCode::io,
                    "Writing the workspace failed (" + detail +
                        "): the last change was not stored, everything before it is intact.",
                    name, "Free some disk space or raise the quota, check the disk, and try again."};
        return {ErrorCode::io, "Reading or writing the workspace failed (" + detail + ").", name,
                "Check the disk; a workspace must lie on a local file system."};
    case SQLITE_CANTOPEN:
        return {ErrorCode::io, "The workspace cannot be opened (" + detail + ").", name,
                "Check the path and the permissions of the file and its folder."};
    case SQLITE_NOTADB:
        return {ErrorCode::corrupt, "The file is not an Apertune workspace.", name,
                "Name a file that Apertune made (*.apertune), or a new one."};
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
        return {ErrorCode::corrupt, "The workspace is damaged (" + detail + ").", name,
                "Restore a copy of the file, or save what is readable with `apertune workspace repair`."};
    case SQLITE_NOMEM:
        return {ErrorCode::outOfMemory, "There is not enough memory to use the workspace.", name,
                "Close other programs and try again."};
    case SQLITE_TOOBIG:
        return {ErrorCode::invalidArgument, "A value is too large for the workspace.", name, "Please report this."};
    case SQLITE_CONSTRAINT:
        // Statements check that the rows they refer to exist, so the file has lost a missing one.
        if (extendedCode == SQLITE_CONSTRAINT_FOREIGNKEY)
            return {ErrorCode::corrupt, "The workspace is damaged (" + detail + ").", name,
                    "Restore a copy of the file, or save what is readable with `apertune workspace repair`."};
        return {ErrorCode::internal, "The workspace refused an inconsistent change (" + detail + ").", name,
                "Please report this."};
    case SQLITE_ERROR:
        // All statements are fixed at compile time, so the reason is a missing table or column.
        return {ErrorCode::corrupt, "The workspace does not have the expected structure (" + detail + ").", name,
                "Restore a copy of the file, or use the version of Apertune that made it."};
    default:
        return {ErrorCode::internal, "The workspace could not be used (" + detail + ").", name, "Please report this."};
    }
}

} // namespace apertune::store
