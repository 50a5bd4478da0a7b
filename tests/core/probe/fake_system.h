// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/temporary_dir.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace apertune::probe::test {

/// A folder that stands for "/" of another machine.
class FakeSystem
{
public:
    const std::filesystem::path& root() const { return m_dir.path(); }

    void write(const std::string& file, std::string_view text) const
    {
        std::filesystem::create_directories((root() / file).parent_path());
        std::ofstream(root() / file) << text;
    }

    /// One of the recorded /proc/cpuinfo files.
    void useCpuInfo(const std::string& name) const { write("proc/cpuinfo", cpuInfo(name)); }

    static std::string cpuInfo(const std::string& name)
    {
        return base::readFile(std::filesystem::path(APERTUNE_TEST_CPUINFO) / (name + ".txt")).value();
    }

private:
    base::TemporaryDir m_dir = base::TemporaryDir::create("system").value();
};

} // namespace apertune::probe::test
