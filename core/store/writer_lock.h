// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace apertune::store {

/// The right to write to a workspace: flock on FILE.lock beside it, which names the holder for people. The kernel
/// gives the lock back when the holder dies, however it dies; a left-over file means nothing. Private to core/store.
///
/// The lock cannot be on the database file itself: SQLite keeps POSIX locks there, and closing any descriptor of a
/// file drops all POSIX locks that the process has on it.
class WriterLock
{
public:
    /// Failures: busy (names the holder), unsupported (the folder cannot be written: the caller may still read), io.
    static base::Result<WriterLock> take(const std::filesystem::path& workspace);

    /// Whether any process, this one included, holds it now. Takes nothing away from a holder.
    static bool isHeld(const std::filesystem::path& workspace);

    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock(); ///< removes the file and gives the lock back

private:
    WriterLock() = default;
    std::filesystem::path m_path;
    int m_fd = -1;
};

} // namespace apertune::store
