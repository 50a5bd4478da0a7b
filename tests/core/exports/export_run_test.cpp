// SPDX-License-Identifier: GPL-3.0-or-later
// What an export writes really runs: a tiny model goes through the exporter, and the Python and C++ folders are run,
// compiled and verified with the LibTorch of this build.
#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/exports/exporter.h"
#include "core/exports/write_export.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "tests/core/exports/tolerant.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

namespace apertune::exports {
namespace {

namespace fs = std::filesystem;

using base::Json;

struct Ran
{
    int code = -1;
    std::string out;
    std::string err;
};

void drain(int fd, std::string& text)
{
    char buffer[4096];
    for (ssize_t n; (n = ::read(fd, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
}

Ran runCommand(const std::vector<std::string>& argv, const std::map<std::string, std::optional<std::string>>& env = {})
{
    Ran ran;
    auto child = base::ChildProcess::start({argv, env, {}});
    if (!child) {
        ran.err = sentences::sentence(child.error().message);
        return ran;
    }
    child->closeStdin();
    const auto deadline = base::monotonicNow() + base::fromSeconds(300);
    std::optional<base::ChildExit> exit;
    while (!exit && base::monotonicNow() < deadline) {
        pollfd fds[2] = {{child->stdoutFd(), POLLIN, 0}, {child->stderrFd(), POLLIN, 0}};
        ::poll(fds, 2, 100);
        drain(child->stdoutFd(), ran.out);
        drain(child->stderrFd(), ran.err);
        exit = child->poll();
    }
    drain(child->stdoutFd(), ran.out);
    drain(child->stderrFd(), ran.err);
    ran.code = exit && exit->signal == 0 ? exit->code : -1;
    return ran;
}

/// Other work on this machine must not make a test fail: a thousand times slower is still inside.
constexpr double kWide = 1000;

class ExportedProgram : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        auto temporary = base::TemporaryDir::create("export-run");
        ASSERT_TRUE(temporary);
        s_temporary = std::make_unique<base::TemporaryDir>(std::move(*temporary));
        const Ran made = runExporter(
            {"export", "python:" APERTUNE_TEST_DIR "/tiny_model.py:make", "--out", (dir() / "artifact").string()});
        ASSERT_EQ(made.code, 0) << made.out << made.err;
    }
    static void TearDownTestSuite() { s_temporary.reset(); }

    static const fs::path& dir() { return s_temporary->path(); }

    static Ran runExporter(const std::vector<std::string>& arguments)
    {
        std::vector<std::string> argv{APERTUNE_TEST_PYTHON, "-m", "apertune_exporter"};
        argv.insert(argv.end(), arguments.begin(), arguments.end());
        return runCommand(argv, {{"PYTHONPATH", APERTUNE_EXPORTER_DIR}});
    }

    /// Exports a trial of that configuration, measured as `latencyMs` with a tolerance of ± `tolerance`.
    static void exportTrial(const model::Config& config, double latencyMs, double tolerance, ExportTarget target,
                            const fs::path& out, const fs::path& package = {}, int otherBatch = 0,
                            const char* artifact = "artifact")
    {
        model::StudySnapshot study = apertune::test::sampleStudy();
        study.study.model.artifact = dir() / artifact;
        study.trials = {apertune::test::measuredTrial(1, config, latencyMs, tolerance / 3)};
        if (otherBatch > 0) {
            model::Config other = config;
            other.batch = otherBatch;
            study.trials.push_back(apertune::test::measuredTrial(2, other, latencyMs, tolerance / 3));
        }
        const auto files = planExport(study, study.trials[0], target, package, otherBatches(study, study.trials[0]));
        ASSERT_TRUE(files) << sentences::sentence(files.error().message);
        const auto written = writeExport(*files, out, true);
        ASSERT_TRUE(written) << sentences::sentence(written.error().message);
        if (tolerance > model::kMostTolerance)
            test::widen(out, tolerance);
    }

    static Ran runPython(const fs::path& folder, std::vector<std::string> arguments = {})
    {
        arguments.insert(arguments.begin(), {APERTUNE_TEST_PYTHON, (folder / "run.py").string(), "--seconds", "0.3"});
        return runCommand(arguments);
    }

    /// Builds the program without optimisation: it only calls LibTorch, and the headers take long enough.
    static void build(const fs::path& folder)
    {
        const Ran configured = runCommand({"cmake", "-S", folder.string(), "-B", (folder / "build").string(),
                                           "-DTORCH_ROOT=" APERTUNE_TEST_TORCH, "-DCMAKE_BUILD_TYPE=Debug",
                                           "-DCMAKE_CXX_FLAGS=-O0 -g0 -Wall -Wextra"});
        ASSERT_EQ(configured.code, 0) << configured.out << configured.err;
        const Ran built = runCommand({"cmake", "--build", (folder / "build").string()});
        ASSERT_EQ(built.code, 0) << built.out << built.err;
        EXPECT_EQ(built.out.find("main.cpp:"), std::string::npos) << "warnings:\n" << built.out;
    }

    static double measuredMs(const Ran& ran)
    {
        const auto document = model::parseJson(ran.out);
        EXPECT_TRUE(document) << ran.out << ran.err;
        return document ? document->at("measured_ms").at("median").get<double>() : 0;
    }

    static inline std::unique_ptr<base::TemporaryDir> s_temporary;
};

model::Config cpuConfig(model::OptLevel level, model::Precision precision)
{
    // One thread: two would wait for each other whenever something else runs on this machine.
    return model::makeConfig(level, precision, 2, 1, model::DeviceType::cpu());
}

TEST_F(ExportedProgram, InPythonRunsAndVerifies)
{
    const fs::path out = dir() / "python";
    exportTrial(cpuConfig(model::OptLevel::o2, model::Precision::fp32), 1000, 0.1, ExportTarget::python, out);
    const Ran printed = runPython(out);
    EXPECT_EQ(printed.code, 0) << printed.err;
    EXPECT_NE(printed.out.find("output 0  2x4"), std::string::npos) << printed.out;
    EXPECT_NE(printed.out.find("latency"), std::string::npos) << printed.out;

    const Ran outside = runPython(out, {"--verify", "--json"});
    EXPECT_EQ(outside.code, 1) << "a second was expected\n" << outside.err;
    const Json document = model::parseJson(outside.out).value();
    EXPECT_EQ(document["verdict"], "outside");
    EXPECT_GT(document["quality"]["cosine"].get<double>(), 0.9999);

    exportTrial(cpuConfig(model::OptLevel::o2, model::Precision::fp32), measuredMs(outside), kWide,
                ExportTarget::python, out);
    const Ran inside = runPython(out, {"--verify"});
    EXPECT_EQ(inside.code, 0) << inside.out << inside.err;
    EXPECT_NE(inside.out.find("inside"), std::string::npos);
}

TEST_F(ExportedProgram, InPythonAppliesSixteenBitChannelsLast)
{
    const fs::path out = dir() / "python-bf16";
    exportTrial(cpuConfig(model::OptLevel::o2, model::Precision::bf16), 1, 0.1, ExportTarget::python, out);
    const Ran ran = runPython(out, {"--verify", "--json"});
    const Json document = model::parseJson(ran.out).value();
    const double cosine = document["quality"]["cosine"].get<double>();
    EXPECT_GT(cosine, 0.99);
    EXPECT_LT(cosine, 0.9999999) << "bf16 leaves a trace: it really was applied";
}

TEST_F(ExportedProgram, InPythonAnswersArraysThatDifferFromPassToPass)
{
    const fs::path out = dir() / "python-arrays";
    const std::string code =
        "import sys; sys.path.insert(0, sys.argv[1]); import numpy, run\n"
        "settings = run.load_settings()\n"
        "model, given = run.array_model(settings), run.reference_arrays(settings)\n"
        "turned = [values[::-1].copy() for values in given]\n"
        "first, second, third = model(given), model(turned), model(given)\n"
        "close = lambda a, b: all(numpy.allclose(x, y, atol=0.02) for x, y in zip(a, b))\n"
        "print(close(first, [v[::-1] for v in second]), close(first, third), close(first, second),\n"
        "      first[0].dtype)\n";
    for (const model::Precision precision : {model::Precision::fp32, model::Precision::bf16}) {
        exportTrial(cpuConfig(model::OptLevel::o2, precision), 1, 0.1, ExportTarget::python, out);
        const Ran ran = runCommand({APERTUNE_TEST_PYTHON, "-c", code, out.string()});
        EXPECT_EQ(ran.out, "True True False float32\n") << ran.err;
    }
}

/// Whether the document has a drift reading: its time, and the model's time over it.
bool hasDriftReading(const Json& document)
{
    if (document.at("sentinel_ms").is_null())
        return false;
    const double time = document.at("sentinel_ms").at("median").get<double>();
    const double ratio = document.at("to_sentinel").at("median").get<double>();
    EXPECT_GT(time, 0) << document;
    EXPECT_GT(ratio, document.at("measured_ms").at("lo").get<double>() / time / 10) << document;
    EXPECT_LT(ratio, document.at("measured_ms").at("hi").get<double>() / time * 10) << document;
    return true;
}

TEST_F(ExportedProgram, InPythonMeasuresTheModelWithoutOptimizationInTurns)
{
    const fs::path out = dir() / "python-drift";
    exportTrial(cpuConfig(model::OptLevel::o2, model::Precision::fp32), 1, 0.1, ExportTarget::python, out);
    const Ran ran = runPython(out, {"--verify", "--json"});
    EXPECT_TRUE(hasDriftReading(model::parseJson(ran.out).value())) << ran.out << ran.err;
    exportTrial(cpuConfig(model::OptLevel::o0, model::Precision::fp32), 1, 0.1, ExportTarget::python, out);
    const Ran itself = runPython(out, {"--verify", "--json"});
    EXPECT_FALSE(hasDriftReading(model::parseJson(itself.out).value())) << "it is the model without optimization";
}

TEST_F(ExportedProgram, InPythonKnowsTheNoiseFloorOfTheMachineThatMeasured)
{
    const fs::path out = dir() / "python";
    exportTrial(cpuConfig(model::OptLevel::o0, model::Precision::fp32), 1, 0.1, ExportTarget::python, out);
    const std::string code = "import sys; sys.path.insert(0, sys.argv[1]); import run\n"
                             "t = {'median': 10.0, 'lo': 9.9, 'hi': 10.1}\n"
                             "e = {'latency_ms': t, 'tolerance': 0.1, 'noise_floor': 0.4, 'batch': 1}\n"
                             "good = {'nan_count': 0, 'cosine': 1.0, 'at_least': 0.9}\n"
                             "m = lambda ms: {'median': ms, 'lo': ms, 'hi': ms, 'blocks': 20}\n"
                             "print(*[run.verdict_of(m(ms), good, e) for ms in (10.9, 13, 15, 7, 5)])\n"
                             "s = {'config': {'batch': 1}, 'batches': [e], 'device': {'name': 'x'}}\n"
                             "print(run.print_verdict(s, m(13), good, False))\n";
    const Ran ran = runCommand({APERTUNE_TEST_PYTHON, "-c", code, out.string()});
    EXPECT_EQ(ran.out.find("inside cannot_tell outside cannot_tell outside\n"), 0U) << ran.out << ran.err;
    EXPECT_NE(ran.out.find("cannot tell: identical runs differed by up to 40 %"), std::string::npos) << ran.out;
}

TEST_F(ExportedProgram, InPythonCannotTellWhenTheIntervalCrossesTheEdge)
{
    const fs::path out = dir() / "python";
    exportTrial(cpuConfig(model::OptLevel::o0, model::Precision::fp32), 1, 0.1, ExportTarget::python, out);
    const std::string code = "import sys; sys.path.insert(0, sys.argv[1]); import run\n"
                             "e = {'latency_ms': {'median': 10.0, 'lo': 9.9, 'hi': 10.1}, 'tolerance': 0.1}\n"
                             "good = {'nan_count': 0, 'cosine': 1.0, 'at_least': 0.9}\n"
                             "v = lambda m, lo, hi, q=good: run.verdict_of({'median': m, 'lo': lo, 'hi': hi}, q, e)\n"
                             "print(v(10.5, 10.4, 12), v(11.5, 10.9, 12), v(11.5, 11.2, 12), v(8, 7.9, 8.1),\n"
                             "      v(10, 10, 10, dict(good, nan_count=1)), v(10, 10, 10, dict(good, cosine=0.5)))\n";
    const Ran ran = runCommand({APERTUNE_TEST_PYTHON, "-c", code, out.string()});
    EXPECT_EQ(ran.out, "inside cannot_tell outside outside outside outside\n") << ran.err;
}

TEST_F(ExportedProgram, InPythonCannotTellOfAPassThatIsShortBesideTheCall)
{
    const fs::path out = dir() / "python";
    exportTrial(cpuConfig(model::OptLevel::o0, model::Precision::fp32), 1, 0.1, ExportTarget::python, out);
    const std::string code = "import sys; sys.path.insert(0, sys.argv[1]); import run\n"
                             "e = {'latency_ms': {'median': 0.03, 'lo': 0.03, 'hi': 0.03}, 'tolerance': 0.1}\n"
                             "good = {'nan_count': 0, 'cosine': 1.0, 'at_least': 0.9}\n"
                             "m = lambda ms: {'median': ms, 'lo': ms, 'hi': ms, 'blocks': 20}\n"
                             "v = lambda ms, q=good: run.verdict_of(m(ms), q, e)\n"
                             "print(v(0.031), v(0.056), v(0.2), v(0.01), v(0.056, dict(good, cosine=0.5)))\n"
                             "s = {'config': {'batch': 1}, 'batches': [dict(e, batch=1)], 'device': {'name': 'x'}}\n"
                             "print(run.print_verdict(s, m(0.056), good, False))\n";
    const Ran ran = runCommand({APERTUNE_TEST_PYTHON, "-c", code, out.string()});
    EXPECT_EQ(ran.out.find("inside cannot_tell outside outside outside\n"), 0U) << ran.out << ran.err;
    EXPECT_NE(ran.out.find("cannot tell: from Python, where each call costs up to 0.1 ms"), std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find("\n3\n"), std::string::npos) << ran.out;
}

TEST_F(ExportedProgram, InPythonDoesNotCallABusyMachineASlowModel)
{
    const fs::path out = dir() / "python";
    exportTrial(cpuConfig(model::OptLevel::o0, model::Precision::fp32), 1, 0.1, ExportTarget::python, out);
    const std::string code = "import sys; sys.path.insert(0, sys.argv[1]); import run\n"
                             "e = {'latency_ms': {'median': 10.0, 'lo': 9.9, 'hi': 10.1}, 'tolerance': 0.1}\n"
                             "good = {'nan_count': 0, 'cosine': 1.0, 'at_least': 0.9}\n"
                             "def v(ms, others, q=good):\n"
                             "    return run.verdict_of({'median': ms, 'lo': ms, 'hi': ms, 'others': others}, q, e)\n"
                             "print(v(42, 0.9), v(42, 0.1), v(42, None), v(10, 0.9), v(5, 0.9),\n"
                             "      v(42, 0.9, dict(good, cosine=0.5)))\n"
                             "print(run.share_of_others((10, 1, 0), (16, 3, 4)) * run.os.cpu_count())\n";
    const Ran ran = runCommand({APERTUNE_TEST_PYTHON, "-c", code, out.string()});
    EXPECT_EQ(ran.out, "cannot_tell outside outside inside outside outside\n1.0\n") << ran.err;
}

TEST_F(ExportedProgram, InCppDoesNotCallABusyMachineASlowModel)
{
    const fs::path out = dir() / "cpp-busy";
    exportTrial(cpuConfig(model::OptLevel::o0, model::Precision::fp32), 10, 0.1, ExportTarget::cpp, out);
    ASSERT_TRUE(base::writeFileAtomically(out / "judge.cpp", R"(#include "measuring.h"
int main()
{
    using namespace measuring;
    const auto code = [](double ms, double others, double cosine = 1) {
        Agreement quality;
        quality.cosine = cosine;
        return static_cast<int>(verdictOf({ms, ms, ms, 20, others}, quality, config::kBatches[0]));
    };
    std::printf("%d %d %d %d %d\n", code(42, 0.9), code(42, 0.1), code(10, 0.9), code(5, 0.9), code(42, 0.9, 0.5));
    Options options;
    options.json = true;
    return printVerdict({42, 42, 42, 20, 0.9}, {}, options);
}
)"));
    const std::string program = (out / "judge").string();
    const Ran built = runCommand({"c++", "-std=c++17", "-Wall", "-Werror", "-DAPERTUNE_EXPORT_DIR=\"\"", "-o", program,
                                  (out / "judge.cpp").string()});
    ASSERT_EQ(built.code, 0) << built.err;
    const Ran ran = runCommand({program});
    EXPECT_EQ(ran.code, 3) << ran.out;
    EXPECT_EQ(ran.out.find("3 1 0 1 1\n"), 0U) << ran.out;
    const auto document = model::parseJson(ran.out.substr(ran.out.find('{')));
    ASSERT_TRUE(document) << ran.out;
    EXPECT_NE((*document)["notes"][0].get<std::string>().find("others had 90 % of its processors"), std::string::npos);
}

TEST_F(ExportedProgram, InPythonSaysWhatIsMissing)
{
    const fs::path out = dir() / "python-broken";
    exportTrial(cpuConfig(model::OptLevel::o0, model::Precision::fp32), 1, 0.1, ExportTarget::python, out);
    fs::remove(out / "inputs/0.bin");
    const Ran ran = runPython(out, {"--verify"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("0.bin"), std::string::npos) << ran.err;
}

TEST_F(ExportedProgram, InPythonCanBeImportedAndItsFunctionsTakenOver)
{
    const fs::path out = dir() / "python-import";
    exportTrial(cpuConfig(model::OptLevel::o2, model::Precision::fp32), 1, 0.1, ExportTarget::python, out);
    const std::string code = "import sys; sys.path.insert(0, sys.argv[1]); import run\n"
                             "settings = run.load_settings()\n"
                             "run.apply_process_settings(settings)\n"
                             "model = run.load_model(settings)\n"
                             "with run.torch.inference_mode():\n"
                             "    print([list(o.shape) for o in model(run.place_inputs(settings, 0))])\n";
    const Ran ran = runCommand({APERTUNE_TEST_PYTHON, "-c", code, out.string()});
    EXPECT_EQ(ran.out, "[[2, 4], [2, 8, 16, 16]]\n") << ran.err;
}

TEST_F(ExportedProgram, ChecksWithoutMeasuringThatItRunsAndGivesTheOutputsThatWereMeasured)
{
    const fs::path out = dir() / "python-check";
    exportTrial(cpuConfig(model::OptLevel::o2, model::Precision::fp32), 1, 0.1, ExportTarget::python, out);
    const Ran same = runPython(out, {"--check"});
    EXPECT_EQ(same.code, 0) << same.out << same.err;
    EXPECT_EQ(same.out.find("runs: cosine "), 0U) << same.out;
    Json settings = model::parseJson(base::readFile(out / "apertune-config.json").value()).value();
    settings["expected"]["min_cosine"] = 1.5;
    ASSERT_TRUE(base::writeFileAtomically(out / "apertune-config.json", settings.dump()));
    const Ran other = runPython(out, {"--check"});
    EXPECT_EQ(other.code, 1) << other.out << other.err;
    fs::remove(out / "model/model.pt");
    EXPECT_EQ(runPython(out, {"--check"}).code, 2);
}

TEST_F(ExportedProgram, RunsWithoutAGraphFuserThatRefusesTheModel)
{
    const Ran made = runExporter({"export", "python:" APERTUNE_TEST_DIR "/../../plugins/libtorch/models.py:windows",
                                  "--out", (dir() / "windows").string()});
    ASSERT_EQ(made.code, 0) << made.out << made.err;
    const auto config = cpuConfig(model::OptLevel::o2, model::Precision::fp32);
    const fs::path python = dir() / "python-refused";
    exportTrial(config, 1, 0.1, ExportTarget::python, python, {}, 0, "windows");
    const Ran inPython = runPython(python, {"--check"});
    EXPECT_EQ(inPython.code, 0) << inPython.out << inPython.err;
    EXPECT_NE(inPython.err.find("a graph fuser refuses the model"), std::string::npos) << inPython.err;

    const fs::path cpp = dir() / "cpp-refused";
    exportTrial(config, 1, 0.1, ExportTarget::cpp, cpp, {}, 0, "windows");
    build(cpp);
    const Ran inCpp = runCommand({(cpp / "build/apertune_model").string(), "--check"});
    EXPECT_EQ(inCpp.code, 0) << inCpp.out << inCpp.err;
    EXPECT_NE(inCpp.err.find("a graph fuser refuses the model"), std::string::npos) << inCpp.err;
}

TEST_F(ExportedProgram, ComparesModelsWithStateOrRandomNumbersFromTheSameStateAndSeed)
{
    for (const char* const name : {"counts", "draws"}) {
        const Ran made =
            runExporter({"export", "python:" APERTUNE_TEST_DIR "/../../plugins/libtorch/models.py:" + std::string(name),
                         "--out", (dir() / name).string()});
        ASSERT_EQ(made.code, 0) << made.out << made.err;
        const fs::path out = dir() / (std::string("python-") + name);
        exportTrial(cpuConfig(model::OptLevel::o2, model::Precision::fp32), 1, 0.1, ExportTarget::python, out, {}, 0,
                    name);
        Json settings = model::parseJson(base::readFile(out / "apertune-config.json").value()).value();
        settings["model"]["state"] = name == std::string("counts") ? Json{"count"} : Json::array();
        settings["expected"]["min_cosine"] = 0.999999;
        ASSERT_TRUE(base::writeFileAtomically(out / "apertune-config.json", settings.dump()));
        const Ran ran = runPython(out, {"--check"});
        EXPECT_EQ(ran.code, 0) << name << ran.out << ran.err;
    }
}

TEST_F(ExportedProgram, InCppCompilesRunsAndVerifiesTorchScriptAndPackage)
{
    const fs::path out = dir() / "cpp";
    exportTrial(cpuConfig(model::OptLevel::o1, model::Precision::fp32), 100000, 0.1, ExportTarget::cpp, out);
    build(out);
    const std::string program = (out / "build/apertune_model").string();
    const Ran printed = runCommand({program, "--seconds", "0.3"});
    EXPECT_EQ(printed.code, 0) << printed.err;
    EXPECT_NE(printed.out.find("output 0  2x4"), std::string::npos) << printed.out;
    const Ran outside = runCommand({program, "--verify", "--json", "--seconds", "0.3"});
    EXPECT_EQ(outside.code, 1) << outside.err;
    EXPECT_TRUE(hasDriftReading(model::parseJson(outside.out).value())) << outside.out;
    EXPECT_GT(model::parseJson(outside.out).value()["quality"]["cosine"].get<double>(), 0.9999);

    const fs::path package = dir() / "package.pt2";
    const Ran compiled = runExporter({"compile", "--artifact", (dir() / "artifact").string(), "--batch", "2",
                                      "--threads", "1", "--out", package.string()});
    ASSERT_EQ(compiled.code, 0) << compiled.out << compiled.err;
    const fs::path single = dir() / "single.pt2";
    ASSERT_EQ(runExporter({"compile", "--artifact", (dir() / "artifact").string(), "--batch", "1", "--threads", "1",
                           "--out", single.string()})
                  .code,
              0);
    const fs::path both = dir() / "both.pt2";
    ASSERT_EQ(
        runExporter({"join", "--package", package.string(), "--package", single.string(), "--out", both.string()}).code,
        0);
    const auto o3 = cpuConfig(model::OptLevel::o3, model::Precision::fp32);
    exportTrial(o3, measuredMs(outside), kWide, ExportTarget::cpp, out, both, 1);
    build(out);
    for (const char* batch : {"2", "1"}) {
        const Ran inside = runCommand({program, "--verify", "--json", "--seconds", "0.3", "--batch", batch});
        EXPECT_EQ(inside.code, 0) << inside.out << inside.err;
        EXPECT_GT(model::parseJson(inside.out).value()["quality"]["cosine"].get<double>(), 0.9999);
        const Ran shown = runCommand({program, "--seconds", "0.3", "--batch", batch});
        EXPECT_NE(shown.out.find(std::string("output 0  ") + batch + "x4"), std::string::npos) << shown.out;
    }
    EXPECT_EQ(runCommand({program, "--batch", "3"}).code, 2) << "nobody compiled it";

    const fs::path python = dir() / "python-package";
    exportTrial(o3, measuredMs(outside), kWide, ExportTarget::python, python, package);
    const Ran inPython = runPython(python, {"--verify", "--json"});
    EXPECT_EQ(inPython.code, 0) << inPython.out << inPython.err;
    EXPECT_GT(model::parseJson(inPython.out).value()["quality"]["cosine"].get<double>(), 0.9999);

    exportTrial(o3, measuredMs(outside), kWide, ExportTarget::python, python, both, 1);
    for (const char* batch : {"2", "1"}) {
        const Ran ran = runPython(python, {"--batch", batch});
        EXPECT_NE(ran.out.find(std::string("output 0  ") + batch + "x4"), std::string::npos) << ran.out << ran.err;
    }
    EXPECT_EQ(runPython(python, {"--batch", "3"}).code, 2) << "nobody compiled it";
}

} // namespace
} // namespace apertune::exports
