// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"

namespace apertune::worker {

/// A temporary folder of one run of a study. The destructor removes it.
/// The next create() removes folders that killed processes left. Each folder holds a file that is locked as long as its
/// process lives.
class ScratchFolder
{
public:
    /// Creates a folder, and removes those that killed processes left. Failures: io.
    static base::Result<ScratchFolder> create();
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    const std::filesystem::path& path() const { return m_dir.path(); }

private:
    ScratchFolder(base::TemporaryDir dir, int lock) : m_dir(std::move(dir)), m_lock(lock) {}

    base::TemporaryDir m_dir;
    int m_lock = -1;
};

} // namespace apertune::worker
