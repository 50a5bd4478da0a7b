// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/exports/export_manifest.h"
#include "core/exports/exporter.h"
#include "core/exports/serving.h"
#include "core/exports/write_export.h"
#include "core/sentences/sentences.h"
#include "tests/support/golden.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apertune::exports {
namespace {

namespace fs = std::filesystem;

using base::ErrorCode;
using base::Json;

store::Scenario storedLoad(const char* kind, double perSecond, const Json& kept, int waitMs)
{
    workload::Scenario scenario =
        workload::defaultScenario(*workload::scenarioKindFromString(kind)); // NOLINT: the words are known
    scenario.rate = perSecond;
    scenario.maxWait = base::fromSeconds(waitMs * 1e-3);
    const Json document{
        {"scenario", workload::toJson(scenario)},
        {"summary",
         {{"bound_kept", kept}, {"samples_per_s", {{"value", perSecond}}}, {"latency_ms", {{"value", 40.0}}}}},
        {"capacity", nullptr}};
    return {1, kind, "2026-11-20T10:00:00Z", document.dump()};
}

TEST(ServedLoad, IsTheLargestRateThatIsNotKnownToHaveBrokenItsBound)
{
    EXPECT_FALSE(bestServedLoad({}));
    const auto best = bestServedLoad({storedLoad("server", 80, "yes", 2),
                                      storedLoad("server", 120, "no", 3),
                                      storedLoad("server", 90, nullptr, 4),
                                      storedLoad("server", 100, "cannot_tell", 5),
                                      storedLoad("single-stream", 500, nullptr, 6),
                                      {2, "server", "", "{damaged"},
                                      {3, "server", "", "{}"}});
    ASSERT_TRUE(best);
    EXPECT_EQ(best->perSecond, 90);
    EXPECT_EQ(best->scenario.maxWait.milliseconds(), 4);
    EXPECT_EQ(loadSentence(*best), "The load of 2026-11-20T10:00:00Z answered 90.00 samples/s with a p99 of 40.00 ms");
}

TEST(ServingSettings, TakeTheWaitThatIsGivenElseThatOfTheLoadElseHalfAPass)
{
    const base::Nanoseconds pass = base::fromSeconds(0.02);
    ServingChoice choice;
    EXPECT_EQ(servingSettings(choice, 4, pass).batchWait.milliseconds(), 10);
    EXPECT_NE(servingSettings(choice, 4, pass).origin.find("half of the measured pass of 20.00 ms"), std::string::npos);
    choice.load = bestServedLoad({storedLoad("server", 80, "yes", 3)});
    EXPECT_EQ(servingSettings(choice, 4, pass).batchWait.milliseconds(), 3);
    EXPECT_NE(servingSettings(choice, 4, pass).origin.find("a p99 of 40.00 ms and this wait."), std::string::npos);
    EXPECT_EQ(servingSettings(choice, 1, pass).batchWait.count, 0) << "nothing waits for a batch of one";
    choice.batchWait = base::fromSeconds(0.001);
    EXPECT_EQ(servingSettings(choice, 4, pass).batchWait.milliseconds(), 1);
    EXPECT_EQ(servingSettings(choice, 4, pass).queue, 32);
    EXPECT_EQ(servingSettings(choice, 64, pass).queue, 512);
}

/// A study of LibTorch, whose artifact describes images.
class ServingExport : public testing::Test
{
protected:
    void SetUp() override
    {
        auto temporary = base::TemporaryDir::create("serving-test");
        ASSERT_TRUE(temporary);
        m_temporary.emplace(std::move(*temporary));
        m_study = apertune::test::sampleStudy();
        m_study.study.model.artifact = dir() / "artifact";
        m_study.study.model.outputs = {{"output", "float32", {1, 1000}, 0}};
        m_manifest = {{"torch", "2.11.0+cu130"},
                      {"files", {{"torchscript", {{"path", "model.ts.pt"}}}}},
                      {"preprocessing", {{"resize", 256}, {"crop", 224}, {"mean", {0.1, 0.2, 0.3}}}},
                      {"inputs",
                       {{{"name", "x"},
                         {"dtype", "float32"},
                         {"shape", {1, 3, 224, 224}},
                         {"batch_dim", 0},
                         {"file", "inputs/0.bin"},
                         {"samples", 8}}}}};
        write("artifact/model.ts.pt", "the model");
        write("artifact/inputs/0.bin", "the input");
        write("package/model.xml", "the graph");
        write("package/model.bin", "the weights");
    }

