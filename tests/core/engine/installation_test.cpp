// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/engine/worker_process.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <map>

namespace apertune::engine {
namespace {

namespace fs = std::filesystem;

/// Sets variables for one test and puts the old values back.
class Variables
{
public:
    void set(const std::string& name, const std::string& value)
    {
        const char* old = std::getenv(name.c_str());
        m_old.emplace(name, old ? std::optional<std::string>(old) : std::nullopt);
        ::setenv(name.c_str(), value.c_str(), 1);
    }
    ~Variables()
    {
        for (const auto& [name, value] : m_old)
            value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }

private:
    std::map<std::string, std::optional<std::string>> m_old;
};

struct InstallationTest : ::testing::Test
{
    InstallationTest()
    {
        for (const char* name : {"APERTUNE_TORCH", "APERTUNE_PYTHON", "PATH"})
            variables.set(name, "");
        variables.set("XDG_CACHE_HOME", (dir.path() / "cache").string());
        variables.set("HOME", (dir.path() / "home").string());
    }

    fs::path makeEnvironment(const std::string& name)
    {
        const fs::path prefix = dir.path() / name;
        const fs::path torch = prefix / "lib" / "python3.11" / "site-packages" / "torch";
        fs::create_directories(torch / "lib");
        fs::create_directories(prefix / "bin");
        std::ofstream(torch / "lib" / "libtorch_cpu.so") << "library";
        std::ofstream(prefix / "bin" / "python3") << "#!/bin/sh\n";
        fs::permissions(prefix / "bin" / "python3", fs::perms::owner_all);
        return prefix;
    }

    static fs::path torchOf(const fs::path& prefix)
    {
        return prefix / "lib" / "python3.11" / "site-packages" / "torch";
    }

    base::TemporaryDir dir = std::move(base::TemporaryDir::create("apertune-test")).value();
    Variables variables;
};

TEST_F(InstallationTest, ProgramsAreFoundBesideTheRunningOne)
{
    const Installation found = Installation::locate();
    EXPECT_EQ(found.worker, base::installPrefix() / "bin" / "apertune-worker");
    EXPECT_EQ(found.plugins, base::installPrefix() / "lib" / "apertune" / "plugins");
}

TEST_F(InstallationTest, WithoutAnyPythonNothingIsInvented)
{
    const Installation found = Installation::locate();
    EXPECT_TRUE(found.torchRoot.empty());
    EXPECT_TRUE(found.python.empty());
}

TEST_F(InstallationTest, TheTorchVariableNamesAPackageItsLibFolderOrAnEnvironment)
{
    const fs::path prefix = makeEnvironment("venv");
    for (const fs::path& named : {torchOf(prefix), torchOf(prefix) / "lib", prefix}) {
        variables.set("APERTUNE_TORCH", named.string());
        const Installation found = Installation::locate();
        EXPECT_EQ(found.torchRoot, torchOf(prefix)) << named;
        EXPECT_EQ(found.python, prefix / "bin" / "python3") << named;
    }
}

TEST_F(InstallationTest, TheTorchVariableOutranksTheSetUpsEnvironment)
{
    const fs::path mine = makeEnvironment("mine");
    fs::create_directories(dir.path() / "cache" / "apertune" / "env");
    fs::create_directory_symlink(makeEnvironment("made"), dir.path() / "cache" / "apertune" / "env" / "current");
    EXPECT_EQ(Installation::locate().torchRoot, torchOf(dir.path() / "cache" / "apertune" / "env" / "current"));
    variables.set("APERTUNE_TORCH", mine.string());
    EXPECT_EQ(Installation::locate().torchRoot, torchOf(mine));
}

TEST_F(InstallationTest, ThePythonOnThePathIsTheLastResort)
{
    const fs::path prefix = makeEnvironment("active");
    variables.set("PATH", (prefix / "bin").string());
    const Installation found = Installation::locate();
    EXPECT_EQ(found.torchRoot, torchOf(prefix));
    EXPECT_EQ(found.python, prefix / "bin" / "python3");
}

} // namespace
} // namespace apertune::engine
