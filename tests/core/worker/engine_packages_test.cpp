// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "core/worker/added_engines.h"
#include "core/worker/engine_packages.h"
#include "core/worker/installation.h"
#include "tests/support/environment_variables.h"

#include <gmock/gmock.h>

#include <fstream>

namespace apertune::worker {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

/// A pip that installs what it is told to, as far as anybody looks at it. FAIL and SLEEP are files that change what it
/// does.
constexpr const char* kPip = R"(#!/bin/sh
here=$(dirname "$0")
if [ "$1 $2" != "-m pip" ]; then exit 1; fi
shift 2
[ "$1" = --version ] && exit 0
echo "$*" >>"$here/calls"
if [ -e "$here/FAIL" ]; then echo "no such wheel" >&2; exit 1; fi
if [ -e "$here/SLEEP" ]; then : >"$here/asleep"; exec sleep 600; fi
while [ $# -gt 0 ]; do
  case $1 in
    --target) target=$2; shift ;;
    --report) report=$2; shift ;;
    *==*)
      mkdir -p "$target/${1%%==*}/libs" "$target/${1%%==*}-${1##*==}.dist-info"
      echo library >"$target/${1%%==*}/libs/libfast.so.2"
      echo '{"install": [{"metadata": {"name": "fast", "version": "2.1"}, "download_info": {"archive_info": {"hashes": {"sha256": "abc"}}}}]}' >"$report" ;;
  esac
  shift
done
)";

struct EnginePackages : ::testing::Test
{
    EnginePackages()
    {
        variables.set("XDG_DATA_HOME", (dir.path() / "data").string());
        installation.plugins = dir.path() / "plugins";
        installation.exporter = dir.path() / "share" / "exporter";
        installation.python = dir.path() / "python3";
        write(installation.python, kPip);
        fs::permissions(installation.python, fs::perms::owner_all);
        write(
            installation.plugins / "fast.json",
            R"({"title": "Fast", "package": "fast", "requirement": "fast==2.1", "libraries": ["libs/libfast.so.*"]})");
        write(installation.plugins / "fast.requirements", "fast==2.1\nhelper==1.0\n");
        write(installation.plugins / "other.json",
              R"({"title": "Other", "not_built": "its headers were missing.", "remedy": "Build it again."})");
    }

    static void write(const fs::path& file, const std::string& text)
    {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    EngineState state(const std::string& backend)
    {
        installation.engines = addedEnginePackages();
        for (EngineState& found : engineStates(installation))
            if (found.backend == backend)
                return found;
        ADD_FAILURE() << "no state of " << backend;
        return {};
    }
    base::Result<AddedEngine> add(std::stop_token stop = {})
    {
        return addEngine(installation, state("fast"), index, {}, std::move(stop));
    }
    std::size_t foldersBeside() const
    {
        std::error_code code;
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(dir.path() / "data" / "apertune" / "engines", code), {}));
    }

    base::TemporaryDir dir = std::move(base::TemporaryDir::create("test")).value();
    test::EnvironmentVariables variables;
    Installation installation;
    std::string index;
};

TEST_F(EnginePackages, AMissingEngineNamesTheOneCommandThatAddsIt)
{
    const EngineState fast = state("fast");
    ASSERT_TRUE(fast.missing);
    EXPECT_THAT(sentences::sentence(fast.missing->hint), ::testing::HasSubstr("apertune engine add fast"));
    EXPECT_THAT(fast.requirements, ::testing::ElementsAre("fast==2.1", "helper==1.0"));
    const EngineState other = state("other");
    ASSERT_TRUE(other.missing);
    EXPECT_EQ(other.missing->code, ErrorCode::unsupported);
    EXPECT_EQ(sentences::sentence(other.missing->hint), "Build it again.");
}