    const fs::path& dir() const { return m_temporary->path(); }
    void write(const fs::path& name, const std::string& text) const
    {
        ASSERT_TRUE(base::writeFileAtomically(dir() / name, text));
    }
    model::Trial& trial() { return m_study.trials[3]; }
    model::Config& config() { return trial().config; }

    base::Result<std::vector<ExportFile>> plan(ExportTarget target, const fs::path& package = {},
                                               const ServingChoice& choice = {})
    {
        write("artifact/manifest.json", m_manifest.dump());
        return planExport(m_study, trial(), target, package, {}, {}, choice);
    }
    /// The sentence and the hint of a refusal.
    std::string refusal(ExportTarget target, const fs::path& package = {})
    {
        const auto files = plan(target, package);
        EXPECT_FALSE(files);
        if (files)
            return {};
        EXPECT_EQ(files.error().code, ErrorCode::unsupported);
        return sentences::sentence(files.error().message) + " " + sentences::sentence(files.error().hint);
    }
    std::string content(ExportTarget target, const std::string& name, const fs::path& package = {})
    {
        const auto files = plan(target, package);
        EXPECT_TRUE(files) << sentences::sentence(files.error().message);
        if (files)
            for (const ExportFile& file : *files)
                if (file.path == name)
                    return file.content;
        ADD_FAILURE() << "no file " << name;
        return {};
    }

    std::optional<base::TemporaryDir> m_temporary;
    model::StudySnapshot m_study;
    Json m_manifest;
};

TEST_F(ServingExport, HoldsTheServerBesideThePythonProgram)
{
    const auto files = plan(ExportTarget::server);
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    std::vector<std::string> names;
    for (const ExportFile& file : *files)
        names.push_back(file.path.string());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"Dockerfile", "README.md", "apertune-config.json", "apertune-sweep.yaml",
                                               "check_files.py", "inputs/0.bin", "model/model.pt",
                                               "prometheus-rules.yml", "requirements.txt", "run.py", "server.py"}));
    const Json config = Json::parse(content(ExportTarget::server, "apertune-config.json"));
    apertune::test::expectGolden("serving.json", config.at("serving").dump(2) + "\n");
    EXPECT_FALSE(Json::parse(content(ExportTarget::python, "apertune-config.json")).contains("serving"));
    apertune::test::expectGolden("prometheus-rules.yml", content(ExportTarget::server, "prometheus-rules.yml"));
    apertune::test::expectGolden("server_readme.md", content(ExportTarget::server, "README.md"));
}

TEST_F(ServingExport, AChangedOrMissingFileOfTheServerIsRefused)
{
    const auto files = plan(ExportTarget::server);
    ASSERT_TRUE(files);
    ASSERT_TRUE(writeExport(*files, dir() / "out", false));
    EXPECT_EQ(checkManifest(dir() / "out").value(), files->size());
    write("out/server.py", "print('another server')\n");
    fs::remove(dir() / "out/prometheus-rules.yml");
    const auto refused = checkManifest(dir() / "out");
    ASSERT_FALSE(refused);
    const std::string said = sentences::sentence(refused.error().message);
    EXPECT_NE(said.find("Files of the export are missing: prometheus-rules.yml."), std::string::npos) << said;
    EXPECT_NE(said.find("These files were changed after the export: server.py."), std::string::npos) << said;
}

