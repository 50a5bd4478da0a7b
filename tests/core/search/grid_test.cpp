// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/switch_reasons.h"
#include "core/search/defaults.h"
#include "core/sentences/sentences.h"
#include "tests/core/search/grid_fixture.h"

#include <algorithm>
#include <map>
#include <set>

namespace apertune::search {
namespace {

using model::OptLevel;
using model::Precision;
using test::Grid;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(Grid, EveryConfigurationOfTheProductIsThereOnce)
{
    space.levels = {OptLevel::o3, OptLevel::o0, OptLevel::o2, OptLevel::o1, OptLevel::o0};
    space.precisions = {Precision::bf16, Precision::fp32};
    space.batches = {4, 1, 4};
    std::set<std::string> hashes;
    for (const PlannedConfiguration& configuration : configurations())
        hashes.insert(model::configHash(configuration.config, configuration.device));
    EXPECT_EQ(hashes.size(), 16u);
    EXPECT_EQ(configurations().size(), 16u);
}

TEST_F(Grid, AFamilysConfigurationsStandTogetherInAscendingBatches)
{
    space.levels = {};
    space.precisions = {};
    space.batches = {8, 1, 2};
    std::set<std::string> closed;
    std::string group;
    int batch = 0;
    for (const PlannedConfiguration& configuration : configurations()) {
        const std::string key = model::groupKey(configuration.config, configuration.device);
        if (key != group) {
            EXPECT_TRUE(closed.insert(key).second) << "a group is in two places";
            group = key;
            batch = 0;
        }
        EXPECT_GT(configuration.config.batch, batch);
        batch = configuration.config.batch;
    }
}

TEST_F(Grid, CompiledGroupsComeLastWhateverTheirLevel)
{
    space.levels = {OptLevel::o0, OptLevel::o3};
    space.switches["aoti"] = {true, false};
    std::vector<std::string> names;
    for (const PlannedConfiguration& configuration : configurations())
        names.push_back(model::shortName(configuration.config, model::DeviceType::cpu()));
    EXPECT_THAT(names, ElementsAre("O0 fp32 b1", "O3 fp32 b1 −aoti", "O0 fp32 b1 +aoti", "O3 fp32 b1"));
}

TEST_F(Grid, TheBaselineComesFirstEvenBeforeASimplerLookingGroup)
{
    space.switches["freeze"] = {true, false};
    space.threads = {2, 1};
    std::vector<std::string> names;
    for (const PlannedConfiguration& configuration : configurations())
        names.push_back(model::shortName(configuration.config, model::DeviceType::cpu(), true));
    EXPECT_THAT(names,
                ElementsAre("O0 fp32 b1 th1", "O0 fp32 b1 th2", "O0 fp32 b1 th1 +freeze", "O0 fp32 b1 th2 +freeze"));
}

TEST_F(Grid, LevelsThatExpandToTheSameConfigurationAreKeptOnceUnderThePlainestName)
{
    space.levels = {OptLevel::o0, OptLevel::o1};
    for (const char* name : {"jit_optimize", "freeze", "optimize_for_inference", "keep_memory"})
        space.switches[name] = {true, false};
    const auto all = configurations();
    EXPECT_EQ(all.size(), 16u); // 2⁴ switch settings, not 32
    std::set<model::SwitchMap> distinct;
    bool hasPlainO1 = false;
    for (const PlannedConfiguration& configuration : all) {
        distinct.insert(configuration.config.switches);
        hasPlainO1 |= model::shortName(configuration.config, model::DeviceType::cpu()) == "O1 fp32 b1";
    }
    EXPECT_EQ(distinct.size(), 16u);
    EXPECT_TRUE(hasPlainO1);
    EXPECT_EQ(model::shortName(all.front().config, model::DeviceType::cpu()), "O0 fp32 b1");
}

TEST_F(Grid, Tf32AsASwitchAndAsAPrecisionIsOneConfiguration)
{
    devices = {test::gpu()};
    space.precisions = {Precision::fp32, Precision::tf32};
    space.switches["tf32"] = {true, false};
    const auto all = configurations();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].config.precision, Precision::fp32);
    EXPECT_EQ(all[1].config.precision, Precision::tf32);
    EXPECT_TRUE(all[1].config.isOn("tf32"));
}

TEST_F(Grid, Tf32OnSixteenBitTensorsIsImpossible)
{
    devices = {test::gpu()};
    space.precisions = {Precision::fp16};
    space.switches["tf32"] = {true};
    EXPECT_THAT(onlyReason(), HasSubstr("does nothing at fp16"));
}

