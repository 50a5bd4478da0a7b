// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_dir.h"
#include "core/model/switches.h"
#include "core/probe/backend_probe.h"
#include "core/probe/compiler_check.h"
#include "core/sentences/sentences.h"
#include "core/worker/local_launcher.h"
#include "tests/core/worker/fake_workspace.h"
#include "tests/support/environment_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace apertune::probe {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

model::Device gpu(const std::string& id, const std::string& name)
{
    model::Device device;
    device.id = id;
    device.type = model::DeviceType::nvidiaGpu();
    device.name = name;
    return device;
}

void writeExecutable(const std::filesystem::path& file)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\nexit 0\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

/// A plugins folder with nothing but links to the named ones of this build.
worker::Installation installationWith(const std::filesystem::path& dir, const std::vector<std::string>& plugins)
{
    worker::Installation installation = worker::testing::thisBuild();
    for (const std::string& name : plugins)
        std::filesystem::create_symlink(installation.plugins / (name + ".so"), dir / (name + ".so"));
    installation.plugins = dir;
    return installation;
}

TEST(BackendDescription, EqualGpusCountAsSeenWhenTheWorkersOwnIs)
{
    const std::vector<model::Device> devices{worker::testing::cpu(), gpu("cuda:0", "A"), gpu("cuda:1", "B"),
                                             gpu("cuda:2", "B")};
    const base::Json description{{"version", "2.11.0"},
                                 {"switches", {"freeze"}},
                                 {"precisions", {"fp32", "bf16"}},
                                 {"devices", {{{"id", "cpu"}}, {{"id", "cuda:0"}}}},
                                 {"notes", {"a note"}}};
    const auto info = backendFromDescription("libtorch", description, devices[2], devices);
    EXPECT_EQ(info.version, "2.11.0");
    EXPECT_THAT(info.switches, ElementsAre("freeze"));
    EXPECT_THAT(info.precisions, ElementsAre("fp32", "bf16"));
    EXPECT_THAT(info.notes, ElementsAre("a note"));
    EXPECT_THAT(info.deviceIds, ElementsAre("cuda:1", "cuda:2"));
    EXPECT_THAT(backendFromDescription("libtorch", description, devices[0], devices).deviceIds, ElementsAre("cpu"));
}

TEST(BackendDescription, ABackendMayShowDevicesThatNobodyElseKnows)
{
    const base::Json description = base::Json::parse(
        R"({"precisions":["fp32","bf16","fp16"],
            "devices":[{"id":"cpu","precisions":["fp32","bf16"]},
                       {"id":"xpu:0","name":"Arc","memory_bytes":16,"precisions":["fp32","fp16"]},
                       {"id":"npu:0","name":"AI Boost"},{"id":"cuda:7"},{"id":"tpu:0"}]})");
    const auto info = backendFromDescription("x", description, worker::testing::cpu(), {worker::testing::cpu()});
    EXPECT_THAT(info.deviceIds, ElementsAre("cpu", "xpu:0", "npu:0"));
    EXPECT_THAT(info.precisionsFor("cpu"), ElementsAre("fp32", "bf16"));
    EXPECT_THAT(info.precisionsFor("xpu:0"), ElementsAre("fp32", "fp16"));
    EXPECT_THAT(info.precisionsFor("npu:0"), ElementsAre("fp32", "bf16", "fp16"));
    EXPECT_THAT(info.notes, ElementsAre(HasSubstr("tpu:0")));

    const auto devices = devicesFromDescription(description, {64});
    ASSERT_EQ(devices.size(), 2U);
    EXPECT_EQ(devices[0].id, "xpu:0");
    EXPECT_EQ(devices[0].name, "Arc");
    EXPECT_EQ(devices[0].type, (model::DeviceType{model::DeviceKind::gpu, model::Vendor::intel}));
    EXPECT_EQ(devices[0].memory.count, 16);
    EXPECT_EQ(devices[1].type.kind, model::DeviceKind::npu);
    EXPECT_EQ(devices[1].memory.count, 64) << "an NPU works in the host's memory";
}

