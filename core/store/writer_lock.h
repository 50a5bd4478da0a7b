// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace apertune::store {

/// The right to write to a workspace: an flock on FILE.lock beside it. Private to core/store.
///  - The text in the file names the holder for people.
///  - The kernel releases the lock when the holder dies, so a leftover file means nothing.
///  - The lock is not on the database itself: SQLite keeps POSIX locks there, and closing any descriptor of a file
///    drops all POSIX locks that the process has on it.
class WriterLock
{
public:
    /// Takes the lock.
    /// Failures: busy (the message names the holder), unsupported (the folder cannot be written; reading may still
    /// work), io.
    static base::Result<WriterLock> take(const std::filesystem::path& workspace);

    /// Returns whether any process, this one included, holds the lock now. The holder keeps it.
    static bool isHeld(const std::filesystem::path& workspace);

    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock(); ///< removes the file and releases the lock

private:
    WriterLock() = default;
    std::filesystem::path m_path;
    int m_fd = -1;
};

} // namespace apertune::store