TEST_F(Grid, Tf32IsImpossibleOnACpuHoweverItIsAskedFor)
{
    space.precisions = {Precision::tf32};
    EXPECT_EQ(onlyReason(), "tf32 arithmetic exists on NVIDIA GPUs only.");
    space.precisions = {Precision::fp32};
    space.switches["tf32"] = {true};
    EXPECT_EQ(onlyReason(), "tf32 arithmetic exists on NVIDIA GPUs only.");
}

TEST_F(Grid, EmulatedPrecisionsRunWhenAskedFor)
{
    devices = {test::avx2Cpu()};
    space.precisions = {Precision::bf16};
    EXPECT_THAT(onlyReason(), HasSubstr("AMD EPYC 9B45 has no bf16 arithmetic"));
    space.emulated = true;
    EXPECT_EQ(onlyReason(), "");
}

TEST_F(Grid, SixteenBitNeedsItsOwnInstructions)
{
    devices[0].isa = {"avx2", "avx512f", "avx512_bf16"};
    space.precisions = {Precision::bf16};
    EXPECT_EQ(onlyReason(), "");
    space.precisions = {Precision::fp16};
    EXPECT_THAT(onlyReason(), HasSubstr("no fp16 arithmetic"));
}

TEST_F(Grid, AnOlderGpuLacksBf16AndTf32)
{
    devices = {test::gpu("cuda:0", "Tesla T4", 7, 5)};
    space.precisions = {Precision::tf32};
    EXPECT_EQ(onlyReason(), "tf32 needs compute capability 8.0, Tesla T4 has 7.5.");
    space.precisions = {Precision::bf16};
    EXPECT_EQ(onlyReason(), "bf16 needs compute capability 8.0, Tesla T4 has 7.5.");
    space.precisions = {Precision::fp16};
    EXPECT_EQ(onlyReason(), "");
}

TEST_F(Grid, APrecisionOrSwitchThatTheBackendLacksIsImpossible)
{
    space.precisions = {Precision::int8};
    EXPECT_EQ(onlyReason(), "The backend libtorch does not offer int8.");
    space.precisions = {Precision::fp32};
    space.switches["freeze"] = {true};
    std::erase(backends[0].switches, "freeze");
    EXPECT_EQ(onlyReason(), "The backend libtorch has no switch freeze.");
    space.switches["freeze"] = {false};
    EXPECT_EQ(onlyReason(), "");
}

TEST_F(Grid, SwitchesThatContradictEachOtherAreImpossible)
{
    space.switches = {{"onednn_graph", {true}}, {"optimize_for_inference", {true}}};
    EXPECT_THAT(onlyReason(), HasSubstr("alternatives"));
    space.switches = {{"max_autotune", {true}}};
    EXPECT_THAT(onlyReason(), HasSubstr("needs aoti"));
    space.switches = {{"sdpa_math", {true}}, {"aoti", {true}}};
    EXPECT_EQ(onlyReason(), "") << "chosen while compiling";
    space.switches = {{"aoti_dynamic_batch", {true}}};
    EXPECT_THAT(onlyReason(), HasSubstr("needs aoti"));
    space.switches = {{"max_autotune", {true}}, {"aoti", {true}}};
    EXPECT_EQ(onlyReason(), "");
    space.switches = {{"jit_optimize", {true}}, {"aoti", {true}}};
    EXPECT_THAT(onlyReason(), HasSubstr("jit_optimize works on the TorchScript graph"));
    space.switches = {{"cuda_graph", {true}}};
    EXPECT_EQ(onlyReason(), "cuda_graph works on NVIDIA GPUs only.");
    devices = {test::gpu()};
    EXPECT_EQ(onlyReason(), "");
    space.switches = {{"onednn_graph", {true}}};
    EXPECT_EQ(onlyReason(), "onednn_graph works on a CPU only.");
}

TEST_F(Grid, EveryConflictOfTheCatalogueIsImpossible)
{
    const auto check = [&](const model::SwitchInfo& info, const model::SwitchRelation& relation, bool other) {
        const model::SwitchInfo* related = model::findSwitch(relation.other);
        ASSERT_NE(related, nullptr) << info.name << " names " << relation.other;
        const model::DeviceType gpu = model::DeviceType::nvidiaGpu();
        devices = {info.knownOn(gpu) && related->knownOn(gpu) ? test::gpu() : test::avx2Cpu()};
        space.switches = {{info.name, {true}}, {relation.other, {other}}};
        const base::Message expected =
            relation.reason.empty() ? other ? base::message<model::reasons::kExcludes>(info.name, relation.other)
                                            : base::message<model::reasons::kNeedsSwitch>(info.name, relation.other)
                                    : relation.reason;
        EXPECT_EQ(onlyReason(), sentences::sentence(expected)) << info.name << " and " << relation.other;
    };
    for (const model::SwitchInfo& info : model::switchCatalogue()) {
        if (!info.needs.other.empty())
            check(info, info.needs, false);
        for (const model::SwitchRelation& excluded : info.excludes)
            check(info, excluded, true);
    }
}

