// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"

namespace apertune::worker {

/// A temporary folder of one run of a study. It is removed at the end; what a killed process left is removed by the
/// next create(): each folder holds a locked file for as long as its process lives, however that ends.
class ScratchFolder
{
public:
    /// Failures: io.
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
