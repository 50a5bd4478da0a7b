// SPDX-License-Identifier: GPL-3.0-or-later
// What an export of another engine's trial writes really runs, with that engine's own Python.
#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/exports/exporter.h"
#include "core/exports/write_export.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "tests/core/exports/tolerant.h"
#include "tests/plugins/onnxruntime/onnx_models.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace apertune::test {

/// The folder that makeArtifact() writes to.
const std::string& artifacts()
{
    static const base::TemporaryDir dir = std::move(base::TemporaryDir::create("export-engine")).value();
    static const std::string folder = dir.path().string();
    return folder;
}

} // namespace apertune::test

namespace apertune::exports {
namespace {

namespace fs = std::filesystem;

fs::path enginePython()
{
    const char* named = std::getenv("APERTUNE_ENGINES");
    const fs::path root = named ? fs::path(named) : base::userCacheDir() / "engines" / "current";
    std::error_code ignored;
    return fs::exists(root / "bin" / "python3", ignored) ? root / "bin" / "python3" : fs::path();
}

/// The folder of the engine's package; empty: it is not installed.
fs::path enginePackage(const std::string& name)
{
    const fs::path python = enginePython();
    if (python.empty())
        return {};
    std::error_code ignored;
    for (fs::directory_iterator it(python.parent_path().parent_path() / "lib", ignored), end; it != end; ++it)
        if (fs::exists(it->path() / "site-packages" / name, ignored))
            return it->path() / "site-packages" / name;
    return {};
}

/// Runs a line of the shell; its exit code, with what it said in `log`.
int shell(const std::string& line, std::string& log)
{
    const fs::path logFile = fs::path(apertune::test::artifacts()) / "said";
    auto child = base::ChildProcess::start({{"sh", "-c", "(" + line + ") >\"$0\" 2>&1", logFile.string()}, {}, {}});
    const auto exit = child ? child->wait(base::fromSeconds(500)) : std::nullopt;
    log = base::readFile(logFile).value();
    return exit ? exit->code : -1;
}

constexpr double kWide = 1000; ///< so many times slower than measured is still inside: this is no timing test

class EngineExport : public testing::TestWithParam<std::string>
{
protected:
    void SetUp() override
    {
        m_study = apertune::test::sampleStudy();
        m_study.study.model.artifact = apertune::test::makeArtifact("model", apertune::test::convolutionModel());
        model::Config config;
        config.backend = GetParam();
        config.level = model::OptLevel::o2;
        config.batch = 2;
        config.threads = 2;
        config.switches = GetParam() == "openvino" ? model::SwitchMap{{"streams", true}, {"cpu_pinning", false}}
                                                   : model::SwitchMap{{"graph_extended", true}, {"io_binding", true}};
        m_study.trials = {apertune::test::measuredTrial(1, config, 2.0, kWide)};
    }

    base::Result<std::vector<ExportFile>> plan(ExportTarget target, const fs::path& package) const
    {
        return planExport(m_study, m_study.trials[0], target, package);
    }
    fs::path file() const { return m_study.study.model.artifact / "model.onnx"; }

    model::StudySnapshot m_study;
};

TEST_P(EngineExport, RunsAndVerifiesWithTheEnginesOwnPython)
{
    const auto files = plan(ExportTarget::python, file());
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    const fs::path out = fs::path(apertune::test::artifacts()) / GetParam();
    ASSERT_TRUE(writeExport(*files, out, true));
    test::widen(out, kWide);
    EXPECT_TRUE(fs::is_regular_file(out / "model" / "model.onnx"));
    const fs::path python = enginePython();
    if (python.empty())
        GTEST_SKIP() << "the engines' environment is not installed: make setup";
    const std::string seen = (out / "seen.json").string();
    auto child =
        base::ChildProcess::start({{"sh", "-c", "exec \"$0\" \"$1\" --verify --json --seconds 0.1 >\"$2\" 2>\"$2.err\"",
                                    python.string(), (out / "run.py").string(), seen},
                                   {},
                                   {}});
    ASSERT_TRUE(child);
    const auto exit = child->wait(base::fromSeconds(240));
    ASSERT_TRUE(exit);
    const std::string log = base::readFile(seen + ".err").value();
    if (log.find("ModuleNotFoundError") != std::string::npos)
        GTEST_SKIP() << log;
    EXPECT_EQ(exit->code, 0) << log;
    const auto document = model::parseJson(base::readFile(seen).value());
    ASSERT_TRUE(document) << log;
    EXPECT_EQ((*document)["verdict"], "inside");
    EXPECT_GT((*document)["to_sentinel"]["median"].get<double>(), 0) << "the model without optimization ran, too";
    EXPECT_GT((*document)["quality"]["cosine"].get<double>(), 0.9999);
    EXPECT_LT((*document)["quality"]["cosine"].get<double>(), 1.0001);
}

TEST_P(EngineExport, CanBeImportedAndChecksWithoutMeasuring)
{
    const auto files = plan(ExportTarget::python, file());
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    const fs::path out = fs::path(apertune::test::artifacts()) / (GetParam() + "-import");
    ASSERT_TRUE(writeExport(*files, out, true));
    if (enginePackage(GetParam()).empty())
        GTEST_SKIP() << "the engines' environment is not installed: make setup";
    const std::string python = "'" + enginePython().string() + "' ";
    std::string log;
    EXPECT_EQ(shell("cd '" + out.string() + "' && " + python +
                        "-c 'import run; s = run.load_settings(); print(run.load_model(s)(run.place_inputs(s, 0)))'",
                    log),
              0)
        << log;
    EXPECT_EQ(shell(python + "'" + (out / "run.py").string() + "' --check", log), 0) << log;
    EXPECT_NE(log.find("runs: cosine "), std::string::npos) << log;
}

TEST_P(EngineExport, TakesTheWeightsThatLieBesideAnIr)
{
    const fs::path folder = fs::path(apertune::test::artifacts()) / "ir";
    ASSERT_TRUE(base::writeFileAtomically(folder / "model.xml", "graph"));
    ASSERT_TRUE(base::writeFileAtomically(folder / "model.bin", "weights"));
    const auto files = plan(ExportTarget::python, folder / "model.xml");
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    std::vector<std::string> names;
    for (const ExportFile& f : *files)
        names.push_back(f.path.string());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"README.md", "apertune-config.json", "apertune-sweep.yaml",
                                               "inputs/0.bin", "model/model.bin", "model/model.xml", "run.py"}));
    for (const ExportFile& f : *files)
        EXPECT_EQ(f.content.find("{{"), std::string::npos) << f.path;
}