TEST_F(ServingExport, NamesItsPackagesWithTheirVersions)
{
    const std::string with = content(ExportTarget::server, "requirements.txt");
    EXPECT_NE(with.find("\ntorch==2.11.0\n"), std::string::npos) << with;
    for (const char* name : {"numpy==", "fastapi==", "uvicorn==", "pillow=="})
        EXPECT_NE(with.find(std::string("\n") + name), std::string::npos) << name;
    m_manifest.erase("preprocessing");
    const std::string without = content(ExportTarget::server, "requirements.txt");
    EXPECT_EQ(without.find("pillow"), std::string::npos) << "no image comes";
    const Json serving = Json::parse(content(ExportTarget::server, "apertune-config.json")).at("serving");
    EXPECT_TRUE(serving.at("image").is_null());
}

TEST_F(ServingExport, AlertsHaveTheBoundsOfTheTrialAndOfItsLoad)
{
    trial().measurement.p99Ns = 200e6;
    ServingChoice choice;
    choice.load = bestServedLoad({storedLoad("server", 80, "yes", 3)});
    const auto files = plan(ExportTarget::server, {}, choice);
    ASSERT_TRUE(files);
    const auto rules = std::find_if(files->begin(), files->end(),
                                    [](const ExportFile& file) { return file.path == "prometheus-rules.yml"; });
    ASSERT_NE(rules, files->end());
    const std::string& text = rules->content;
    // Ten per cent of tolerance, and a tenth of a millisecond.
    EXPECT_NE(text.find("apertune_pass_recent_seconds{quantile=\"0.99\"} > 0.2201\n"), std::string::npos) << text;
    EXPECT_NE(text.find("apertune_request_recent_seconds{quantile=\"0.99\"} > 0.0441\n"), std::string::npos) << text;
    EXPECT_NE(text.find("answered 80.00 samples/s with a p99 of 40.00 ms on AMD EPYC 7B13"), std::string::npos) << text;
    EXPECT_EQ(text.find("There is no rule"), std::string::npos);
}

TEST_F(ServingExport, ANameCannotBreakTheAlerts)
{
    m_study.study.model.name = "a\" {{ $labels }}\n- alert: \x01";
    const std::string text = content(ExportTarget::server, "prometheus-rules.yml");
    EXPECT_EQ(text.find("{{"), std::string::npos) << text;
    EXPECT_EQ(text.find("\n- alert"), std::string::npos) << text;
}

TEST_F(ServingExport, AModelThatCannotAnswerSeveralClientsIsRefused)
{
    m_study.study.model.state = {"hidden"};
    for (const ExportTarget target : {ExportTarget::server, ExportTarget::triton})
        EXPECT_NE(refusal(target).find("keeps state from pass to pass"), std::string::npos);
    EXPECT_TRUE(plan(ExportTarget::python));
    m_study.study.model.state.clear();
    m_study.study.model.outputs[0].batchDim.reset();
    EXPECT_NE(refusal(ExportTarget::server).find("output has no batch dimension"), std::string::npos);
    config().batch = 1;
    EXPECT_TRUE(plan(ExportTarget::server)) << "a batch of one needs no dividing";
    m_study.study.model.outputs.clear();
    EXPECT_NE(refusal(ExportTarget::server).find("does not describe its outputs"), std::string::npos);
}

TEST_F(ServingExport, TritonRunsTheTorchScriptWithWhatItsBackendHas)
{
    const std::string text = content(ExportTarget::triton, "model_repository/resnet50/config.pbtxt");
    apertune::test::expectGolden("triton_libtorch.pbtxt", text);
    const std::string page = content(ExportTarget::triton, "README.md");
    apertune::test::expectGolden("triton_readme.md", page);
    const Json written = Json::parse(content(ExportTarget::triton, "apertune-config.json"));
    EXPECT_EQ(written["model"]["torchscript"], "model_repository/resnet50/1/model.pt");
}

