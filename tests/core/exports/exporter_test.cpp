// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/temporary_dir.h"
#include "core/exports/engine_program.h"
#include "core/exports/export_config.h"
#include "core/exports/export_manifest.h"
#include "core/exports/exporter.h"
#include "core/exports/write_export.h"
#include "core/sentences/sentences.h"
#include "tests/support/golden.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <regex>

namespace apertune::exports {
namespace {

namespace fs = std::filesystem;

using base::ErrorCode;
using base::Json;

/// A study whose model has an artifact folder with a manifest, a model file and one input.
class ExportTest : public testing::Test
{
protected:
    void SetUp() override
    {
        auto temporary = base::TemporaryDir::create("export-test");
        ASSERT_TRUE(temporary);
        m_temporary.emplace(std::move(*temporary));
        m_study = apertune::test::sampleStudy();
        m_study.study.model.artifact = dir() / "artifact";
        const Json manifest = {{"torch", "2.11.0+cu130"},
                               {"files", {{"torchscript", {{"path", "model.ts.pt"}}}, {"exported", nullptr}}},
                               {"inputs",
                                {{{"name", "x \"y\""},
                                  {"dtype", "float32"},
                                  {"shape", {1, 3, 4, 4}},
                                  {"batch_dim", 0},
                                  {"file", "inputs/0.bin"},
                                  {"samples", 8}}}}};
        write("artifact/manifest.json", manifest.dump());
        write("artifact/model.ts.pt", "the model");
        write("artifact/inputs/0.bin", "the input");
        write("package.pt2", "the package");
    }

    const fs::path& dir() const { return m_temporary->path(); }
    void write(const fs::path& name, const std::string& text) const
    {
        ASSERT_TRUE(base::writeFileAtomically(dir() / name, text));
    }
    std::string read(const fs::path& name) const { return base::readFile(dir() / name).value(); }

    base::Result<std::vector<ExportFile>> plan(std::size_t trial, ExportTarget target,
                                               const fs::path& package = {}) const
    {
        return planExport(m_study, m_study.trials[trial], target, package);
    }

    static std::vector<std::string> names(const std::vector<ExportFile>& files)
    {
        std::vector<std::string> result;
        for (const ExportFile& file : files)
            result.push_back(file.path.string());
        std::sort(result.begin(), result.end());
        return result;
    }

    static std::string content(const std::vector<ExportFile>& files, const std::string& name)
    {
        for (const ExportFile& file : files)
            if (file.path == name)
                return file.content;
        ADD_FAILURE() << "no file " << name;
        return {};
    }

    std::string replaced(std::string text) const
    {
        for (std::size_t at; (at = text.find(dir().string())) != std::string::npos;)
            text.replace(at, dir().string().size(), "DIR");
        return text;
    }

