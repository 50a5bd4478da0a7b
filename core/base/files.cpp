// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include <fcntl.h>
#include <unistd.h>

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
    if (const char* value = std::getenv(variable); value && *value == '/')
        return fs::path(value) / "apertune";
    const char* home = std::getenv("HOME");
    return fs::path(home && *home ? home : "/tmp") / fallbackUnderHome / "apertune";
}

Error ioError(const std::string& what, int code)
{
    const std::string hint = code == ENOSPC                    ? "Free some disk space and try again."
                             : code == EACCES || code == EROFS ? "Check the permissions, or choose another place."
                                                               : "Check the disk and the path.";
    return {ErrorCode::io, what + ": " + std::strerror(code) + ".", {}, hint};
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

Result<std::string> readFile(const fs::path& file)
{
    std::error_code ignored;
    if (fs::is_directory(file, ignored))
        return Error{ErrorCode::invalidArgument, file.string() + " is a folder, not a file.", {}, "Name a file."};
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return Error{errno == ENOENT || errno == ENOTDIR ? ErrorCode::notFound : ErrorCode::io,
                     "Cannot open " + file.string() + ": " + std::strerror(errno) + ".",
                     {},
                     "Check that the file exists and is readable."};
    std::string bytes;
    std::array<char, 1 << 16> buffer;
    ssize_t size = 0;
    while ((size = ::read(fd, buffer.data(), buffer.size())) > 0 || (size < 0 && errno == EINTR))
        if (size > 0)
            bytes.append(buffer.data(), static_cast<std::size_t>(size));
    const int failure = errno;
    ::close(fd);
    if (size < 0)
        return ioError("Reading " + file.string() + " failed", failure);
    return bytes;
}

Status writeFileAtomically(const fs::path& file, std::string_view bytes)
{
    std::error_code code;
    if (file.has_parent_path())
        fs::create_directories(file.parent_path(), code);
    if (code)
        return ioError("Cannot create " + file.parent_path().string(), code.value());

    const fs::path target = followed(file);
    const fs::file_status there = fs::status(target, code);
    if (fs::is_directory(there))
        return Error{ErrorCode::io, file.string() + " is a folder, not a file.", {}, "Name a file."};
    if (!fs::status_known(there))
        return ioError("Cannot write " + file.string(), code.value());
    // A pipe or a device stays what it is: it cannot be replaced, only be written to.
    const bool replaced = !fs::exists(there) || fs::is_regular_file(there);

    // The name is unique, so that processes and threads that write the same file do not share a temporary file.
    static std::atomic<unsigned> counter = 0;
    const fs::path part =
        replaced ? fs::path(target.string() + ".part-" + std::to_string(getpid()) + "-" + std::to_string(++counter))
                 : target;
    const int fd = ::open(part.c_str(), O_WRONLY | O_CLOEXEC | (replaced ? O_CREAT | O_TRUNC : 0), 0644);
    if (fd < 0)
        return ioError("Cannot write " + file.string(), errno);
    int failure = 0;
    while (!bytes.empty() && failure == 0) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            failure = errno;
    }
    if (replaced && failure == 0 && ::fsync(fd) != 0)
        failure = errno;
    ::close(fd);
    if (replaced && failure == 0 && ::rename(part.c_str(), target.c_str()) != 0)
        failure = errno;
    if (failure == 0)
        return {};
    if (replaced)
        ::unlink(part.c_str());
    return ioError("Cannot write " + file.string(), failure);
}

Result<TemporaryDir> TemporaryDir::create(std::string_view prefix)
{
    std::error_code code;
    const fs::path base = fs::temp_directory_path(code);
    std::string pattern = ((code ? fs::path("/tmp") : base) / (std::string(prefix) + "-XXXXXX")).string();
    if (!::mkdtemp(pattern.data()))
        return ioError("Cannot create a temporary folder", errno);
    return TemporaryDir(pattern);
}

TemporaryDir::TemporaryDir(TemporaryDir&& other) noexcept : m_path(std::exchange(other.m_path, {}))
{
}

TemporaryDir& TemporaryDir::operator=(TemporaryDir&& other) noexcept
{
    std::swap(m_path, other.m_path);
    return *this;
}

TemporaryDir::~TemporaryDir()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
}

} // namespace apertune::base
