// SPDX-License-Identifier: GPL-3.0-or-later
// What an export of a TensorRT trial writes: the C++ program is built with TensorRT's own headers and runs against what
// stands in for its libraries.
#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/exports/exporter.h"
#include "core/exports/write_export.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "tests/plugins/tensorrt/fake_models.h"
#include "tests/support/sample_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace apertune::test {
namespace {

namespace fs = std::filesystem;

using exports::ExportFile;
using exports::ExportTarget;
using testing::HasSubstr;

struct Exported
{
    fs::path folder;
    std::vector<ExportFile> files;

    std::string content(const std::string& name) const
    {
        for (const ExportFile& file : files)
            if (file.path == name)
                return file.content;
        ADD_FAILURE() << "no file " << name;
        return {};
    }
};

/// Exports a trial of a model that the stand-in opens, measured with these switches at batch 2.
Exported exported(const std::string& name, ExportTarget target, const model::SwitchMap& switches)
{
    model::StudySnapshot study = report::test::sampleStudy();
    const Configuration configuration = fakeConfiguration(name);
    study.study.model.artifact = configuration.artifact;
    model::Config config;
    config.backend = "tensorrt";
    config.batch = 2;
    config.switches = switches;
    study.trials = {report::test::measuredTrial(1, config, 2.0)};
    study.trials.front().device = "cuda:0";
    Exported out;
    auto files = exports::planExport(study, study.trials.front(), target, configuration.package);
    if (!files) {
        ADD_FAILURE() << sentences::sentence(files.error().message);
        return out;
    }
    out.files = std::move(*files);
    out.folder = fs::absolute(fs::path(artifacts()) / ("export-" + name));
    const auto written = exports::writeExport(out.files, out.folder, true);
    EXPECT_TRUE(written) << sentences::sentence(written.error().message);
    return out;
}

/// Runs a line of the shell; its exit code, with what it said in `log`.
int shell(const std::string& line, std::string& log)
{
    const fs::path logFile = fs::absolute(fs::path(artifacts()) / "said");
    auto child = base::ChildProcess::start({{"sh", "-c", "(" + line + ") >\"$0\" 2>&1", logFile.string()}, {}, {}});
    const auto exit = child ? child->wait(base::fromSeconds(500)) : std::nullopt;
    log = base::readFile(logFile).value();
    return exit ? exit->code : -1;
}

TEST(TensorRtExport, TheCppProgramIsBuiltWithTensorRtsHeadersAndVerifies)
{
    const Exported out =
        exported("cpp", ExportTarget::cpp, {{"cuda_graph", true}, {"dynamic_batch", true}, {"no_aux_streams", true}});
    EXPECT_THAT(out.content("README.md"), HasSubstr("not on a GPU"));
    EXPECT_THAT(out.content("README.md"), HasSubstr("`CMakeLists.txt`: builds main.cpp against TensorRT's headers"));
    EXPECT_THAT(out.content("apertune_config.h"), HasSubstr("constexpr bool kCudaGraph = true;"));
    const std::string folder = "'" + out.folder.string() + "'";
    std::string log;
    ASSERT_EQ(shell("cmake -S " + folder + " -B " + folder +
                        "/build -DCMAKE_BUILD_TYPE=Debug '-DCMAKE_CXX_FLAGS=-g0 -Wall -Wextra'"
                        " -DTENSORRT_INCLUDE='" APERTUNE_TEST_TENSORRT_INCLUDE "' -DENGINE_ROOT='" APERTUNE_TEST_FAKES
                        "' -DCUDA_INCLUDE='" APERTUNE_TEST_CUDA_INCLUDE "' -DCUDA_DRIVER='" APERTUNE_TEST_FAKES
                        "/libcuda.so.1' && cmake --build " +
                        folder + "/build",
                    log),
              0)
        << log;
    EXPECT_EQ(log.find("main.cpp:"), std::string::npos) << "warnings:\n" << log;
    const std::string program = folder + "/build/apertune_model";
    // The time of a stand-in has no meaning, so that the program may find it fast (0), slow (1) or not say (3).
    EXPECT_NE(shell(program + " --verify --json --seconds 0.1", log), 2) << log;
    const auto document = model::parseJson(log);
    ASSERT_TRUE(document) << log;
    EXPECT_FALSE((*document)["measured_ms"].is_null()) << log;
    EXPECT_GT((*document)["quality"]["cosine"].get<double>(), 0.9999);
    ASSERT_EQ(shell(program + " --seconds 0.1", log), 0) << log;
    EXPECT_THAT(log, HasSubstr("output 0  2x5, mean"));
    EXPECT_THAT(log, testing::Not(HasSubstr("no CUDA graph")));
    fs::remove_all(out.folder / "model");
    EXPECT_EQ(shell(program + " --verify", log), 2) << log;
}

TEST(TensorRtExport, ThePythonProgramIsWholeAndSaysWhereItRuns)
{
    const Exported out = exported("python", ExportTarget::python, {{"builder_optimization_level_3", true}});
    EXPECT_THAT(out.content("README.md"), HasSubstr("It runs where TensorRT"));
    EXPECT_THAT(out.content("README.md"), HasSubstr("## The same for trtexec"));
    const std::string program = out.content("run.py");
    EXPECT_EQ(program.find("{{"), std::string::npos);
    EXPECT_THAT(program, HasSubstr("Runner(model, sets, model.finish)")) << "a pass may return before it ended";
    std::string log;
    EXPECT_EQ(shell("python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' '" +
                        (out.folder / "run.py").string() + "'",
                    log),
              0)
        << log;
}

TEST(TensorRtExport, ThereIsNoProgramForACpu)
{
    model::StudySnapshot study = report::test::sampleStudy();
    model::Config config;
    config.backend = "tensorrt";
    study.trials = {report::test::measuredTrial(1, config, 2.0)};
    const auto files = exports::planExport(study, study.trials.front(), ExportTarget::cpp, "/nowhere");
    ASSERT_FALSE(files);
    EXPECT_THAT(sentences::sentence(files.error().message), HasSubstr("no C++ program for TensorRT on cpu"));
}

} // namespace
} // namespace apertune::test