    std::optional<base::TemporaryDir> m_temporary;
    model::StudySnapshot m_study;
};

TEST_F(ExportTest, JsonNamesConfigurationArtifactAndEnvelope)
{
    const auto files = plan(3, ExportTarget::json);
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    EXPECT_EQ(names(*files), (std::vector<std::string>{"README.md", "apertune-config.json", "apertune-sweep.yaml"}));
    apertune::test::expectGolden("apertune-sweep.yaml", content(*files, "apertune-sweep.yaml"));
    apertune::test::expectGolden("apertune-config.json", replaced(content(*files, "apertune-config.json")));
}

TEST_F(ExportTest, AStudyThatIsNoSweepHasNoSweepFile)
{
    const std::vector<std::string> without{"README.md", "apertune-config.json"};
    m_study.study.space.sensitive = {"conv1"};
    EXPECT_EQ(names(plan(3, ExportTarget::json).value()), without);
    m_study.study.space.sensitive.clear();
    m_study.study.purpose = model::StudyPurpose::verification;
    EXPECT_EQ(names(plan(3, ExportTarget::json).value()), without);
}

TEST_F(ExportTest, PythonFolderHoldsEverythingItRuns)
{
    const auto files = plan(3, ExportTarget::python);
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    EXPECT_EQ(names(*files), (std::vector<std::string>{"README.md", "apertune-config.json", "apertune-sweep.yaml",
                                                       "inputs/0.bin", "model/model.pt", "run.py"}));
    const Json config = Json::parse(content(*files, "apertune-config.json"));
    EXPECT_EQ(config["model"]["torchscript"], "model/model.pt");
    EXPECT_EQ(config["inputs"][0]["file"], "inputs/0.bin");
    EXPECT_TRUE(config["model"]["package"].is_null());
    apertune::test::expectGolden("export_readme.md", content(*files, "README.md"));
}

TEST_F(ExportTest, CppFolderHoldsTheConfigurationAsConstants)
{
    const auto files = plan(3, ExportTarget::cpp);
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    EXPECT_EQ(names(*files), (std::vector<std::string>{"CMakeLists.txt", "README.md", "apertune-config.json",
                                                       "apertune-sweep.yaml", "apertune_config.h", "inputs/0.bin",
                                                       "main.cpp", "measuring.h", "model/model.pt"}));
    apertune::test::expectGolden("apertune_config.txt", content(*files, "apertune_config.h"));
}

TEST_F(ExportTest, AStudyWithPassiveWaitsIsExportedWithThem)
{
    const auto isAbsent = plan(3, ExportTarget::python);
    ASSERT_TRUE(isAbsent);
    EXPECT_TRUE(Json::parse(content(*isAbsent, "apertune-config.json"))["wait_policy"].is_null());
    m_study.study.environment.settings = {{"OMP_WAIT_POLICY", "PASSIVE"}};
    const auto python = plan(3, ExportTarget::python);
    ASSERT_TRUE(python);
    EXPECT_EQ(Json::parse(content(*python, "apertune-config.json"))["wait_policy"], "passive");
    const auto cpp = plan(3, ExportTarget::cpp);
    ASSERT_TRUE(cpp);
    EXPECT_NE(content(*cpp, "apertune_config.h").find("kWaitPolicy = \"passive\";"), std::string::npos);
}

TEST_F(ExportTest, NoPlaceholderIsLeftInAnyFile)
{
    for (const auto& [target, word] : kExportTargets) {
        const auto files = plan(0, target).value();
        for (const ExportFile& file : files)
            for (const char* name : {"MODEL", "HOW", "FILES", "TORCH_VERSION", "CUDA", "TRIAL"})
                EXPECT_EQ(file.content.find(std::string("{{") + name), std::string::npos) << file.path << " " << name;
    }
}

TEST_F(ExportTest, ACompiledTrialTakesItsPackageAlong)
{
    m_study.trials[3].config.switches["aoti"] = true;
    const auto files = plan(3, ExportTarget::python, dir() / "package.pt2");
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    const auto wanted = names(*files);
    EXPECT_NE(std::find(wanted.begin(), wanted.end(), "model/model.pt2"), wanted.end());
    EXPECT_NE(std::find(wanted.begin(), wanted.end(), "model/model.pt"), wanted.end())
        << "the reference that verify compares with";
}

TEST_F(ExportTest, ACompiledTrialWithoutItsPackageSaysHowToGetIt)
{
    m_study.trials[3].config.switches["aoti"] = true;
    const auto files = plan(3, ExportTarget::python, dir() / "gone.pt2");
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().code, ErrorCode::notFound);
    EXPECT_NE(sentences::sentence(files.error().hint).find("apertune tune"), std::string::npos);
}

TEST_F(ExportTest, AModelThatIsThereAsOnnxBringsTheLineOfAnEnginesOwnTool)
{
    const auto toolsOf = [&](const model::Config& config, const fs::path& package) {
        m_study.trials[3].config = config;
        const auto files = plan(3, ExportTarget::json, package);
        EXPECT_TRUE(files) << sentences::sentence(files.error().message);
        const Json tools = Json::parse(content(*files, "apertune-config.json")).at("tools");
        const std::string page = content(*files, "README.md");
        for (const Json& tool : tools) {
            EXPECT_NE(page.find(tool.at("command").get<std::string>()), std::string::npos);
            EXPECT_EQ(page.find("Not measured here") == std::string::npos, tool.at("measured").get<bool>());
        }
        EXPECT_EQ(page.find("trtexec") != std::string::npos, !tools.empty());
        return tools;
    };
    model::Config config = m_study.trials[3].config; // LibTorch's O2 fp32 at batch 4
    EXPECT_TRUE(toolsOf(config, {}).empty()) << "there is no ONNX file";
    m_study.study.model.files["onnx"] = "model.onnx";
    const Json tools = toolsOf(config, {});
    ASSERT_EQ(tools.size(), 1u);
    EXPECT_EQ(tools[0].at("engine"), "tensorrt");
    EXPECT_FALSE(tools[0].at("measured").get<bool>());
    EXPECT_EQ(replaced(tools[0].at("command").get<std::string>()),
              "trtexec --onnx=DIR/artifact/model.onnx '--shapes=x \"y\":4x3x4x4' --noTF32 "
              "--builderOptimizationLevel=3");
    config.backend = "tensorrt";
    config.level = model::OptLevel::o3;
    config.precision = model::Precision::fp16;
    config.switches = {{"builder_optimization_level_5", true}, {"cuda_graph", true}, {"dynamic_batch", true}};
    const Json own = toolsOf(config, dir() / "it's.onnx");
    ASSERT_EQ(own.size(), 1u);
    EXPECT_TRUE(own[0].at("measured").get<bool>());
    EXPECT_EQ(replaced(own[0].at("command").get<std::string>()),
              "trtexec '--onnx=DIR/it'\\''s.onnx' '--minShapes=x \"y\":1x3x4x4' '--optShapes=x \"y\":4x3x4x4' "
              "'--maxShapes=x \"y\":4x3x4x4' --fp16 --builderOptimizationLevel=5 --useCudaGraph");
    m_study.study.model.dynamicBatch = false;
    config.switches = {{"workspace_256mib", true}};
    EXPECT_EQ(replaced(toolsOf(config, dir() / "m.onnx")[0].at("command").get<std::string>()),
              "trtexec --onnx=DIR/m.onnx --fp16 --builderOptimizationLevel=0 --memPoolSize=workspace:256");
    config.precision = model::Precision::int8;
    EXPECT_EQ(replaced(toolsOf(config, dir() / "m.onnx")[0].at("command").get<std::string>()),
              "trtexec --onnx=DIR/m.onnx --stronglyTyped --noTF32 --builderOptimizationLevel=0 "
              "--memPoolSize=workspace:256");
    config.backend = "onnxruntime"; // its file has zero points, which the tool does not take
    EXPECT_TRUE(toolsOf(config, dir() / "m.onnx").empty());
}

TEST_F(ExportTest, TheToolsLineTakesTheFileThatWasConvertedForAnotherTrial)
{
    write("cache/model.onnx", "the model");
    write("cache/model.onnx.data", "its weights");
    ExportTarget target = ExportTarget::json;
    const auto commandWith = [&](const char* format) {
        write("cache/format.json", format);
        const auto files = planExport(m_study, m_study.trials[3], target, {}, {}, [&](const std::string& wanted) {
            return wanted == "onnx" ? dir() / "cache/model.onnx" : fs::path();
        });
        EXPECT_TRUE(files) << sentences::sentence(files.error().message);
        const bool inside = target != ExportTarget::json;
        for (const ExportFile& file : *files) {
            const bool outside = file.content.find(dir().string()) != std::string::npos;
            EXPECT_FALSE(inside && outside) << file.path << " names a path outside";
        }
        const auto taken = names(*files);
        for (const char* name : {"model/model.onnx", "model/model.onnx.data"})
            EXPECT_EQ(std::count(taken.begin(), taken.end(), name), inside ? 1 : 0) << name;
        const Json tools = Json::parse(content(*files, "apertune-config.json")).at("tools");
        EXPECT_EQ(tools.size(), 1u);
        return tools.empty() ? std::string() : replaced(tools[0].at("command").get<std::string>());
    };
    EXPECT_EQ(commandWith("{\"dynamic_batch\": true}"),
              "trtexec --onnx=DIR/cache/model.onnx '--shapes=x \"y\":4x3x4x4' --noTF32 --builderOptimizationLevel=3");
    EXPECT_EQ(commandWith("{\"dynamic_batch\": false}"),
              "trtexec --onnx=DIR/cache/model.onnx --noTF32 --builderOptimizationLevel=3")
        << "a file of one batch takes no shapes";
    target = ExportTarget::python; // a folder that runs by itself takes the file along
    EXPECT_EQ(commandWith("{\"dynamic_batch\": false}"),
              "trtexec --onnx=model/model.onnx --noTF32 --builderOptimizationLevel=3");
}

TEST_F(ExportTest, EveryExportHasTheSwitchesThatTookEffectAndSaysWhichOthersWereLeftOut)
{
    for (const char* backend : {"libtorch", "onnxruntime", "openvino", "tensorrt"})
        for (const ExportTarget target : {ExportTarget::json, ExportTarget::python, ExportTarget::cpp}) {
            model::Trial& trial = m_study.trials[3];
            trial.config.backend = backend;
            trial.config.switches = {{"onednn_graph", true},
                                     {"io_binding", true},
                                     {"freeze", false},
                                     {"streams", true},
                                     {"cuda_graph", true}};
            trial.measurement.applied = {
                {"onednn_graph", model::AppliedState::requestedNotInEffect, "left out: could not add op to the graph"},
                {"io_binding", model::AppliedState::on, "bound"},
                {"freeze", model::AppliedState::on, "whoever asked for it"},
                {"cuda_graph", model::AppliedState::notApplicable, "cannot be read back"},
                {"precision", model::AppliedState::requestedNotInEffect, "no switch"}};
            m_study.study.environment.devices[0].type =
                model::DeviceType::nvidiaGpu(); // has a C++ program of each engine
            if (std::string(backend) == "onnxruntime")
                m_study.study.environment.devices[0].type = model::DeviceType::cpu();
            const auto files = plan(3, target, dir() / "package.pt2");
            ASSERT_TRUE(files) << backend << ": " << sentences::sentence(files.error().message);
            const Json document = Json::parse(content(*files, "apertune-config.json"));
            const Json wanted = {{"cuda_graph", true},
                                 {"freeze", true},
                                 {"io_binding", true},
                                 {"onednn_graph", false},
                                 {"streams", true}};
            EXPECT_EQ(document["config"]["switches"], wanted) << backend;
            const Json left = {{{"switch", "onednn_graph"}, {"why", "left out: could not add op to the graph"}}};
            EXPECT_EQ(document["left_out"], left) << backend;
            EXPECT_NE(content(*files, "README.md").find("* `onednn_graph`: left out: could not add op to the graph\n"),
                      std::string::npos)
                << content(*files, "README.md");
            if (target != ExportTarget::cpp)
                continue;
            const std::string header = content(*files, "apertune_config.h");
            EXPECT_EQ(header.find("\"onednn_graph\""), std::string::npos) << header;
            EXPECT_NE(header.find("\"io_binding\""), std::string::npos) << header;
        }
    EXPECT_NE(content(plan(3, ExportTarget::json).value(), "README.md").find("## Left out"), std::string::npos);
    m_study.trials[3].measurement.applied.clear();
    EXPECT_EQ(content(plan(3, ExportTarget::json).value(), "README.md").find("## Left out"), std::string::npos);
}

TEST_F(ExportTest, AFolderWhoseProgramDoesNotRunIsNotWritten)
{
    const auto files = plan(3, ExportTarget::json).value();
    const fs::path out = dir() / "out" / "tried";
    fs::create_directories(out.parent_path());
    using Added = base::Result<std::vector<ExportFile>>;
    const auto dies = [](const fs::path& written) -> Added {
        EXPECT_TRUE(fs::exists(written / "apertune-config.json"));
        return base::plainError(ErrorCode::modelThrew, "It dies.");
    };
    const auto refused = writeExport(files, out, false, dies);
    ASSERT_FALSE(refused);
    EXPECT_EQ(sentences::sentence(refused.error().message), "It dies.");
    EXPECT_TRUE(fs::is_empty(out.parent_path())) << "half an export is left";

    write("out/tried/apertune-config.json", "an earlier one");
    EXPECT_FALSE(writeExport(files, out, true, dies));
    EXPECT_EQ(read("out/tried/apertune-config.json"), "an earlier one");
    fs::remove_all(out);

    const auto leavesACache = [](const fs::path& written) -> Added {
        EXPECT_TRUE(base::writeFileAtomically(written / "cache" / "of-this-machine.bin", "plan"));
        return std::vector<ExportFile>{{"record.json", "it runs"}};
    };
    const auto written = writeExport(files, out, false, leavesACache);
    ASSERT_TRUE(written) << sentences::sentence(written.error().message);
    EXPECT_TRUE(fs::exists(out / "README.md"));
    EXPECT_FALSE(fs::exists(out / "cache"));
    EXPECT_EQ(read("out/tried/record.json"), "it runs");
    EXPECT_EQ(*written, (std::vector<fs::path>{"apertune-config.json", "apertune-sweep.yaml", "README.md",
                                               "record.json", kManifestFile}));
    EXPECT_EQ(checkManifest(out).value(), 4u);
}

TEST_F(ExportTest, ATrialWithoutAMeasurementCannotBeExported)
{
    const auto files = plan(5, ExportTarget::python);
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().code, ErrorCode::invalidArgument);
    EXPECT_NE(sentences::sentence(files.error().message).find("oom"), std::string::npos);
}

