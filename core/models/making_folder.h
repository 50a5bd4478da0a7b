// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace apertune::models {

/// The folder in which the exporter makes a file, beside the place where the file will lie. The exporter can write
/// there and nowhere else, so the code of one model cannot change what was made of another. The destructor removes it.
/// Private to this folder.
class MakingFolder
{
public:
    /// Creates the folder and those above it, and removes the folders of processes that have ended. Failures: io.
    static base::Result<MakingFolder> create(const std::filesystem::path& beside);
    MakingFolder(MakingFolder&& other) noexcept;
    MakingFolder& operator=(MakingFolder&&) = delete;
    ~MakingFolder();

    const std::filesystem::path& path() const { return m_path; }

    /// Moves a finished file or folder to its place. It replaces what is there, because that may be damaged.
    /// REQUIRES: `to` is in the folder that create() was given. Failures: io, corrupt (a link that leads out of it).
    base::Status moveOut(const std::string& name, const std::filesystem::path& to) const;

private:
    explicit MakingFolder(std::filesystem::path path) : m_path(std::move(path)) {}

    std::filesystem::path m_path;
};

} // namespace apertune::models
