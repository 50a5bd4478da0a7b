// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/sandbox/profile.h"

#include <filesystem>

namespace apertune::sandbox {

/// The files that a child may use, as rules of Landlock. Rules are made in the parent and set in force in the child.
/// Where the kernel's version covers it, they also forbid TCP, and signals and abstract sockets to processes outside.
class FileRules
{
public:
    /// REQUIRES: landlockVersion() > 0. Failures: io.
    static base::Result<FileRules> create(const Profile& profile, const std::filesystem::path& program);
    FileRules(FileRules&& other) noexcept;
    FileRules& operator=(FileRules&&) = delete;
    ~FileRules();

    /// Sets the rules in force for this process, which may also write below its own /proc/self. It is called between
    /// fork() and exec(), after no_new_privs. Returns errno, or 0.
    int enforce() const noexcept;

private:
    explicit FileRules(int fd) : m_fd(fd) {}
    int m_fd = -1;
};

} // namespace apertune::sandbox