TEST(BackendDescription, WrongTypesAreLeftOut)
{
    const auto read = [](const char* text) {
        return backendFromDescription("x", base::Json::parse(text), worker::testing::cpu(), {worker::testing::cpu()});
    };
    EXPECT_THAT(read(R"([1])").deviceIds, IsEmpty());
    EXPECT_THAT(read(R"({"devices":["cpu",{"id":1},{"name":"cpu"}]})").deviceIds, IsEmpty());
    EXPECT_THAT(read(R"({"switches":"freeze","precisions":[1,"fp32",null],"version":3})").precisions,
                ElementsAre("fp32"));
}

TEST(BackendDescription, AllSwitchesAreThoseOfTheCatalogue)
{
    const auto info = backendFromDescription("x", {{"switches", "all"}}, worker::testing::cpu(), {});
    ASSERT_EQ(info.switches.size(), model::switchCatalogue().size());
    EXPECT_EQ(info.switches.front(), model::switchCatalogue().front().name);
}

TEST(BackendNames, AreTheLibrariesOfTheFolder)
{
    auto dir = base::TemporaryDir::create("plugins");
    ASSERT_TRUE(dir);
    for (const char* file : {"b.so", "a.so", "readme.txt"})
        std::ofstream(dir->path() / file) << "x";
    EXPECT_THAT(backendNames(dir->path()), ElementsAre("a", "b"));
    EXPECT_THAT(backendNames(dir->path() / "none"), IsEmpty());
}

TEST(ProbeBackends, AsksABackendInAWorkerOfItsOwn)
{
    auto dir = base::TemporaryDir::create("plugins");
    ASSERT_TRUE(dir);
    const worker::Installation installation = installationWith(dir->path(), {"fake"});
    auto launcher = worker::makeLocalLauncher(installation);
    const auto backends = probeBackends(*launcher, installation, {worker::testing::cpu()}).backends;
    ASSERT_EQ(backends.size(), 1u);
    EXPECT_EQ(backends[0].name, "fake");
    EXPECT_EQ(backends[0].version, "1");
    EXPECT_THAT(backends[0].switches, Contains("freeze"));
    EXPECT_THAT(backends[0].precisions, Contains("bf16"));
    EXPECT_THAT(backends[0].deviceIds, ElementsAre("cpu"));
    EXPECT_FALSE(backends[0].canCompile);
    EXPECT_THAT(sentences::sentence(backends[0].cannotCompileReason), HasSubstr("no compiled packages"));
}

TEST(ProbeBackends, BringDevicesOfTheirOwn)
{
    auto dir = base::TemporaryDir::create("plugins");
    ASSERT_TRUE(dir);
    const apertune::test::EnvironmentVariables further("APERTUNE_FAKE_DEVICE", "npu:0");
    const worker::Installation installation = installationWith(dir->path(), {"fake"});
    const auto launcher = worker::makeLocalLauncher(installation);
    const ProbedBackends probed = probeBackends(*launcher, installation, {worker::testing::cpu()});
    ASSERT_EQ(probed.backends.size(), 1U);
    EXPECT_THAT(probed.backends[0].deviceIds, ElementsAre("cpu", "npu:0"));
    EXPECT_THAT(probed.backends[0].precisionsFor("npu:0"), ElementsAre("fp32", "fp16"));
    ASSERT_EQ(probed.devices.size(), 2U);
    EXPECT_EQ(probed.devices[1].name, "fake npu:0");
    EXPECT_EQ(probed.devices[1].type.kind, model::DeviceKind::npu);
}

