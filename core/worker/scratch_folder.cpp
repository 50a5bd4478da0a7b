// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/scratch_folder.h"

#include "core/worker/errors.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace apertune::worker {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPrefix = "apertune-study";
constexpr const char* kLock = "in-use";

/// Removes the folders whose process has ended, so that their lock is free. A folder without the lock file is just
/// being created, or is not Apertune's, and stays.
void removeLeftovers(const fs::path& among)
{
    std::error_code ignored;
    for (fs::directory_iterator it(among, ignored), end; !ignored && it != end; it.increment(ignored)) {
        // A link with that name could lead to a folder of somebody else.
        if (!it->path().filename().string().starts_with(kPrefix) || it->is_symlink(ignored))
            continue;
        const int fd = ::open((it->path() / kLock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (fd < 0)
            continue;
        std::error_code failed;
        // Only a folder whose owner has ended can be locked.
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
            fs::remove_all(it->path(), failed);
        ::close(fd);
    }
}

} // namespace

base::Result<ScratchFolder> ScratchFolder::create()
{
    auto dir = base::TemporaryDir::create(kPrefix);
    if (!dir)
        return dir.error();
    // Folders of runs that were killed are removed here, because nobody else knows of them.
    removeLeftovers(dir->path().parent_path());

    // The file is locked before it gets its name, so that no other process sees it unlocked.
    const fs::path unnamed = dir->path() / "making";
    const int fd = ::open(unnamed.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 || ::flock(fd, LOCK_EX) != 0 || ::rename(unnamed.c_str(), (dir->path() / kLock).c_str()) != 0) {
        const int failure = errno;
        if (fd >= 0)
            ::close(fd);
        return base::Error{base::ErrorCode::io, base::message<errors::kNoScratch>(std::strerror(failure)),
                           dir->path().string(), base::message<errors::kFreeScratch>()};
    }
    return ScratchFolder(std::move(dir).value(), fd);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : m_dir(std::move(other.m_dir)), m_lock(std::exchange(other.m_lock, -1))
{
}

ScratchFolder::~ScratchFolder()
{
    if (m_lock >= 0)
        ::close(m_lock);
}

} // namespace apertune::worker