TEST_F(Grid, ASwitchOfAnotherDeviceIsLeftOutWhereItIsOff)
{
    space.switches = {{"cuda_graph", {false}}};
    const auto all = configurations();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_FALSE(all[0].config.switches.contains("cuda_graph"));
}

TEST_F(Grid, CompiledConfigurationsNeedAnExportedProgramAndACompiler)
{
    space.levels = {OptLevel::o3};
    EXPECT_EQ(onlyReason(), "");
    backends[0].canCompile = false;
    backends[0].cannotCompileReason = base::foreignText("there is no g++.");
    EXPECT_EQ(onlyReason(), "No compiler for packages is available here: there is no g++.");
    model.hasExportedProgram = false;
    model.source = "/models/net.pt";
    EXPECT_THAT(onlyReason(), HasSubstr("no exported program to compile from; a TorchScript file cannot be compiled."));
    model.source = "python:net.py:make";
    EXPECT_THAT(onlyReason(), HasSubstr("no exported program to compile from."));
    model.notes = {"Traced.", "torch.export failed: data-dependent control flow", "Layers: 3"};
    EXPECT_THAT(onlyReason(), HasSubstr("to compile from: torch.export failed: data-dependent control flow"));
}

TEST_F(Grid, StateIsLeftToTorchScript)
{
    model.state = {"body.count"};
    backends[0].formats = {"torchscript", "aoti"};
    space.levels = {OptLevel::o2};
    EXPECT_EQ(onlyReason(), "");
    space.levels = {OptLevel::o3};
    EXPECT_THAT(onlyReason(), HasSubstr("keeps state from pass to pass in body.count"));
    backends[0].formats = {"onnx"};
    model.files = {{"onnx", "model.onnx"}};
    space.levels = {OptLevel::o2};
    EXPECT_THAT(onlyReason(), HasSubstr("would give the same outputs in every pass"));
}

TEST_F(Grid, RandomNumbersAreComparedWhereTheyAreTheSame)
{
    model.random = true;
    backends[0].formats = {"torchscript", "aoti"};
    space.levels = {OptLevel::o2};
    EXPECT_EQ(onlyReason(), "");
    space.precisions = {Precision::bf16};
    EXPECT_THAT(onlyReason(), HasSubstr("At bf16 it draws others"));
    space.precisions = {Precision::fp32};
    space.levels = {OptLevel::o3};
    EXPECT_THAT(onlyReason(), HasSubstr("draws others from the same seed"));
    backends[0].formats = {"onnx"};
    model.files = {{"onnx", "model.onnx"}};
    space.levels = {OptLevel::o2};
    EXPECT_THAT(onlyReason(), HasSubstr("draws others from the same seed"));
}

TEST_F(Grid, AFixedBatchIsTriedOnItsOwnUnlessBatchesAreNamed)
{
    model.dynamicBatch = false;
    space.batches = {};
    EXPECT_EQ(onlyReason(), "");
    space.batches = {model::SearchSpace::kAutoBatch};
    EXPECT_EQ(onlyReason(), "");
    space.batches = {1, 4};
    const auto all = configurations();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_TRUE(all[0].impossible.empty());
    EXPECT_THAT(sentences::sentence(all[1].impossible.message), HasSubstr("batch dimension is fixed"));
}

TEST_F(Grid, BatchesThatTheImportSawFailAreSkippedOneByOne)
{
    model.failingBatches = {{3, "ValueError: no threes"}};
    space.batches = {1, 3, 4};
    const auto all = configurations();
    ASSERT_EQ(all.size(), 3u);
    EXPECT_TRUE(all[0].impossible.empty());
    EXPECT_EQ(sentences::sentence(all[1].impossible.message),
              "The model failed at batch 3 during its import: ValueError: no threes");
    EXPECT_TRUE(all[2].impossible.empty());
}