TEST_F(ExportTest, ADamagedArtifactIsNamed)
{
    fs::remove(dir() / "artifact/inputs/0.bin");
    EXPECT_NE(sentences::sentence(plan(0, ExportTarget::python).error().message).find("inputs/0.bin"),
              std::string::npos);
    write("artifact/manifest.json", "{\"files\":");
    EXPECT_EQ(plan(0, ExportTarget::python).error().code, ErrorCode::corrupt);
    fs::remove_all(dir() / "artifact");
    EXPECT_EQ(plan(0, ExportTarget::python).error().code, ErrorCode::notFound);
}

TEST_F(ExportTest, NamesFromAStudyAreNoMarkupInTheReadme)
{
    m_study.study.model.name = "<script>x</script>\n# [a](b)";
    const std::string page = content(plan(0, ExportTarget::python).value(), "README.md");
    EXPECT_EQ(page.find("<script>"), std::string::npos);
    EXPECT_TRUE(page.starts_with("# \\<script\\>x\\</script\\>\\\\x0a# \\[a\\](b), ")) << page;
}

TEST_F(ExportTest, FilesThatAreLinksOutOfTheirModelAreNotCopied)
{
    write("secret", "a file of the user");
    fs::remove(dir() / "artifact/inputs/0.bin");
    fs::create_symlink(dir() / "secret", dir() / "artifact/inputs/0.bin");
    EXPECT_EQ(plan(0, ExportTarget::python).error().code, ErrorCode::corrupt);
    fs::remove(dir() / "artifact/inputs/0.bin");
    write("artifact/inputs/0.bin", "the input");
    write("converted/model.xml", "the model");
    fs::create_symlink(dir() / "secret", dir() / "converted/model.bin");
    m_study.trials[0].config.backend = "openvino";
    const auto refused = plan(0, ExportTarget::python, dir() / "converted/model.xml");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::corrupt) << sentences::sentence(refused.error().message);
}

