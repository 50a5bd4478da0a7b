// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "tests/core/search/grid_fixture.h"

#include <set>

namespace apertune::search {
namespace {

using model::OptLevel;
using model::Precision;
using testing::ElementsAre;
using testing::HasSubstr;

/// An engine with two levels of its own, one precision and one switch.
BackendInfo engine()
{
    BackendInfo info;
    info.name = "engine";
    info.switches = {"streams"};
    info.levels = {{OptLevel::o1, {{"streams", false}}}, {OptLevel::o2, {{"streams", true}}}};
    info.precisions = {"fp32"};
    info.deviceIds = {"cpu"};
    info.formats = {"onnx"};
    return info;
}

class GridOfEngines : public test::Grid
{
protected:
    std::set<std::string> backendsOn(const std::string& device) const
    {
        std::set<std::string> names;
        for (const PlannedConfiguration& configuration : configurations())
            if (configuration.device == device)
                names.insert(configuration.config.backend);
        return names;
    }
};

TEST_F(GridOfEngines, AnEngineHasConfigurationsAtItsOwnLevelsAndPrecisionsOnly)
{
    backends.push_back(engine());
    space.backends = {"libtorch", "engine"};
    space.levels = {};
    space.precisions = {Precision::fp32, Precision::bf16};
    std::vector<std::string> found;
    for (const PlannedConfiguration& configuration : configurations())
        if (configuration.config.backend == "engine") {
            EXPECT_TRUE(configuration.impossible.empty()) << sentences::sentence(configuration.impossible.message);
            found.push_back(model::shortName(configuration.config, model::DeviceType::cpu()));
        }
    EXPECT_THAT(found, ElementsAre("engine O1 fp32 b1", "engine O2 fp32 b1 +streams"));
}

TEST_F(GridOfEngines, ASwitchThatIsAnotherBackendsOwnIsPassedOver)
{
    backends.push_back(engine());
    space.backends = {"libtorch", "engine"};
    space.levels = {OptLevel::o1};
    space.switches = {{"streams", {false, true}}, {"channels_last", {true}}};
    const auto all = configurations();
    EXPECT_EQ(all.size(), 3u); // libtorch once, the engine with streams and without
    for (const PlannedConfiguration& configuration : all) {
        EXPECT_TRUE(configuration.impossible.empty()) << sentences::sentence(configuration.impossible.message);
        EXPECT_EQ(configuration.config.switches.contains("streams"), configuration.config.backend == "engine");
        EXPECT_EQ(configuration.config.isOn("channels_last"), configuration.config.backend == "libtorch");
    }
}

TEST_F(GridOfEngines, AnEngineIsCrossedWithTheDevicesThatItCanOpenInTheirPrecisions)
{
    BackendInfo both = engine();
    both.precisions = {"fp32", "fp16"};
    both.deviceIds = {"cpu", "xpu:0", "npu:0"};
    both.precisionsOn = {{"cpu", {"fp32"}}, {"npu:0", {"fp16"}}};
    backends.push_back(both);
    model::Device gpu;
    gpu.id = "xpu:0";
    gpu.type = model::typeOfDevice(gpu.id);
    model::Device npu;
    npu.id = "npu:0";
    npu.type = model::typeOfDevice(npu.id);
    devices = {test::avx2Cpu(), gpu, npu};
    space.backends = {"all"};
    space.devices = {"all"};
    space.levels = {OptLevel::o1};
    space.precisions = {Precision::fp32, Precision::fp16};
    space.threads = {2, 4};
    std::vector<std::string> found;
    for (const PlannedConfiguration& configuration : configurations())
        if (configuration.config.backend == "engine") {
            EXPECT_TRUE(configuration.impossible.empty()) << sentences::sentence(configuration.impossible.message);
            found.push_back(configuration.device + ": " +
                            model::shortName(configuration.config, model::typeOfDevice(configuration.device), true));
        } else {
            EXPECT_EQ(configuration.device, "cpu") << "LibTorch does not open the others";
        }
    EXPECT_THAT(found, ElementsAre("cpu: engine O1 fp32 b1 th2", "cpu: engine O1 fp32 b1 th4",
                                   "xpu:0: engine O1 fp32 b1", "xpu:0: engine O1 fp16 b1", "npu:0: engine O1 fp16 b1"));
    space.devices = {};
    for (const PlannedConfiguration& configuration : configurations())
        EXPECT_EQ(configuration.device, "cpu") << "accelerators that most engines do not open run when they are named";
}

TEST_F(GridOfEngines, ReferencesOfADeviceThatNoFrameworkOpensAreMadeOnTheCpu)
{
    model::Device npu;
    npu.id = "npu:0";
    npu.type = model::typeOfDevice(npu.id);
    devices = {test::amxCpu(), test::gpu(), npu};
    backends.push_back(engine());
    backends.back().deviceIds = {"cpu", "npu:0"};
    ASSERT_NE(referenceDevice(npu, devices, backends), nullptr);
    EXPECT_EQ(referenceDevice(npu, devices, backends)->id, "cpu");
    EXPECT_EQ(referenceDevice(devices[0], devices, backends), nullptr);
    EXPECT_EQ(referenceDevice(devices[1], devices, backends), nullptr);
    backends = {backends.back()};
    EXPECT_EQ(referenceDevice(npu, devices, backends), nullptr);
}

TEST_F(GridOfEngines, AllStandsForEveryBackendThatRunsHereAndIsNotForTests)
{
    BackendInfo absent;
    absent.name = "absent";
    BackendInfo scripted = test::libtorch();
    scripted.name = "fake";
    scripted.forTests = true;
    backends.insert(backends.end(), {absent, scripted, engine()});
    space.backends = {"all"};
    space.levels = {OptLevel::o1};
    EXPECT_THAT(backendsOn("cpu"), ElementsAre("engine", "libtorch"));

    devices = {test::amxCpu(), test::gpu()};
    space.devices = {"all"};
    EXPECT_THAT(backendsOn("cuda:0"), ElementsAre("libtorch")) << "an engine that has not the device is no row";

    backends = {BackendInfo{}};
    backends[0].name = "libtorch";
    backends[0].cannotCompileReason = base::foreignText("LibTorch was not found.");
    devices = {test::amxCpu()};
    EXPECT_THAT(onlyReason(), HasSubstr("LibTorch was not found."));
}

TEST_F(GridOfEngines, AnAxisThatLeavesNoConfigurationIsRefused)
{
    backends = {engine()};
    space.backends = {"engine"};
    expectInvalid("None of the requested levels and precisions", "apertune device list");
}

TEST_F(GridOfEngines, AModelInAFormatThatABackendDoesNotOpenIsImpossible)
{
    backends[0].formats = {"torchscript"};
    model.files = {{"onnx", "model.onnx"}};
    EXPECT_THAT(onlyReason(), HasSubstr("onnx only"));
    space.precisions = {Precision::int8}; // it lacks that, too
    EXPECT_THAT(onlyReason(), HasSubstr("onnx only"));
    space.precisions = {};
    backends = {engine()};
    space.backends = {"engine"};
    space.levels = {OptLevel::o1};
    EXPECT_EQ(onlyReason(), "");
    model.files = {{"torchscript", "model.ts.pt"}};
    backends[0].cannotConvertReason = base::foreignText("There is no Python.");
    EXPECT_THAT(onlyReason(), HasSubstr("There is no Python."));
}

TEST_F(GridOfEngines, AnEngineIsComparedWithTheFrameworksOutputsWhereItRunsTheModel)
{
    backends[0].formats = {"torchscript"};
    backends.push_back(engine());
    model::Config config{"engine", OptLevel::o2, Precision::fp32, 4, 2, {{"streams", true}}};
    model::Config reference = referenceConfig(config, devices[0], backends, model);
    EXPECT_EQ(reference.backend, "libtorch");
    EXPECT_EQ(model::shortName(reference, model::DeviceType::cpu(), true), "O0 fp32 b4 th2");

    model.files = {{"onnx", "model.onnx"}};
    reference = referenceConfig(config, devices[0], backends, model);
    EXPECT_EQ(reference.backend, "engine");
    EXPECT_EQ(model::shortName(reference, model::DeviceType::cpu(), true), "engine O1 fp32 b4 th2");

    config.backend = "libtorch";
    EXPECT_EQ(referenceConfig(config, devices[0], backends, model).backend, "libtorch");
}

TEST_F(GridOfEngines, Int8ConfigurationsOfAnEngineSayHowTheyAreCalibrated)
{
    BackendInfo engine = test::libtorch();
    engine.name = "engine";
    engine.formats = {"onnx"};
    engine.precisions = {"fp32", "int8"};
    engine.levels = {{OptLevel::o0, {}}};
    backends = {engine};
    space.backends = {"engine"};
    space.precisions = {Precision::fp32, Precision::int8};
    space.calibration = "/photos";
    space.calibrationSamples = 7;
    const auto all = configurations();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_FALSE(all[0].config.quantization);
    ASSERT_TRUE(all[1].config.quantization);
    EXPECT_EQ(*all[1].config.quantization, (model::Quantization{"/photos", 7, {}}));
    EXPECT_TRUE(all[1].impossible.empty()) << sentences::sentence(all[1].impossible.message);

    space.sensitive = {"stem", "head"}; // the most sensitive layer comes first
    std::vector<std::vector<std::string>> kept;
    for (const PlannedConfiguration& configuration : configurations())
        if (configuration.config.quantization)
            kept.push_back(configuration.config.quantization->floatLayers);
    EXPECT_THAT(kept, ElementsAre(std::vector<std::string>{}, std::vector<std::string>{"stem"},
                                  std::vector<std::string>{"head", "stem"}));

    engine.formats = {"torchscript"}; // nothing is made for it
    backends = {engine};
    EXPECT_FALSE(configurations()[1].config.quantization);
}

TEST_F(GridOfEngines, Int8OfTheCommonLevelsIsMadeByCompiling)
{
    BackendInfo torch = test::libtorch();
    torch.formats = {"torchscript", "aoti"};
    torch.precisions.emplace_back("int8");
    backends = {torch};
    space.backends = {"libtorch"};
    space.levels = {OptLevel::o2, OptLevel::o3};
    space.precisions = {Precision::int8};
    space.sensitive = {"stem"}; // for the engines whose layers can be left in float one by one
    devices = {test::amxCpu()};
    auto all = configurations();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(sentences::sentence(all[0].impossible.message),
              "int8 is made when the model is compiled, at O3: it needs aoti.");
    EXPECT_FALSE(all[0].config.quantization);
    EXPECT_TRUE(all[1].impossible.empty()) << sentences::sentence(all[1].impossible.message);
    EXPECT_EQ(all[1].config.quantization, model::Quantization{});

    devices = {test::avx2Cpu()};
    EXPECT_THAT(sentences::sentence(configurations()[1].impossible.message),
                HasSubstr("no 8-bit dot products (VNNI or AMX) and would only emulate"));
    space.emulated = true;
    EXPECT_TRUE(configurations()[1].impossible.empty());
    devices = {test::gpu()};
    EXPECT_EQ(sentences::sentence(configurations()[1].impossible.message), "libtorch computes int8 on a CPU only.");
}

TEST_F(GridOfEngines, Fp8IsOfferedWhereTheGpuHasItAndMadeByCompiling)
{
    BackendInfo torch = test::libtorch();
    torch.formats = {"torchscript", "aoti"};
    torch.precisions.emplace_back("fp8");
    backends = {torch};
    space.backends = {"libtorch"};
    space.levels = {OptLevel::o2, OptLevel::o3};
    space.precisions = {Precision::fp8};
    devices = {test::gpu()};
    const auto all = configurations();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(sentences::sentence(all[0].impossible.message),
              "fp8 is made when the model is compiled, at O3: it needs aoti.");
    EXPECT_TRUE(all[1].impossible.empty()) << sentences::sentence(all[1].impossible.message);
    EXPECT_FALSE(all[1].config.quantization) << "nothing is calibrated";

    devices = {test::gpu("cuda:0", "NVIDIA L4", 8, 9)};
    EXPECT_TRUE(configurations()[1].impossible.empty());
    devices = {test::gpu("cuda:0", "NVIDIA A100", 8, 0)};
    EXPECT_EQ(sentences::sentence(configurations()[1].impossible.message),
              "fp8 needs compute capability 8.9, NVIDIA A100 has 8.0.");
    devices = {test::amxCpu()};
    space.emulated = true;
    EXPECT_EQ(sentences::sentence(configurations()[1].impossible.message),
              "fp8 needs an NVIDIA GPU of compute capability 8.9.");
}

} // namespace
} // namespace apertune::search
