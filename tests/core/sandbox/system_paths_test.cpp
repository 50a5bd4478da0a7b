// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_dir.h"
#include "core/sandbox/system_paths.h"
#include "tests/support/environment_variables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace apertune::sandbox {
namespace {

namespace fs = std::filesystem;

/// A home folder of the test's own: with a key, a model and a link out of it.
class SystemPaths : public ::testing::Test
{
protected:
    void SetUp() override
    {
        fs::create_directories(home() / ".ssh");
        fs::create_directories(home() / "models");
        std::ofstream(home() / "net.py") << "x";
        fs::create_directory_symlink("/etc", home() / "elsewhere");
        m_variables.set("HOME", home().string());
    }

    fs::path above() const { return m_dir.path(); }
    fs::path home() const { return m_dir.path() / "anna"; }

    static std::vector<std::string> names(std::vector<fs::path> paths)
    {
        std::vector<std::string> names;
        for (const fs::path& path : paths)
            names.push_back(path.filename());
        std::sort(names.begin(), names.end());
        return names;
    }

private:
    base::TemporaryDir m_dir = base::TemporaryDir::create("paths").value();
    test::EnvironmentVariables m_variables;
};

TEST_F(SystemPaths, TheHomeFolderStandsForWhatIsNotHiddenInIt)
{
    EXPECT_EQ(names(visibleEntries(home())), (std::vector<std::string>{"models", "net.py"}));
}

TEST_F(SystemPaths, AFolderAboveTheHomeFolderDoesNotOpenIt)
{
    fs::create_directories(above() / "other");
    EXPECT_EQ(names(visibleEntries(above())), (std::vector<std::string>{"models", "net.py", "other"}));
}

TEST_F(SystemPaths, OnlyTheHomeFolderAndThoseAboveItHoldIt)
{
    EXPECT_TRUE(holdsHome(home()));
    EXPECT_TRUE(holdsHome(above()));
    EXPECT_TRUE(holdsHome("/"));
    EXPECT_FALSE(holdsHome(home() / "models"));
    EXPECT_FALSE(holdsHome(home() / "net.py"));
    EXPECT_FALSE(holdsHome(above() / "nowhere"));
}

} // namespace
} // namespace apertune::sandbox
