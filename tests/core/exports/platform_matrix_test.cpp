// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/platform_matrix.h"
#include "core/model/imported.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>

#include <set>

namespace apertune::exports {
namespace {

model::Device deviceNamed(const std::string& id, const std::string& name)
{
    model::Device device;
    device.id = id;
    device.type = model::typeOfDevice(id);
    device.name = name;
    return device;
}

model::Trial trialOf(int id, const std::string& backend, const std::string& device, int batch, double ms)
{
    model::Config config;
    config.backend = backend;
    config.batch = batch;
    model::Trial trial = apertune::test::measuredTrial(id, config, ms);
    trial.device = device;
    return trial;
}

model::StudySnapshot studyOf(const std::string& model, const model::Device& device, std::vector<model::Trial> trials)
{
    model::StudySnapshot snapshot;
    snapshot.study.model.name = model;
    snapshot.study.model.source = "torchvision:" + model;
    snapshot.study.environment.devices = {device};
    snapshot.trials = std::move(trials);
    return snapshot;
}

/// The study of a kit for a platform; `standInFor` where a processor ran instead.
model::StudySnapshot kitStudy(const std::string& source, const std::string& platform, const model::Device& device,
                              std::vector<model::Trial> trials, const std::string& standInFor = {})
{
    model::StudySnapshot snapshot = studyOf("trials", device, std::move(trials));
    snapshot.study.model.source = "pytorch:trials.json";
    snapshot.study.purpose = model::StudyPurpose::imported;
    auto& settings = snapshot.study.environment.settings;
    settings = {{std::string(model::kPlatform), platform}, {std::string(model::kModelSource), source}};
    if (!standInFor.empty())
        settings.emplace_back(model::kStandInFor, standInFor);
    return snapshot;
}

const PlatformCell& cellOf(const std::vector<PlatformRow>& rows, const std::string& platform, model::ModelFamily family)
{
    for (const PlatformRow& row : rows)
        if (row.platform->name == platform)
            for (const PlatformCell& cell : row.cells)
                if (cell.family == family)
                    return cell;
    ADD_FAILURE() << "no cell " << platform;
    static const PlatformCell kNone;
    return kNone;
}

const std::vector<model::Device> kHere{deviceNamed("cpu", "AMD EPYC")};

TEST(Platforms, AreDescribedOnceEach)
{
    std::set<std::string> names;
    for (const Platform& platform : platforms()) {
        EXPECT_TRUE(names.insert(platform.name).second) << platform.name;
        EXPECT_TRUE(model::isDeviceId(platform.device)) << platform.name << " " << platform.device;
        EXPECT_FALSE(platform.title.empty() || platform.requirement.empty() || platform.remark.empty());
        EXPECT_FALSE(platform.precisions.empty()) << platform.name;
        EXPECT_EQ(engineOf(platform).backend, platform.backend);
        EXPECT_EQ(findPlatform(platform.name), &platform);
    }
    for (const char* name : {"cuda", "rocm", "mps", "cpu", "onnxruntime-cpu", "qnn", "webnn", "webgpu", "openvino-cpu",
                             "openvino-gpu", "openvino-npu"})
        EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_EQ(findPlatform("toaster"), nullptr);
}

TEST(PlatformMatrix, CountsTrialsOfApertuneByDeviceAndEngine)
{
    const std::vector<model::StudySnapshot> studies{
        studyOf("resnet50", kHere[0],
                {trialOf(1, "libtorch", "cpu", 1, 20), trialOf(2, "libtorch", "cpu", 8, 80),
                 trialOf(3, "openvino", "cpu", 1, 12)}),
        studyOf("vit_b_16", deviceNamed("cuda:0", "NVIDIA H200"),
                {trialOf(4, "tensorrt", "cuda:0", 1, 2), trialOf(5, "libtorch", "cuda:0", 1, 3)})};
    const auto rows = platformMatrix(studies, {}, kHere);
    const PlatformCell& cpu = cellOf(rows, "cpu", model::ModelFamily::resnet);
    EXPECT_EQ(cpu.state, CellState::measuredHere);
    EXPECT_EQ(cpu.here, 2u) << "that of the other engine is of its own platform";
    ASSERT_TRUE(cpu.best);
    EXPECT_EQ(cpu.best->trial, model::TrialId{2}) << "10 ms a sample at batch 8";
    EXPECT_EQ(cpu.best->device, "AMD EPYC");
    EXPECT_TRUE(cpu.command.empty());
    EXPECT_EQ(cellOf(rows, "openvino-cpu", model::ModelFamily::resnet).here, 1u);
    EXPECT_EQ(cellOf(rows, "cuda", model::ModelFamily::vit).here, 2u) << "of every engine";
    EXPECT_EQ(cellOf(rows, "rocm", model::ModelFamily::resnet).here, 0u);
}

TEST(PlatformMatrix, TrialsOfKitsAreMeasuredThereUnlessAProcessorStoodIn)
{
    const model::Device gpu = deviceNamed("rocm:0", "imported: AMD Instinct MI300X");
    const std::vector<model::StudySnapshot> studies{
        kitStudy("torchvision:swin_t", "rocm", gpu, {trialOf(1, "pytorch", "rocm:0", 1, 4)}),
        kitStudy("torchvision:vit_b_16", "rocm", gpu, {trialOf(2, "pytorch", "rocm:0", 1, 4)}, "ROCm"),
        kitStudy("torchvision:resnet50", "cpu", deviceNamed("cpu", "imported: ARM"),
                 {trialOf(3, "pytorch", "cpu", 1, 4)})};
    const auto rows = platformMatrix(studies, {}, kHere);
    const PlatformCell& swin = cellOf(rows, "rocm", model::ModelFamily::swin);
    EXPECT_EQ(swin.state, CellState::measuredThere);
    EXPECT_EQ(swin.there, 1u);
    EXPECT_EQ(swin.best->device, "imported: AMD Instinct MI300X");
    EXPECT_EQ(cellOf(rows, "rocm", model::ModelFamily::vit).state, CellState::neverTried) << "a processor is no ROCm";
    EXPECT_EQ(cellOf(rows, "cpu", model::ModelFamily::resnet).state, CellState::measuredThere);
    EXPECT_EQ(cellOf(rows, "cpu", model::ModelFamily::resnet).here, 0u) << "another processor is not this machine's";
}

TEST(PlatformMatrix, ATrialOfApertuneIsTheBestWhereThereAreBoth)
{
    const std::vector<model::StudySnapshot> studies{
        kitStudy("torchvision:resnet50", "cpu", deviceNamed("cpu", "imported: ARM"),
                 {trialOf(1, "pytorch", "cpu", 1, 4)}),
        studyOf("resnet50", kHere[0], {trialOf(2, "libtorch", "cpu", 1, 20)})};
    for (const auto& order : {studies, std::vector{studies[1], studies[0]}}) {
        const auto rows = platformMatrix(order, {}, kHere);
        const PlatformCell& cell = cellOf(rows, "cpu", model::ModelFamily::resnet);
        EXPECT_EQ(cell.here, 1u);
        EXPECT_EQ(cell.there, 1u);
        EXPECT_EQ(cell.best->trial, model::TrialId{2}) << "though that of the kit was faster";
    }
}

TEST(PlatformMatrix, ATimeWithoutAnIntervalIsTheBestOnlyWhereThereIsNoOther)
{
    model::Trial few = trialOf(1, "libtorch", "cpu", 1, 5);
    few.measurement.latencyNs.confidence = 0;
    model::Trial wide = trialOf(2, "libtorch", "cpu", 1, 6);
    wide.measurement.latencyNs.hi = 5 * wide.measurement.latencyNs.lo;
    const std::vector<model::StudySnapshot> both{
        studyOf("resnet50", kHere[0], {few, trialOf(3, "libtorch", "cpu", 1, 20), wide})};
    EXPECT_EQ(cellOf(platformMatrix(both, {}, kHere), "cpu", model::ModelFamily::resnet).best->trial,
              model::TrialId{3});
    const std::vector<model::StudySnapshot> alone{studyOf("resnet50", kHere[0], {few})};
    EXPECT_EQ(cellOf(platformMatrix(alone, {}, kHere), "cpu", model::ModelFamily::resnet).best->trial,
              model::TrialId{1});
}

TEST(PlatformMatrix, SaysWhatWouldMeasureTheOthers)
{
    model::ModelRef resnet;
    resnet.name = "my resnet50";
    resnet.source = "torchvision:resnet50";
    model::ModelRef onnx;
    onnx.name = "vit";
    onnx.files = {{"onnx", "model.onnx"}};
    const std::vector<model::ModelRef> models{resnet, onnx};
    const auto rows = platformMatrix({}, models, kHere);
    const PlatformCell& rocm = cellOf(rows, "rocm", model::ModelFamily::resnet);
    EXPECT_EQ(rocm.state, CellState::exportable);
    EXPECT_EQ(rocm.command, "apertune kit rocm 'my resnet50'");
    EXPECT_EQ(cellOf(rows, "rocm", model::ModelFamily::swin).state, CellState::neverTried) << "no Swin is here";
    EXPECT_EQ(cellOf(rows, "rocm", model::ModelFamily::swin).command, "apertune kit rocm torchvision:swin_t");
    EXPECT_EQ(cellOf(rows, "rocm", model::ModelFamily::vit).state, CellState::neverTried) << "it has no TorchScript";
    EXPECT_EQ(cellOf(rows, "rocm", model::ModelFamily::vit).command, "apertune kit rocm torchvision:vit_b_16");
    EXPECT_EQ(cellOf(rows, "qnn", model::ModelFamily::vit).state, CellState::exportable);
    EXPECT_EQ(cellOf(rows, "openvino-cpu", model::ModelFamily::resnet).command,
              "apertune tune 'my resnet50' --devices cpu --backends openvino");
    const PlatformCell& web = cellOf(rows, "webgpu", model::ModelFamily::resnet);
    EXPECT_EQ(web.state, CellState::neverTried);
    EXPECT_TRUE(web.command.empty()) << "nothing measures it yet";
}

} // namespace
} // namespace apertune::exports
