// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include "core/base/errors.h"
#include "core/base/machine_facts.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace apertune::base {

namespace fs = std::filesystem;

namespace {

fs::path environmentDir(const char* variable, const char* fallbackUnderHome)
{
    // The XDG specification declares relative paths invalid.
    if (const char* value = std::getenv(variable); value && *value == '/')
        return fs::path(value) / "apertune";
    const fs::path home = homeFolder();
    return (home.empty() ? "/tmp" : home) / fallbackUnderHome / "apertune";
}

Error ioError(Message what, int code)
{
    return {ErrorCode::io,
            std::move(what),
            {},
            code == ENOSPC                    ? message<errors::kFreeDisk>()
            : code == EACCES || code == EROFS ? message<errors::kCheckOrOtherPlace>()
                                              : message<errors::kCheckDiskAndPath>()};
}

Error cannotWrite(const fs::path& file, int code)
{
    return ioError(message<errors::kCannotWrite>(file.string(), std::strerror(code)), code);
}

/// Returns the target of a chain of symbolic links. The target need not exist.
fs::path followed(fs::path file)
{
    constexpr int kMostLinks = 40; // the kernel's limit
    std::error_code code;
    for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(file, code)); ++i) {
        const fs::path next = fs::read_symlink(file, code);
        if (code)
            break;
        file = file.parent_path() / next; // an absolute target replaces the whole path
    }
    return file;
}

} // namespace

fs::path installPrefix()
{
    std::error_code ignored;
    return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
}

fs::path userDataDir()
{
    return environmentDir("XDG_DATA_HOME", ".local/share");
}

fs::path userCacheDir()
{
    return environmentDir("XDG_CACHE_HOME", ".cache");
}

fs::path defaultWorkspace()
{
    return userDataDir() / "default.apertune";
}

Result<std::string> readFile(const fs::path& file, std::size_t most)
{
    std::error_code ignored;
    // A folder can be opened. Only read() would fail, with an error that does not help.
    if (fs::is_directory(file, ignored))
        return Error{
            ErrorCode::invalidArgument, message<errors::kIsAFolder>(file.string()), {}, message<errors::kNameAFile>()};
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return Error{errno == ENOENT || errno == ENOTDIR ? ErrorCode::notFound : ErrorCode::io,
                     message<errors::kCannotOpen>(file.string(), std::strerror(errno)),
                     {},
                     message<errors::kCheckFile>()};
    std::string bytes;
    std::array<char, 1 << 16> buffer;
    ssize_t size = 0;
    while (bytes.size() < most) {
        size = ::read(fd, buffer.data(), std::min(buffer.size(), most - bytes.size()));
        if (size == 0 || (size < 0 && errno != EINTR))
            break;
        if (size > 0)
            bytes.append(buffer.data(), static_cast<std::size_t>(size));
    }
    const int failure = errno;
    ::close(fd);
    if (size < 0)
        return ioError(message<errors::kReadingFailedBecause>(file.string(), std::strerror(failure)), failure);
    return bytes;
}

Status writeFileAtomically(const fs::path& file, std::string_view bytes)
{
    std::error_code code;
    if (file.has_parent_path())
        fs::create_directories(file.parent_path(), code);
    if (code)
        return ioError(message<errors::kCannotCreate>(file.parent_path().string(), std::strerror(code.value())),
                       code.value());

    const fs::path target = followed(file);
    const fs::file_status there = fs::status(target, code);
    if (fs::is_directory(there))
        return Error{ErrorCode::io, message<errors::kIsAFolder>(file.string()), {}, message<errors::kNameAFile>()};
    if (!fs::status_known(there))
        return cannotWrite(file, code.value());
    // A pipe or a device stays what it is: it cannot be replaced, only be written to.
    const bool replaced = !fs::exists(there) || fs::is_regular_file(there);

    // The name is unique, so that processes and threads that write the same file do not share a temporary file.
    static std::atomic<unsigned> counter = 0;
    const fs::path part =
        replaced ? fs::path(target.string() + ".part-" + std::to_string(getpid()) + "-" + std::to_string(++counter))
                 : target;
    const int fd = ::open(part.c_str(), O_WRONLY | O_CLOEXEC | (replaced ? O_CREAT | O_TRUNC : 0), 0644);
    if (fd < 0)
        return cannotWrite(file, errno);
    int failure = 0;
    while (!bytes.empty() && failure == 0) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            failure = errno;
    }
    // Without it, a power failure after the rename may leave an empty file under the name.
    if (replaced && failure == 0 && ::fsync(fd) != 0)
        failure = errno;
    ::close(fd);
    if (replaced && failure == 0 && ::rename(part.c_str(), target.c_str()) != 0)
        failure = errno;
    if (failure == 0)
        return {};
    if (replaced)
        ::unlink(part.c_str());
    return cannotWrite(file, failure);
}

} // namespace apertune::base