TEST_F(Grid, AutomaticBatchesAreBoundedByTheMemoryAndByNoFixedNumber)
{
    devices = {test::amxCpu(), test::gpu()};
    space.devices = {"all"};
    space.batches = {model::SearchSpace::kAutoBatch};
    std::map<std::string, std::vector<int>> batches;
    model.parameters = 0;
    model.inputs = {{"image", "float32", {1, 3, 1024, 1024}, 0}};
    model.outputs = {};
    model.layers = {{"stem", "Conv2d", 0, 0, {1, 61, 1024, 1024}}}; // 128 MiB a sample, with the input
    devices[0].memory = {std::int64_t{10} << 30};
    devices[1].memory = {std::int64_t{140} << 30};
    for (const PlannedConfiguration& configuration : configurations())
        batches[configuration.device].push_back(configuration.config.batch);
    EXPECT_THAT(batches["cpu"], ElementsAre(1, 2, 4, 8, 16, 32, 64)) << "80 % of the host's";
    EXPECT_THAT(batches["cuda:0"], ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024));
    const auto bounded = planGrid(space, devices, backends, model, base::Bytes{std::int64_t{1} << 30});
    ASSERT_TRUE(bounded);
    for (const PlannedConfiguration& configuration : *bounded)
        EXPECT_LE(configuration.config.batch, 8) << "--max-memory ends it";
}

TEST_F(Grid, ThreadsAreAnAxisOfTheCpuOnly)
{
    devices = {test::amxCpu(), test::gpu()};
    space.devices = {"all"};
    space.threads = {4, 1};
    std::vector<std::string> seen;
    for (const PlannedConfiguration& configuration : configurations())
        seen.push_back(configuration.device + " " + std::to_string(configuration.config.threads));
    EXPECT_THAT(seen, ElementsAre("cpu 1", "cpu 4", "cuda:0 0"));
}

TEST_F(Grid, ABackendThatCannotStartGivesImpossibleConfigurationsWithItsReason)
{
    backends[0] = {};
    backends[0].name = "libtorch";
    backends[0].cannotCompileReason = base::foreignText("LibTorch was not found.");
    EXPECT_EQ(onlyReason(), "The backend libtorch cannot run here: LibTorch was not found.");
}

TEST_F(Grid, ADeviceThatTheBackendDoesNotSeeIsImpossible)
{
    devices = {test::gpu()};
    backends[0].deviceIds = {"cpu"};
    backends[0].notes = {"CUDA is unavailable: no driver"};
    EXPECT_EQ(onlyReason(), "The backend libtorch cannot use cuda:0 here: CUDA is unavailable: no driver.");
}

TEST_F(Grid, UnknownNamesAreToldWithTheNearestValidOne)
{
    space.switches = {{"chanels_last", {true}}};
    expectInvalid("no switch \"chanels_last\"", "Did you mean channels_last?");
    space.switches.clear();
    space.backends = {"libtorhc"};
    expectInvalid("no backend \"libtorhc\"", "Did you mean libtorch?");
    space.backends = {"libtorch"};
    devices = {test::amxCpu(), test::gpu()};
    space.devices = {"cuda:7"};
    expectInvalid("no device \"cuda:7\"", "Did you mean cuda:0?");
    devices = {test::amxCpu()};
    space.devices = {"cuda"}; // a group without members is no group
    expectInvalid("no device \"cuda\"", "Available devices: cpu");
}

TEST_F(Grid, NumbersThatMakeNoSenseAreRefused)
{
    space.batches = {1, -2};
    expectInvalid("batch size -2", "1 or more");
    space.batches = {0, 4};
    expectInvalid("either auto or a list", "auto");
    space.batches = {1};
    space.threads = {0};
    expectInvalid("number of threads: 0", "1 or more");
    space.threads = {};
    space.switches = {{"freeze", {}}};
    expectInvalid("freeze has no value", "freeze=on,off");
}

TEST_F(Grid, ASpaceOfAMillionConfigurationsIsRefused)
{
    space.levels = {};
    for (const model::SwitchInfo& info : model::switchCatalogue())
        space.switches[info.name] = {true, false};
    for (int batch = 1; batch < 100; ++batch)
        space.batches.push_back(batch);
    expectInvalid("more than 20000 configurations", "Leave out an axis");
}

TEST_F(Grid, WithoutDevicesThereIsNothingToPlan)
{
    devices.clear();
    const auto result = plan();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, base::ErrorCode::notFound);
}