TEST_F(ServingExport, ANameCannotBreakTheRepository)
{
    m_study.study.model.name = "../a \"b\"\nname: 1";
    const std::string folder = "model_repository/___a__b__name__1";
    EXPECT_NE(content(ExportTarget::triton, folder + "/config.pbtxt").find("name: \"___a__b__name__1\"\n"),
              std::string::npos);
    m_manifest["inputs"][0]["name"] = "x\" }\ninput {";
    config().backend = "openvino";
    config().switches.clear();
    const std::string text = content(ExportTarget::triton, folder + "/config.pbtxt", dir() / "package/model.xml");
    EXPECT_EQ(text.find("\ninput {", text.find("\ninput {") + 1), std::string::npos) << text;
}

TEST_F(ServingExport, TritonIsRefusedWhatItCannotRunAsMeasured)
{
    config().precision = model::Precision::bf16;
    EXPECT_NE(refusal(ExportTarget::triton).find("Triton's backend for LibTorch has no setting for bf16"),
              std::string::npos);
    config().precision = model::Precision::fp32;
    config().switches["aoti"] = true;
    const std::string compiled = refusal(ExportTarget::triton, dir() / "package/model.xml");
    EXPECT_NE(compiled.find("a package that AOTInductor compiled"), std::string::npos) << compiled;
    EXPECT_NE(compiled.find("Export with --target server"), std::string::npos) << compiled;
    config().switches.clear();
    config().backend = "openvino";
    config().precision = model::Precision::fp16;
    EXPECT_NE(refusal(ExportTarget::triton, dir() / "package/model.xml").find("no setting for fp16"),
              std::string::npos);
    config().precision = model::Precision::fp32;
    m_study.study.model.outputs[0].dtype = "complex64";
    EXPECT_NE(refusal(ExportTarget::triton, dir() / "package/model.xml").find("output is of type complex64"),
              std::string::npos);
    config().backend = "fake";
    EXPECT_NE(refusal(ExportTarget::triton).find("cannot be exported as a program"), std::string::npos);
}

TEST_F(ServingExport, TritonHasTheWeightsOfAnIrBesideIt)
{
    config().backend = "openvino";
    config().switches = {{"streams", true}};
    const auto files = plan(ExportTarget::triton, dir() / "package/model.xml");
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    std::vector<std::string> names;
    for (const ExportFile& file : *files)
        names.push_back(file.path.string());
    for (const char* name : {"model_repository/resnet50/1/model.xml", "model_repository/resnet50/1/model.bin"})
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    EXPECT_EQ(std::count(names.begin(), names.end(), "model/model.bin"), 0);
}

TEST_F(ServingExport, TritonNeedsThePlanOfTensorRtFromTheGpuThatServes)
{
    model::Device gpu;
    gpu.id = "cuda:0";
    gpu.type = model::DeviceType::nvidiaGpu();
    gpu.name = "NVIDIA H200";
    m_study.study.environment.devices.push_back(gpu);
    trial().device = "cuda:0";
    config() = {"tensorrt",
                model::OptLevel::o2,
                model::Precision::fp16,
                4,
                0,
                {{"builder_optimization_level_3", true}, {"cuda_graph", true}, {"dynamic_batch", true}}};
    write("package/model.onnx", "the model");
    const auto package = dir() / "package/model.onnx";
    const std::string text = content(ExportTarget::triton, "model_repository/resnet50/config.pbtxt", package);
    apertune::test::expectGolden("triton_tensorrt.pbtxt", text);
    const std::string page = content(ExportTarget::triton, "README.md", package);
    EXPECT_NE(page.find("mkdir -p model_repository/resnet50/1\ntrtexec --onnx=model/model.onnx"), std::string::npos)
        << page;
    EXPECT_NE(page.find("--saveEngine=model_repository/resnet50/1/model.plan --skipInference"), std::string::npos)
        << page;
    EXPECT_EQ(page.find("Not carried over"), std::string::npos) << page;
    config().switches.erase("dynamic_batch");
    EXPECT_NE(
        content(ExportTarget::triton, "model_repository/resnet50/config.pbtxt", package).find("max_batch_size: 0"),
        std::string::npos)
        << "the plan is for one batch";
}

} // namespace
} // namespace apertune::exports