/// The processor's plugin once more under another name, as a device that only a switch sends models to.
fs::path standInDevice(const fs::path& package)
{
    const fs::path file = fs::path(apertune::test::artifacts()) / "plugins.xml";
    std::ofstream(file) << "<ie><plugins><plugin name=\"CPU_SECOND\" location=\""
                        << (package / "libs" / "libopenvino_intel_cpu_plugin.so").string() << "\"/></plugins></ie>\n";
    return file;
}

/// The first trial as if the engine had measured it on an NPU.
void moveToStandIn(model::StudySnapshot& study)
{
    model::Device npu;
    npu.id = "npu:0";
    npu.type = model::typeOfDevice(npu.id);
    study.study.environment.devices.push_back(npu);
    study.trials[0].device = npu.id;
}

TEST_P(EngineExport, OpensTheDeviceThatWasMeasured)
{
    if (GetParam() != "openvino")
        GTEST_SKIP() << "its models run on the device of the trial";
    const fs::path package = enginePackage("openvino");
    if (package.empty())
        GTEST_SKIP() << "the engines' environment is not installed: make setup";
    moveToStandIn(m_study);
    m_study.trials[0].config.switches["cpu_pinning"] = true;
    const auto files = plan(ExportTarget::python, file());
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    const fs::path out = fs::path(apertune::test::artifacts()) / "elsewhere";
    ASSERT_TRUE(writeExport(*files, out, true));
    test::widen(out, kWide);
    const std::string verify =
        "'" + enginePython().string() + "' '" + (out / "run.py").string() + "' --verify --seconds 0.1";
    std::string log;
    EXPECT_EQ(shell(verify, log), 2) << "it ran on another device\n" << log;
    EXPECT_NE(log.find("no device npu:0 here: CPU"), std::string::npos) << log;
    const std::string devices = "APERTUNE_OPENVINO_PLUGINS='" + standInDevice(package).string() + "' ";
    EXPECT_EQ(shell(devices + verify, log), 0) << log;
}

TEST_P(EngineExport, IsBuiltAgainstTheEnginesPackageAndVerifies)
{
    const bool elsewhere = GetParam() == "openvino";
    if (elsewhere)
        moveToStandIn(m_study);
    const auto files = plan(ExportTarget::cpp, file());
    ASSERT_TRUE(files) << sentences::sentence(files.error().message);
    for (const ExportFile& f : *files)
        EXPECT_EQ(f.content.find("{{"), std::string::npos) << f.path;
    const fs::path out = fs::path(apertune::test::artifacts()) / (GetParam() + "-cpp");
    ASSERT_TRUE(writeExport(*files, out, true));
    test::widen(out, kWide);
    const fs::path package = enginePackage(GetParam());
    if (package.empty())
        GTEST_SKIP() << "the engines' environment is not installed: make setup";
    std::string log;
    const std::string build = "cmake -S '" + out.string() + "' -B '" + (out / "build").string() +
                              "' -DCMAKE_BUILD_TYPE=Debug -DENGINE_ROOT='" + package.string() + "' && cmake --build '" +
                              (out / "build").string() + "'";
    ASSERT_EQ(shell(build, log), 0) << log;
    std::string program = "'" + (out / "build/apertune_model").string() + "'";
    if (elsewhere) {
        EXPECT_EQ(shell(program + " --verify", log), 2) << "it ran on another device\n" << log;
        EXPECT_NE(log.find("no device npu:0 here"), std::string::npos) << log;
        program = "APERTUNE_OPENVINO_PLUGINS='" + standInDevice(package).string() + "' " + program;
    }
    ASSERT_EQ(shell(program + " --verify --json --seconds 0.1", log), 0) << log;
    const auto document = model::parseJson(log);
    ASSERT_TRUE(document) << log;
    EXPECT_EQ((*document)["verdict"], "inside");
    EXPECT_GT((*document)["quality"]["cosine"].get<double>(), 0.9999);
    ASSERT_EQ(shell(program + " --seconds 0.1", log), 0) << log;
    EXPECT_NE(log.find("output 0  2x"), std::string::npos) << log;
    fs::remove_all(out / "model");
    EXPECT_EQ(shell(program + " --verify", log), 2) << log;
}

TEST_P(EngineExport, NeedsTheFileThatWasMeasured)
{
    EXPECT_FALSE(plan(ExportTarget::python, "/nowhere/model.onnx")) << "its file is gone";
    EXPECT_FALSE(plan(ExportTarget::cpp, "/nowhere/model.onnx"));
    EXPECT_TRUE(plan(ExportTarget::json, {}));
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineExport, testing::Values("openvino", "onnxruntime"),
                         [](const auto& tested) { return tested.param; });

} // namespace
} // namespace apertune::exports