TEST_F(ExportTest, TheEnvelopeIsThreeHalfWidthsButAtLeastTenAndAtMostTwentyFivePerCent)
{
    EXPECT_DOUBLE_EQ(envelopeTolerance(apertune::test::measuredTrial(1, m_study.trials[0].config, 5, 0.35).measurement),
                     0.25)
        << "twice the time must not pass";
    EXPECT_DOUBLE_EQ(envelopeTolerance(m_study.trials[0].measurement), 0.10);
    EXPECT_NEAR(envelopeTolerance(apertune::test::measuredTrial(1, m_study.trials[0].config, 5, 0.05).measurement),
                0.15, 1e-9);
}

TEST_F(ExportTest, WritesTheFolder)
{
    const auto files = plan(3, ExportTarget::python).value();
    ASSERT_TRUE(writeExport(files, dir() / "a/new/folder/", false));
    EXPECT_EQ(read("a/new/folder/model/model.pt"), "the model");
    EXPECT_EQ(read("a/new/folder/inputs/0.bin"), "the input");
    for (const auto& entry : fs::directory_iterator(dir() / "a/new"))
        EXPECT_EQ(entry.path().filename(), "folder") << "something half-written stayed";
    ASSERT_TRUE(fs::create_directory(dir() / "empty"));
    EXPECT_TRUE(writeExport(files, dir() / "empty", false));
}

