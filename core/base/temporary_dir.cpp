// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_dir.h"

#include "core/base/errors.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace apertune::base {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "apertune-tmp-";
constexpr std::string_view kPrefixBeingMade = "apertune-new-"; ///< until it is locked
constexpr std::size_t kUnique = 6;                             ///< characters at the end, which mkdtemp() chooses
constexpr std::chrono::minutes kLongestToMake{1};

/// A descriptor of a folder that this process has locked; -1: another process has, or it cannot be locked.
int lockFolder(const fs::path& folder)
{
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        ::close(fd);
        return -1;
    }
    return fd;
}

/// Removes a folder whose process ended before it could lock it, so that nothing is in it.
void removeIfOld(const fs::path& beingMade)
{
    std::error_code failed;
    const auto written = fs::last_write_time(beingMade, failed);
    if (!failed && fs::file_time_type::clock::now() - written > kLongestToMake)
        ::rmdir(beingMade.c_str());
}

/// Removes this user's folders whose processes have ended, so that their locks are free.
void removeLeftovers(const fs::path& among)
{
    std::error_code ignored;
    for (fs::directory_iterator it(among, ignored), end; !ignored && it != end; it.increment(ignored)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with(kPrefixBeingMade))
            removeIfOld(it->path());
        if (!name.starts_with(kPrefix))
            continue;
        const int fd = lockFolder(it->path());
        if (fd < 0)
            continue;
        struct stat about = {};
        std::error_code failed;
        // The administrator can lock the folders of others, but they are theirs to remove.
        if (::fstat(fd, &about) == 0 && about.st_uid == ::geteuid())
            fs::remove_all(it->path(), failed);
        ::close(fd);
    }
}

} // namespace

Result<TemporaryDir> TemporaryDir::create(std::string_view purpose)
{
    std::error_code code;
    const fs::path found = fs::temp_directory_path(code);
    const fs::path base = code ? fs::path("/tmp") : found;
    removeLeftovers(base);

    const auto failed = [&base] {
        return Error{ErrorCode::io, message<errors::kNoTemporaryFolder>(std::strerror(errno)), base.string(),
                     message<errors::kFreeTemporary>()};
    };
    std::string made = (base / (std::string(kPrefixBeingMade) + std::string(kUnique, 'X'))).string();
    if (!::mkdtemp(made.data()))
        return failed();
    // The folder gets its name when it is locked, so that no other process takes it for a leftover.
    const int lock = lockFolder(made);
    const fs::path path =
        base / (std::string(kPrefix) + std::string(purpose) + "-" + made.substr(made.size() - kUnique));
    TemporaryDir dir(made, lock);
    if (::rename(made.c_str(), path.c_str()) != 0)
        return failed();
    dir.m_path = path;
    return dir;
}

TemporaryDir::TemporaryDir(TemporaryDir&& other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_lock(std::exchange(other.m_lock, -1))
{
}

TemporaryDir& TemporaryDir::operator=(TemporaryDir&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_lock, other.m_lock);
    return *this;
}

TemporaryDir::~TemporaryDir()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
    if (m_lock >= 0)
        ::close(m_lock);
}

} // namespace apertune::base