TEST(ProbeBackends, OneThatCannotStartIsThereWithItsReason)
{
    auto dir = base::TemporaryDir::create("plugins");
    ASSERT_TRUE(dir);
    const worker::Installation installation = installationWith(dir->path(), {"fake"});
    std::ofstream(dir->path() / "broken.so") << "not a library";
    auto launcher = worker::makeLocalLauncher(installation);
    const auto backends = probeBackends(*launcher, installation, {worker::testing::cpu()}).backends;
    ASSERT_EQ(backends.size(), 2u);
    EXPECT_EQ(backends[0].name, "broken");
    EXPECT_THAT(backends[0].switches, IsEmpty());
    EXPECT_THAT(backends[0].deviceIds, IsEmpty());
    EXPECT_FALSE(backends[0].canCompile);
    EXPECT_THAT(sentences::sentence(backends[0].cannotCompileReason), HasSubstr("does not load"));
    EXPECT_THAT(sentences::sentence(backends[0].cannotCompileReason), HasSubstr("Reinstall Apertune"));
    EXPECT_THAT(backends[1].deviceIds, ElementsAre("cpu"));
}

TEST(ProbeBackends, LibTorchThatIsNotThereIsToldWithTheCommandThatAddsIt)
{
    auto dir = base::TemporaryDir::create("plugins");
    ASSERT_TRUE(dir);
    worker::Installation installation = installationWith(dir->path(), {});
    installation.torchRoot.clear();
    std::ofstream(dir->path() / "libtorch.so") << "whose libraries are looked for first";
    auto launcher = worker::makeLocalLauncher(installation);
    const auto backends = probeBackends(*launcher, installation, {worker::testing::cpu()}).backends;
    ASSERT_EQ(backends.size(), 1u);
    EXPECT_THAT(backends[0].switches, IsEmpty());
    EXPECT_THAT(sentences::sentence(backends[0].cannotCompileReason),
                HasSubstr("LibTorch is not installed. Add it with `apertune engine add libtorch`"));
    EXPECT_THAT(sentences::sentence(backends[0].cannotCompileReason), HasSubstr("APERTUNE_TORCH"));
}

TEST(ProbeBackends, OneThatCrashesWhileItDescribesItselfIsThereWithItsReason)
{
    const apertune::test::EnvironmentVariables fault("APERTUNE_FAKE_DESCRIBE", "crash");
    auto dir = base::TemporaryDir::create("plugins");
    ASSERT_TRUE(dir);
    const worker::Installation installation = installationWith(dir->path(), {"fake"});
    auto launcher = worker::makeLocalLauncher(installation);
    const auto backends = probeBackends(*launcher, installation, {worker::testing::cpu()}).backends;
    ASSERT_EQ(backends.size(), 1u);
    EXPECT_THAT(backends[0].deviceIds, IsEmpty());
    EXPECT_NE(sentences::sentence(backends[0].cannotCompileReason), "");
}

TEST(CompilerCheck, NamesThePartThatIsMissing)
{
    auto dir = base::TemporaryDir::create("compiler");
    ASSERT_TRUE(dir);
    const apertune::test::EnvironmentVariables compiler("CXX", "");
    const apertune::test::EnvironmentVariables path("PATH", (dir->path() / "bin").string());
    worker::Installation installation;
    const auto problem = [&] {
        const auto status = canCompileHere(installation);
        return status ? std::string() : sentences::sentence(status.error().message);
    };
    EXPECT_THAT(problem(), HasSubstr("no Python"));
    installation.python = dir->path() / "bin/python3";
    EXPECT_THAT(problem(), HasSubstr("cannot be run"));
    writeExecutable(installation.python);
    installation.exporter = dir->path() / "exporter";
    EXPECT_THAT(problem(), HasSubstr("exporter is missing"));
    std::filesystem::create_directories(installation.exporter / "apertune_exporter");
    EXPECT_TRUE(canExportHere(installation));
    EXPECT_THAT(problem(), HasSubstr("no C++ compiler (g++)"));
    EXPECT_THAT(sentences::sentence(canCompileHere(installation).error().hint), HasSubstr("apt-get install g++"));
    writeExecutable(dir->path() / "bin/g++");
    EXPECT_EQ(problem(), "");
    const apertune::test::EnvironmentVariables chosen("CXX", "clang++-99");
    EXPECT_THAT(problem(), HasSubstr("clang++-99"));
}

} // namespace
} // namespace apertune::probe
