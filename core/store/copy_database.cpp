// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/copy_database.h"

#include "core/base/errors.h"
#include "core/store/errors.h"
#include "core/store/failure.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace apertune::store {

namespace fs = std::filesystem;
using base::ErrorCode;

namespace {

void syncFile(const fs::path& file)
{
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    // A missing file is reported by the rename() that follows.
    if (fd < 0)
        return;
    const int code = ::fsync(fd);
    const int failure = errno;
    ::close(fd);
    if (code != 0)
        fail({ErrorCode::io, base::message<errors::kCopyNotWritten>(std::strerror(failure)), file.string(),
              base::message<errors::kCheckDiskAndSpace>()});
}

} // namespace

void copyDatabase(const Database& database, const fs::path& target)
{
    std::error_code ignored;
    // A link counts as existing, whatever it leads to.
    if (fs::exists(fs::symlink_status(target, ignored)))
        fail({ErrorCode::invalidArgument,
              base::message<errors::kFileIsThere>(target.string()),
              {},
              base::message<errors::kOtherName>()});
    // Two processes that copy to the same target must not write to the same part.
    const fs::path part = target.string() + ".part-" + std::to_string(::getpid());
    // A part of an earlier process of this number may be left.
    fs::remove(part, ignored);
    try {
        // This copy is consistent even while other processes write, and contains the write-ahead log.
        database.run("VACUUM INTO ?1", part.string());
    } catch (...) {
        fs::remove(part, ignored);
        throw;
    }
    renameSynced(part, target);
}

void renameSynced(const fs::path& part, const fs::path& target)
{
    try {
        // After a crash, the final name must not belong to a file whose content never reached the disk.
        syncFile(part);
        if (::rename(part.c_str(), target.c_str()) != 0)
            fail({ErrorCode::io,
                  base::message<base::errors::kCannotWrite>(target.string(), std::strerror(errno)),
                  {},
                  base::message<base::errors::kCheckFolder>()});
    } catch (...) {
        std::error_code ignored;
        fs::remove(part, ignored);
        throw;
    }
}

} // namespace apertune::store