TEST_F(ExportTest, KeepsAwayFromAFolderWithFilesUnlessForced)
{
    const auto files = plan(3, ExportTarget::python).value();
    write("out/mine.txt", "mine");
    write("out/run.py", "old");
    const auto refused = writeExport(files, dir() / "out", false);
    ASSERT_FALSE(refused);
    EXPECT_NE(sentences::sentence(refused.error().hint).find("--force"), std::string::npos);
    EXPECT_EQ(read("out/run.py"), "old");
    ASSERT_TRUE(writeExport(files, dir() / "out", true));
    EXPECT_NE(read("out/run.py"), "old");
    EXPECT_EQ(read("out/mine.txt"), "mine") << "force replaces our files, not the user's";
}

TEST_F(ExportTest, AFailureLeavesNothingBehind)
{
    auto files = plan(3, ExportTarget::python).value();
    files.push_back({"model/extra.bin", {}, dir() / "does-not-exist"});
    write("out/run.py", "old");
    EXPECT_FALSE(writeExport(files, dir() / "out", true));
    EXPECT_EQ(read("out/run.py"), "old");
    EXPECT_FALSE(writeExport(files, dir() / "fresh", false));
    EXPECT_FALSE(fs::exists(dir() / "fresh"));
    for (const auto& entry : fs::directory_iterator(dir()))
        EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
}

