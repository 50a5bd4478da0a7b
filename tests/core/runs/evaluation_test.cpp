// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/package_source.h"
#include "core/report/evaluation_report.h"
#include "core/runs/evaluation.h"
#include "core/sentences/sentences.h"
#include "core/worker/local_launcher.h"
#include "tests/core/models/fake_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::runs {
namespace {

using ::testing::HasSubstr;

/// What an int8 trial opens.
class MadeFile final : public models::PackageSource
{
public:
    bool needed(const model::ModelRef&, const model::Config& config) const override
    {
        return config.backend != "libtorch";
    }
    bool contains(const model::ModelRef&, const model::Config&, const model::Device&) const override { return true; }
    base::Result<Package> get(const model::ModelRef&, const model::Config& config, const model::Device&,
                              const models::ExporterObserver&, std::stop_token) override
    {
        return Package{config.quantization ? "/cache/int8/model.onnx" : "/cache/float/model.onnx", {}, true, {}};
    }
};

class Evaluation : public ::testing::Test
{
protected:
    Evaluation()
    {
        model::Device cpu;
        cpu.id = "cpu";
        model::Device gpu;
        gpu.id = "cuda:0";
        gpu.type = model::DeviceType::nvidiaGpu();
        devices = {cpu, gpu};
        artifact = (fake.path() / "net").string();
        std::filesystem::create_directories(artifact);
        study.model.artifact = artifact;
        study.model.files = {{"torchscript", "model.ts.pt"}};
        trial.device = "cpu";
        trial.config.precision = model::Precision::bf16;
    }
    auto accuracy()
    {
        return evaluateAccuracy({*launcher, &packages, devices}, fake.installation(), study, trial,
                                {"/pictures", "/labels.json", 9}, [](study::Phase, const base::Message&) {}, {});
    }
    auto sensitivity()
    {
        return evaluateSensitivity({*launcher, &packages, devices}, fake.installation(), study, trial,
                                   [](study::Phase, const base::Message&) {}, {});
    }

    models::testing::FakeExporter fake;
    std::string artifact;
    std::unique_ptr<worker::Launcher> launcher = worker::makeLocalLauncher(fake.installation());
    MadeFile packages;
    std::vector<model::Device> devices;
    model::Study study;
    model::Trial trial;
};

TEST_F(Evaluation, AccuracyIsThatOfTheFileTheTrialOpensBesideTheImportedModel)
{
    fake.script(R"(echo '{"t":"done","samples":8,"skipped":1,"accuracy":{)"
                R"("imported":{"top1":{"value":0.75,"lo":0.4,"hi":0.9},"miou":{"value":0.5}},)"
                R"("measured":{"top1":{"value":0.5,"lo":0.2,"hi":0.8},"miou":{"value":0.25}},)"
                R"("change":{"top1":{"value":-0.25,"lo":-0.6,"hi":0.1},"miou":{"value":-0.25}}}}')");
    const auto evaluated = accuracy();
    ASSERT_TRUE(evaluated) << sentences::describe(evaluated.error());
    EXPECT_THAT(fake.calls().back(),
                HasSubstr("accuracy --artifact " + artifact + " --images /pictures --file " + artifact +
                          "/model.ts.pt --format torchscript --precision bf16 --annotations /labels.json --limit 9"));
    const std::string text = report::accuracyText(*model::accuracyFromJson(toJson(*evaluated)));
    EXPECT_THAT(text, HasSubstr("8 labelled images of labels.json, 1 could not be read"));
    EXPECT_THAT(text, HasSubstr("top-1"));
    EXPECT_THAT(text, HasSubstr("50.0 % [20.0, 80.0]"));
    EXPECT_THAT(text, HasSubstr("-25.0 % [-60.0, 10.0]"));
    EXPECT_THAT(text, HasSubstr("25.0 % (no interval)"));

    trial.config.backend = "onnxruntime";
    ASSERT_TRUE(accuracy());
    EXPECT_THAT(fake.calls().back(), HasSubstr("--file /cache/float/model.onnx --format onnx"));
}

TEST_F(Evaluation, LayersAreThoseOfTheFloatFileCalibratedAsTheTrialWas)
{
    EXPECT_EQ(sensitivity().error().code, base::ErrorCode::invalidArgument) << "no int8";
    trial.config.backend = "onnxruntime";
    trial.config.precision = model::Precision::int8;
    trial.config.quantization = model::Quantization{"/photos", 12, {"stem"}};
    fake.script(R"(echo '{"t":"done","samples":4,"calibration":"12 images","all":0.9,"layers":)"
                R"([{"name":"stem","kind":"Conv","only":0.93,"without":0.97},)"
                R"({"name":"head","kind":"Gemm","only":1,"without":0.9}]}')");
    const auto evaluated = sensitivity();
    ASSERT_TRUE(evaluated) << sentences::describe(evaluated.error());
    EXPECT_THAT(fake.calls().back(), HasSubstr("sensitivity --artifact " + artifact +
                                               " --file /cache/float/model.onnx --format onnx --calibration-samples 12 "
                                               "--calibration /photos --narrow-weights"));
    const std::string text = report::sensitivityText(*model::sensitivityFromJson(toJson(*evaluated)), 1);
    EXPECT_THAT(text, HasSubstr("int8 everywhere loses 0.10"));
    EXPECT_THAT(text, HasSubstr("stem"));
    EXPECT_THAT(text, HasSubstr("0.070"));
    EXPECT_THAT(text, HasSubstr("and 1 more"));

    trial.device = "cuda:0"; // the rounding lies in the file
    ASSERT_TRUE(sensitivity());
    EXPECT_THAT(fake.calls().back(), ::testing::Not(HasSubstr("--narrow-weights")));
}

TEST_F(Evaluation, WhatCannotBeEvaluatedIsRefusedWithAReason)
{
    trial.device = "cuda:0";
    EXPECT_EQ(accuracy().error().code, base::ErrorCode::unsupported);
    trial.device = "cpu";
    study.model.files.clear();
    EXPECT_EQ(accuracy().error().code, base::ErrorCode::unsupported);
    study.model.files = {{"torchscript", "model.ts.pt"}};
    fake.script(R"(echo '{"t":"error","code":"bad_source","message":"No pictures.","hint":"x"}'; exit 2)");
    EXPECT_EQ(sentences::sentence(accuracy().error().message), "No pictures.");
    fake.script(R"(echo '{"t":"done","samples":8}')");
    EXPECT_EQ(accuracy().error().code, base::ErrorCode::internal);
    EXPECT_FALSE(model::sensitivityFromJson(base::Json::array()));
}

TEST_F(Evaluation, DataIsAFolderOrAnnotationsBesideTheirPictures)
{
    const auto folder = fake.path() / "val";
    std::filesystem::create_directories(folder / "images");
    std::ofstream(folder / "labels.json") << "{}";
    std::ofstream(folder / "labels.txt") << "";
    EXPECT_EQ(labelledImagesAt(folder)->images, folder);
    EXPECT_EQ(labelledImagesAt(folder / "labels.json")->images, folder / "images");
    EXPECT_EQ(labelledImagesAt(folder / "labels.txt").error().code, base::ErrorCode::invalidArgument);
    EXPECT_EQ(labelledImagesAt(folder / "nothing").error().code, base::ErrorCode::notFound);
}

} // namespace
} // namespace apertune::runs