TEST_F(EnginePackages, AnAddedEngineIsFoundWithVersionSizeAndHash)
{
    const auto added = add();
    ASSERT_TRUE(added) << sentences::sentence(added.error().message);
    ASSERT_EQ(added->packages.size(), 1U);
    EXPECT_EQ(added->packages[0].sha256, "abc");
    const EngineState fast = state("fast");
    EXPECT_FALSE(fast.missing);
    EXPECT_TRUE(fast.added);
    EXPECT_EQ(fast.version, "2.1");
    EXPECT_EQ(fast.size.count, added->size.count);
    EXPECT_GT(fast.size.count, 0);
    EXPECT_EQ(fast.folder, addedEngineFolder("fast") / "site-packages");
    EXPECT_EQ(foldersBeside(), 1U) << "nothing of the installation is left";
}

TEST_F(EnginePackages, PipGetsTheIndexThatTheUserNames)
{
    index = "https://index.invalid/simple";
    ASSERT_TRUE(add());
    const auto calls = base::readFile(dir.path() / "calls");
    ASSERT_TRUE(calls);
    EXPECT_THAT(*calls, ::testing::HasSubstr("--index-url https://index.invalid/simple fast==2.1 helper==1.0"));
    EXPECT_THAT(*calls, ::testing::HasSubstr("--only-binary :all:"));
}

TEST_F(EnginePackages, AFailureOfPipKeepsTheEngineThatWasThere)
{
    ASSERT_TRUE(add());
    write(dir.path() / "FAIL", "");
    const auto failed = add();
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::io);
    EXPECT_THAT(failed.error().context, ::testing::HasSubstr("no such wheel"));
    EXPECT_TRUE(state("fast").added);
    EXPECT_EQ(foldersBeside(), 1U);
}

TEST_F(EnginePackages, AnInterruptedInstallationLeavesNothing)
{
    write(dir.path() / "SLEEP", "");
    std::stop_source stop;
    const auto whenAsleep = [&](base::Bytes) {
        if (fs::exists(dir.path() / "asleep"))
            stop.request_stop();
    };
    const auto cancelled = addEngine(installation, state("fast"), "", whenAsleep, stop.get_token());
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::cancelled);
    EXPECT_EQ(foldersBeside(), 0U);
}

TEST_F(EnginePackages, WithoutPythonOrPipTheHintSaysWhatToInstall)
{
    installation.python.clear();
    const auto noPython = add();
    ASSERT_FALSE(noPython);
    EXPECT_THAT(sentences::sentence(noPython.error().hint), ::testing::HasSubstr("APERTUNE_PYTHON"));
    installation.python = dir.path() / "bare";
    write(installation.python, "#!/bin/sh\nexit 1\n");
    fs::permissions(installation.python, fs::perms::owner_all);
    const auto noPip = add();
    ASSERT_FALSE(noPip);
    EXPECT_THAT(sentences::sentence(noPip.error().hint), ::testing::HasSubstr("python3-pip"));
}

TEST_F(EnginePackages, OnlyWhatWasAddedIsRemoved)
{
    write(addedEngineFolder("mine") / "precious", "not of Apertune");
    EXPECT_FALSE(removeEngine("fast"));
    EXPECT_FALSE(removeEngine("mine"));
    ASSERT_TRUE(add());
    const auto removed = removeEngine("fast");
    ASSERT_TRUE(removed);
    EXPECT_GT(removed->count, 0);
    EXPECT_TRUE(state("fast").missing);
    EXPECT_TRUE(fs::exists(addedEngineFolder("mine") / "precious"));
}

TEST_F(EnginePackages, AnAddedTorchComesBeforeThatOfThePath)
{
    write(addedEngineFolder("torch") / "site-packages" / "torch" / "lib" / "libtorch_cpu.so", "library");
    EXPECT_TRUE(addedEnginePackages().empty()) << "a folder without its record is not complete";
    write(addedEngineFolder("torch") / "engine.json", "{}");
    variables.set("APERTUNE_TORCH", std::nullopt);
    EXPECT_EQ(Installation::locate().torchRoot, addedEngineFolder("torch") / "site-packages" / "torch");
}

} // namespace
} // namespace apertune::worker
