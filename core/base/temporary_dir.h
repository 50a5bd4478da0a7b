// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string_view>

namespace apertune::base {

/// A new private folder in the system's temporary folder. The destructor removes it with its content.
/// A killed process cannot do that, so its folder is removed by the next create() of any process. A folder in use is
/// locked for as long as its process lives.
class TemporaryDir
{
public:
    /// Creates a folder whose name has `purpose` in it, and removes those that killed processes of this user left. On a
    /// file system without locks nothing is removed. Failures: io.
    static Result<TemporaryDir> create(std::string_view purpose);
    TemporaryDir(TemporaryDir&& other) noexcept;
    TemporaryDir& operator=(TemporaryDir&& other) noexcept;
    ~TemporaryDir();

    const std::filesystem::path& path() const { return m_path; }

private:
    TemporaryDir(std::filesystem::path path, int lock) : m_path(std::move(path)), m_lock(lock) {}

    std::filesystem::path m_path;
    int m_lock = -1; ///< descriptor of the folder, which holds the lock
};

} // namespace apertune::base
