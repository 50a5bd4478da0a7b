// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/writer_lock.h"

#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/store/errors.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace apertune::store {

using base::Error;
using base::ErrorCode;

namespace {

constexpr int kAttempts = 3;

/// Returns the holder's line for people: "4711\napertune\n2026-11-21T14:02:11Z\n".
std::string holderText()
{
    std::string name = "apertune";
    if (const auto comm = base::readFile("/proc/self/comm"))
        name = base::join(base::splitList(*comm, '\n'));
    return std::to_string(::getpid()) + "\n" + name + "\n" + base::utcNow() + "\n";
}

Error busyError(const std::filesystem::path& workspace, int lockFd)
{
    std::array<char, 256> buffer{};
    const ssize_t size = ::pread(lockFd, buffer.data(), buffer.size(), 0);
    const auto lines =
        base::splitList(std::string_view(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0), '\n');
    if (!lines.empty() && lines[0] == std::to_string(::getpid()))
        return {ErrorCode::busy, base::message<errors::kOpenHere>(workspace.filename().string()), workspace.string(),
                base::message<errors::kCloseThere>()};
    const std::string name = workspace.filename().string();
    return {ErrorCode::busy,
            lines.size() >= 3 ? base::message<errors::kBeingWrittenBy>(name, lines[0], lines[1], lines[2])
                              : base::message<errors::kBeingWritten>(name),
            workspace.string(), base::message<errors::kWaitOrStop>()};
}

bool sameFile(int fd, const std::filesystem::path& path)
{
    struct stat opened
    {
    };
    struct stat named
    {
    };
    return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

} // namespace

base::Result<WriterLock> WriterLock::take(const std::filesystem::path& workspace)
{
    WriterLock lock;
    lock.m_path = workspace.string() + ".lock";
    int attempts = 0;
    for (;;) {
        const int fd = ::open(lock.m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (fd < 0) {
            const bool cannotWrite = errno == EACCES || errno == EROFS || errno == EPERM;
            return Error{cannotWrite ? ErrorCode::unsupported : ErrorCode::io,
                         base::message<base::errors::kCannotCreate>(lock.m_path.string(), std::strerror(errno)),
                         workspace.string(), base::message<base::errors::kCheckFolder>()};
        }
        if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
            const int failure = errno;
            // isHeld() of another process may hold it for an instant.
            if (failure == EWOULDBLOCK && attempts++ < kAttempts) {
                ::close(fd);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                continue;
            }
            const Error busy = busyError(workspace, fd);
            ::close(fd);
            if (failure == EINTR)
                continue;
            if (failure == EWOULDBLOCK)
                return busy;
            return Error{ErrorCode::io, base::message<errors::kCannotLock>(std::strerror(failure)), workspace.string(),
                         base::message<errors::kMoveToLocal>()};
        }
        // The previous holder may have removed the file after it was opened here. Then this lock is on a file that
        // nobody else can find.
        if (!sameFile(fd, lock.m_path)) {
            ::close(fd);
            continue;
        }
        lock.m_fd = fd;
        break;
    }
    // Only people read the text. The lock works without it, so a full disk is no reason to refuse.
    const std::string text = holderText();
    if (::ftruncate(lock.m_fd, 0) != 0 || ::pwrite(lock.m_fd, text.data(), text.size(), 0) < 0)
        return lock;
    return lock;
}

bool WriterLock::isHeld(const std::filesystem::path& workspace)
{
    const int fd = ::open((workspace.string() + ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return false;
    // A shared lock does not keep out others who ask the same question.
    const bool held = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(fd);
    return held;
}

WriterLock::WriterLock(WriterLock&& other) noexcept
{
    *this = std::move(other);
}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_fd, other.m_fd);
    return *this;
}

WriterLock::~WriterLock()
{
    if (m_fd < 0)
        return;
    // The name is removed while the lock is held. After the close another process could own the lock of this file, and
    // its name would vanish.
    ::unlink(m_path.c_str());
    ::close(m_fd);
}

} // namespace apertune::store
