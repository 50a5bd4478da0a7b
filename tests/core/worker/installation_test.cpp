// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "core/worker/backend_manifest.h"
#include "core/worker/installation.h"
#include "core/worker/local_launcher.h"
#include "tests/support/environment_variables.h"

#include <gmock/gmock.h>

#include <fstream>

namespace apertune::worker {
namespace {

namespace fs = std::filesystem;

struct InstallationTest : ::testing::Test
{
    InstallationTest()
    {
        for (const char* name : {"APERTUNE_TORCH", "APERTUNE_PYTHON", "APERTUNE_ENGINES", "PATH"})
            variables.set(name, "");
        variables.set("XDG_CACHE_HOME", (dir.path() / "cache").string());
        variables.set("XDG_DATA_HOME", (dir.path() / "data").string());
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

    base::TemporaryDir dir = std::move(base::TemporaryDir::create("test")).value();
    test::EnvironmentVariables variables;
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

/// A wheel's folders, as far as anybody looks at them.
fs::path addEngine(const fs::path& prefix, const std::string& package, const std::vector<std::string>& files)
{
    const fs::path folder = prefix / "lib" / "python3.11" / "site-packages" / package;
    for (const std::string& file : files) {
        fs::create_directories((folder / file).parent_path());
        std::ofstream(folder / file) << "library";
    }
    return folder;
}

TEST_F(InstallationTest, OfALibraryPathOnlyTheDriversFoldersAreLeftToAWorker)
{
    const auto folder = [&](const std::string& name, const std::string& library) {
        fs::create_directories(dir.path() / name);
        std::ofstream(dir.path() / name / library) << "";
        return (dir.path() / name).string();
    };
    const std::string compat = folder("compat", "libcuda.so.1");
    const std::string cuda = folder("cuda", "libcudart.so.13");
    const std::string nvidia = folder("nvidia", "libnvidia-ml.so.1");
    EXPECT_EQ(driverFolders(compat + ":" + cuda + "::" + nvidia + ":/nonexistent"), compat + ":" + nvidia);
    EXPECT_EQ(driverFolders(cuda), "");
    EXPECT_EQ(driverFolders(""), "");
}

TEST_F(InstallationTest, CuptiIsFoundWithTorchAndElseInAToolkit)
{
    const auto touch = [&](const std::string& file) {
        fs::create_directories((dir.path() / file).parent_path());
        std::ofstream(dir.path() / file) << "";
        return dir.path() / file;
    };
    const fs::path site = dir.path() / "env/lib/python3.11/site-packages";
    EXPECT_EQ(cuptiLibrary(site / "torch", dir.path()), "");
    const fs::path toolkit = touch("usr/local/cuda/lib64/libcupti.so.13");
    EXPECT_EQ(cuptiLibrary({}, dir.path()), toolkit);
    EXPECT_EQ(cuptiLibrary(site / "torch", dir.path()), toolkit);
    const fs::path wheel = touch("env/lib/python3.11/site-packages/nvidia/cu13/lib/libcupti.so.13");
    EXPECT_EQ(cuptiLibrary(site / "torch", dir.path()), wheel) << "the one that the engine uses, too";
}

struct EnginesTest : InstallationTest
{
    EnginesTest()
    {
        installation.plugins = dir.path() / "plugins";
        fs::create_directories(installation.plugins);
        describe(R"({"title": "Fast Engine", "package": "fast", "requirement": "fast==2.1",
                     "libraries": ["libs/libfast.so.*"], "formats": ["onnx"], "not_built": ""})");
    }

    void describe(const std::string& json) { std::ofstream(installation.plugins / "fast.json") << json; }

    base::Error failure()
    {
        installation.engines = Installation::locate().engines;
        const auto libraries = backendLibraries(installation, "fast");
        EXPECT_FALSE(libraries);
        return libraries ? base::Error{} : libraries.error();
    }

    Installation installation;
};

TEST_F(EnginesTest, AnEngineIsFoundInTheVariableTheSetUpsEnvironmentAndBesideTorchInThatOrder)
{
    const fs::path torch = makeEnvironment("venv");
    const fs::path made = dir.path() / "made";
    const fs::path mine = dir.path() / "mine";
    variables.set("APERTUNE_TORCH", torch.string());
    for (const fs::path& prefix : {torch, made, mine}) {
        addEngine(prefix, "fast", {"libs/libfast.so.21"});
        if (prefix == made) {
            fs::create_directories(dir.path() / "cache" / "apertune" / "engines");
            fs::create_directory_symlink(made, dir.path() / "cache" / "apertune" / "engines" / "current");
        } else if (prefix == mine) {
            variables.set("APERTUNE_ENGINES", mine.string());
        }
        installation.engines = Installation::locate().engines;
        const auto libraries = backendLibraries(installation, "fast");
        EXPECT_THAT(installedEngines(installation), ::testing::ElementsAre("fast"));
        ASSERT_TRUE(libraries) << prefix;
        ASSERT_EQ(libraries->size(), 1u);
        EXPECT_EQ(fs::canonical(libraries->front()),
                  fs::canonical(prefix) / "lib/python3.11/site-packages/fast/libs/libfast.so.21");
    }
}

TEST_F(EnginesTest, AnAbsentEngineSaysHowToAddIt)
{
    const base::Error error = failure();
    EXPECT_EQ(error.code, base::ErrorCode::notFound);
    EXPECT_EQ(sentences::sentence(error.message), "Fast Engine is not installed.");
    EXPECT_THAT(installedEngines(installation), ::testing::IsEmpty());
    EXPECT_THAT(sentences::sentence(error.hint), ::testing::AllOf(::testing::HasSubstr("apertune engine add"),
                                                                  ::testing::HasSubstr("APERTUNE_ENGINES")));
}

TEST_F(EnginesTest, AnEngineWithoutItsLibraryIsNotWhole)
{
    addEngine(dir.path() / "mine", "fast", {"__init__.py"});
    variables.set("APERTUNE_ENGINES", (dir.path() / "mine").string());
    EXPECT_THAT(sentences::sentence(failure().message), ::testing::HasSubstr("libs/libfast.so.*"));
}

TEST_F(EnginesTest, AnEngineThatWasNotBuiltSaysWhy)
{
    describe(R"({"title": "Fast Engine", "not_built": "its headers were missing."})");
    EXPECT_EQ(sentences::sentence(failure().message),
              "Fast Engine is not part of this build: its headers were missing.");
    EXPECT_EQ(sentences::sentence(failure().hint), "Build Apertune again where its package is installed.");
    describe(R"({"title": "Fast Engine", "not_built": "its headers were missing.", "remedy": "Buy it."})");
    EXPECT_EQ(sentences::sentence(failure().hint), "Buy it.");
}

TEST_F(EnginesTest, AnEngineOfTheSystemNeedsNoPackageAndTakesOneThatIsThere)
{
    describe(R"({"title": "Fast Engine", "package": "fast", "libraries": ["libfast.so.2"], "system": true})");
    const auto bare = backendLibraries(installation, "fast");
    ASSERT_TRUE(bare) << sentences::sentence(bare.error().message);
    EXPECT_TRUE(bare->empty());
    addEngine(dir.path() / "mine", "fast", {"libfast.so.2"});
    variables.set("APERTUNE_ENGINES", (dir.path() / "mine").string());
    installation.engines = Installation::locate().engines;
    const auto packaged = backendLibraries(installation, "fast");
    ASSERT_TRUE(packaged) << sentences::sentence(packaged.error().message);
    EXPECT_EQ(packaged->size(), 1u);
}

TEST_F(EnginesTest, ABackendWithoutAManifestOrWithABrokenOneNeedsNothingAndOpensTorchScript)
{
    describe("{ not json");
    for (const char* name : {"fast", "other"}) {
        EXPECT_TRUE(backendLibraries(installation, name)) << name;
        EXPECT_THAT(backendManifest(installation.plugins, name).formats, ::testing::ElementsAre("torchscript")) << name;
    }
}

} // namespace
} // namespace apertune::worker