TEST(GridDefaults, AreFilledInAndStableWhenAppliedTwice)
{
    const std::vector<model::Device> devices{test::amxCpu()};
    const auto filled = withDefaults({}, devices);
    ASSERT_TRUE(filled);
    EXPECT_THAT(filled->backends, ElementsAre("all"));
    EXPECT_THAT(filled->levels, ElementsAre(OptLevel::o0, OptLevel::o1, OptLevel::o2, OptLevel::o3));
    EXPECT_THAT(filled->batches, ElementsAre(1, 2, 4, 8));
    EXPECT_THAT(filled->devices, ElementsAre("cpu"));
    EXPECT_THAT(filled->threads, ElementsAre(2));
    EXPECT_TRUE(filled->precisions.empty());
    EXPECT_THAT(precisionsOf(*filled, OptLevel::o0, devices[0]), ElementsAre(Precision::fp32));
    EXPECT_THAT(precisionsOf(*filled, OptLevel::o3, devices[0]), ElementsAre(Precision::fp32, Precision::bf16));

    const auto twice = withDefaults(*filled, devices);
    ASSERT_TRUE(twice);
    EXPECT_EQ(twice->threads, filled->threads);
    EXPECT_EQ(twice->devices, filled->devices);
    EXPECT_EQ(planGrid(*filled, devices, {test::libtorch()}, test::resnet())->size(),
              planGrid({}, devices, {test::libtorch()}, test::resnet())->size());
}

TEST(GridDefaults, OneGpuOfEachModelStandsForItsEquals)
{
    const std::vector<model::Device> devices{test::amxCpu(), test::gpu("cuda:0"), test::gpu("cuda:1"),
                                             test::gpu("cuda:2", "NVIDIA L4", 8, 9)};
    EXPECT_THAT(withDefaults({}, devices)->devices, ElementsAre("cuda:0", "cuda:2"));
    model::SearchSpace space;
    space.devices = {"cuda", "cuda:1"};
    EXPECT_THAT(withDefaults(space, devices)->devices, ElementsAre("cuda:0", "cuda:1", "cuda:2"));
    space.devices = {"all"};
    EXPECT_THAT(withDefaults(space, devices)->devices, ElementsAre("cpu", "cuda:0", "cuda:1", "cuda:2"));
}

TEST(GridDefaults, AGpuThatNobodyUsesComesBeforeABusyOne)
{
    std::vector<model::Device> devices{test::gpu("cuda:0"), test::gpu("cuda:1"), test::gpu("cuda:2")};
    devices[0].use = model::GpuUse{1, 0, {}};
    devices[1].use = model::GpuUse{0, 0, {}};
    devices[2].use = model::GpuUse{0, 0, {}};
    EXPECT_THAT(withDefaults({}, devices)->devices, ElementsAre("cuda:1"));
    devices[1].use->load = devices[2].use->load = 90;
    EXPECT_THAT(withDefaults({}, devices)->devices, ElementsAre("cuda:0")) << "all are busy";
}

TEST_F(Grid, EqualGpusShareTheGroupsAndEachHasTheReference)
{
    devices = {test::gpu("cuda:0"), test::gpu("cuda:1"), test::gpu("cuda:2", "NVIDIA L4", 8, 9)};
    space.devices = {"cuda"};
    space.levels = {OptLevel::o0, OptLevel::o1, OptLevel::o2};
    space.precisions = {Precision::fp32, Precision::fp16};
    space.batches = {1, 4};
    space.spread = true;
    std::map<std::string, std::set<std::string>> groups;
    std::map<std::string, int> owners;
    for (const PlannedConfiguration& planned : configurations()) {
        const std::string group = model::groupKey(planned.config, {});
        if (groups[planned.device].insert(group).second && planned.device != "cuda:2")
            ++owners[group];
    }
    EXPECT_EQ(groups["cuda:2"].size(), 6u) << "it has no equal";
    EXPECT_EQ(groups["cuda:0"].size(), 4u) << "the reference, and half of the five others";
    EXPECT_EQ(groups["cuda:1"].size(), 3u);
    EXPECT_EQ(owners.size(), 6u) << "none is lost";
    EXPECT_EQ(std::count_if(owners.begin(), owners.end(), [](const auto& owner) { return owner.second == 2; }), 1);
}

TEST(GridDefaults, ThreadsFallBackToLogicalProcessorsAndToOne)
{
    model::Device cpu = test::amxCpu();
    cpu.cores = 0;
    EXPECT_THAT(withDefaults({}, {cpu})->threads, ElementsAre(4));
    cpu.threads = 0;
    EXPECT_THAT(withDefaults({}, {cpu})->threads, ElementsAre(1));
    EXPECT_THAT(withDefaults({}, {test::gpu()})->threads, ElementsAre());
}

} // namespace
} // namespace apertune::search