/// Writes an export, and returns what its manifest says after `change`: "ok", or the sentence.
template <typename Change>
std::string afterChange(const std::vector<ExportFile>& files, const fs::path& out, Change change)
{
    std::error_code ignored;
    fs::remove_all(out, ignored);
    EXPECT_TRUE(writeExport(files, out, false));
    change();
    const auto checked = checkManifest(out);
    return checked ? "ok" : sentences::sentence(checked.error().message);
}

TEST_F(ExportTest, TheManifestNamesEveryFileThatIsNotAsItWasExported)
{
    const auto files = plan(3, ExportTarget::python).value();
    const auto told = [&](auto change) { return afterChange(files, dir() / "out", change); };
    EXPECT_EQ(told([] {}), "ok");
    EXPECT_EQ(told([&] { write("out/build/apertune_model", "built"); }), "ok") << "others may lie beside them";
    EXPECT_EQ(told([&] { write("out/model/model.pt", "the MODEL"); }),
              "These files were changed after the export: model/model.pt.");
    EXPECT_EQ(told([&] {
                  fs::remove(dir() / "out/inputs/0.bin");
                  write("out/run.py", "other");
              }),
              "Files of the export are missing: inputs/0.bin. These files were changed after the export: run.py.");
    EXPECT_EQ(told([&] { fs::remove(dir() / "out" / kManifestFile); }),
              "Files of the export are missing: apertune-manifest.json.");
    EXPECT_NE(told([&] { write(fs::path("out") / kManifestFile, "{"); }).find("damaged"), std::string::npos);
}

TEST_F(ExportTest, AManifestNamesNoFileOutsideOfItsFolder)
{
    const auto files = plan(3, ExportTarget::python).value();
    write("secret", "x");
    const std::string told = afterChange(files, dir() / "out", [&] {
        Json manifest = Json::parse(read(fs::path("out") / kManifestFile));
        manifest["files"][0]["path"] = "../secret";
        manifest["files"][0]["sha256"] = base::sha256("x");
        write(fs::path("out") / kManifestFile, manifest.dump());
    });
    EXPECT_NE(told.find("damaged"), std::string::npos) << told;
}

TEST_F(ExportTest, AFolderOfAnEarlierVersionHasNoManifest)
{
    write("old/apertune-config.json", R"({"schema":"apertune.config/1"})");
    EXPECT_EQ(checkManifest(dir() / "old").value(), 0u);
}

TEST_F(ExportTest, AFileInTheWayIsNotAFolder)
{
    write("taken", "x");
    const auto refused = writeExport(plan(3, ExportTarget::json).value(), dir() / "taken", true);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalidArgument);
}

TEST(EnginePrograms, AreWholeForEveryEngineThatBringsOne)
{
    const std::regex placeholder("\\{\\{[A-Z_]+\\}\\}");
    std::vector<std::string> engines;
    for (const auto& [engine, manifest] : engineFiles("program.json")) {
        engines.push_back(engine);
        const auto program = engineProgram(engine);
        ASSERT_TRUE(program) << engine;
        EXPECT_TRUE(program->python && program->cpp) << engine;
        NamedTexts texts = cppProgram(*program, "1.2.3", model::DeviceType::nvidiaGpu());
        texts.emplace_back("run.py", pythonProgram(*program));
        texts.emplace_back("how to run it", pythonPage(*program, "1.2.3") + cppPage(*program, "1.2.3"));
        for (const auto& [name, text] : texts) {
            EXPECT_FALSE(std::regex_search(text, placeholder)) << engine << " " << name;
            EXPECT_EQ(text.find("GPL"), std::string::npos) << engine << " " << name << " is given away";
        }
        for (const auto& [name, meaning] : program->files)
            EXPECT_TRUE(std::any_of(texts.begin(), texts.end(),
                                    [&wanted = name](const auto& text) { return text.first == wanted; }))
                << engine << " tells of " << name << ", which it does not bring";
        EXPECT_FALSE(rootOption(engine).first.empty()) << engine;
    }
    EXPECT_EQ(std::count(engines.begin(), engines.end(), "libtorch"), 1);
    EXPECT_FALSE(engineProgram("fake"));
    EXPECT_TRUE(verifierProgram("fake").empty());
}

} // namespace
} // namespace apertune::exports
