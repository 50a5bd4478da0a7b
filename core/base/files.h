// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace apertune::base {

/// The folder above bin/ of the running program: build tree, installed prefix and bundle have one shape
/// (bin/, lib/apertune/plugins, share/apertune).
std::filesystem::path installPrefix();

/// $XDG_DATA_HOME/apertune and $XDG_CACHE_HOME/apertune, with their usual defaults. Not created.
std::filesystem::path userDataDir();
std::filesystem::path userCacheDir();

/// Whole file as bytes. Failures: notFound, io, invalidArgument (a folder).
Result<std::string> readFile(const std::filesystem::path& file);

/// Writes a temporary neighbour, syncs it and renames it, so that readers see the old or the new content
/// and never a part. Creates missing folders; a symbolic link stays, what it stands for is replaced. What is no
/// regular file (a pipe, a device) is written to as it is. Failures: io (disk full, permission, a folder).
Status writeFileAtomically(const std::filesystem::path& file, std::string_view bytes);

/// A fresh private folder under the system's temporary folder, removed with everything in it on destruction.
class TemporaryDir
{
public:
    static Result<TemporaryDir> create(std::string_view prefix);
    TemporaryDir(TemporaryDir&& other) noexcept;
    TemporaryDir& operator=(TemporaryDir&& other) noexcept;
    ~TemporaryDir();

    const std::filesystem::path& path() const { return m_path; }

private:
    explicit TemporaryDir(std::filesystem::path path) : m_path(std::move(path)) {}
    std::filesystem::path m_path;
};

} // namespace apertune::base
