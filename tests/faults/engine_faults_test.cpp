// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps with the real engines: their workers are killed in the middle of a trial, and their files are damaged.
#include "core/base/temporary_dir.h"
#include "core/engine/workbench.h"
#include "core/sentences/sentences.h"
#include "core/worker/backend_manifest.h"
#include "tests/plugins/onnxruntime/onnx_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>

namespace apertune::test {

/// The folder that makeArtifact() writes to.
const std::string& artifacts()
{
    static const base::TemporaryDir dir = std::move(base::TemporaryDir::create("engine-faults")).value();
    static const std::string folder = dir.path().string();
    return folder;
}

namespace {

namespace fs = std::filesystem;

using model::Trial;
using model::TrialState;
using study::StudyEvent;

/// The processes that this one started and that run the worker's program.
std::vector<int> workers()
{
    std::vector<int> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::ifstream stat(entry.path() / "stat");
        int pid = 0;
        int parent = 0;
        std::string name;
        std::string state;
        if (stat >> pid >> name >> state >> parent && parent == ::getpid() && name.starts_with("(apertune-worke"))
            found.push_back(pid);
    }
    return found;
}

/// An IR of x [N, 64] + w -> y, and the file of w.
struct Ir
{
    std::string xml = R"(<?xml version="1.0"?>
<net name="sum" version="11">
<layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="?,64" element_type="f32"/>
<output><port id="0" precision="FP32" names="x"><dim>-1</dim><dim>64</dim></port></output></layer>
<layer id="1" name="w" type="Const" version="opset1"><data element_type="f32" shape="1, 64" offset="0" size="256"/>
<output><port id="0" precision="FP32"><dim>1</dim><dim>64</dim></port></output></layer>
<layer id="2" name="sum" type="Add" version="opset1"><data auto_broadcast="numpy"/>
<input><port id="0" precision="FP32"><dim>-1</dim><dim>64</dim></port>
<port id="1" precision="FP32"><dim>1</dim><dim>64</dim></port></input>
<output><port id="2" precision="FP32" names="y"><dim>-1</dim><dim>64</dim></port></output></layer>
<layer id="3" name="result" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>-1</dim><dim>64</dim></port></input></layer>
</layers>
<edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
</edges>
</net>
)";
    std::string weights = std::string(256, '\0');

    Ir with(const std::string& from, const std::string& to) const
    {
        Ir changed = *this;
        const auto at = changed.xml.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        changed.xml.replace(at, from.size(), to);
        return changed;
    }
};

class EngineFaults : public testing::TestWithParam<std::string>
{
protected:
    void SetUp() override
    {
#ifdef __SANITIZE_THREAD__
        GTEST_SKIP() << "the thread sanitizer does not see into the engines";
#endif
        const auto there = worker::installedEngines(worker::Installation::locate());
        if (std::find(there.begin(), there.end(), GetParam()) == there.end())
            GTEST_SKIP() << GetParam() << " is not built or not installed: make setup";
#ifdef __SANITIZE_ADDRESS__
        // Else the sanitizer catches the signal in the worker and ends it with an exit code.
        const char* options = std::getenv("ASAN_OPTIONS");
        ::setenv("ASAN_OPTIONS", ((options ? options : "") + std::string(":handle_segv=0")).c_str(), 1);
#endif
        m_request.space.backends = {GetParam()};
        m_request.space.levels = {model::OptLevel::o1};
        m_request.space.precisions = {model::Precision::fp32};
        m_request.space.devices = {"cpu"};
        m_request.space.threads = {1};
        m_request.space.batches = {1, 2, 4};
        m_request.budget = {};
        m_request.model.taskType = model::TaskType::other;
        m_request.model.files.clear();
    }

    void useOnnx(const std::string& name, const std::string& bytes, const std::vector<ArtifactInput>& inputs = {{}})
    {
        m_request.model.name = name;
        m_request.model.contentHash = name;
        m_request.model.artifact = makeArtifact(name, bytes, inputs);
        m_request.model.files = {{"onnx", "model.onnx"}};
    }

    void useIr(const std::string& name, const Ir& ir)
    {
        ArtifactInput input;
        input.shape = {1, 64};
        useOnnx(name, "", {input});
        const fs::path folder = m_request.model.artifact;
        std::ofstream(folder / "model.xml", std::ios::binary) << ir.xml;
        std::ofstream(folder / "model.bin", std::ios::binary) << ir.weights;
        m_request.model.files = {{"openvino_ir", "model.xml"}};
    }

    /// Sweeps; the worker dies as often as `kills` says, each time when the trial of `batch` begins to be measured, at
    /// last of SIGSEGV.
    std::vector<Trial> sweep(int kills = 0, int batch = 0)
    {
        worker::RunLimits limits;
        limits.trialLeast = base::fromMilliseconds(30);
        limits.trialMost = base::fromMilliseconds(200);
        limits.minTime = {};
        limits.minTimeOnGpu = {};
        limits.confirmMost = {};
        limits.noisePairs = 0;
        limits.driftReadingEvery = 0;
        const auto runner = m_bench->makeRunner();
        runner->setLimits(limits);
        const auto observer = [&](const StudyEvent& event) {
            if (kills == 0 || event.kind != StudyEvent::Kind::trialPhase || event.phase != study::Phase::measure ||
                !event.trial || event.trial->config.batch != batch)
                return;
            --kills;
            const auto running = workers();
            EXPECT_EQ(running.size(), 1U);
            for (const int pid : running)
                ::kill(pid, kills % 2 == 0 ? SIGSEGV : SIGKILL);
        };
        const auto outcome = runner->run(m_request, observer, {});
        EXPECT_TRUE(outcome) << sentences::sentence(outcome.error().message);
        EXPECT_EQ(*outcome, base::Outcome::done);
        EXPECT_EQ(kills, 0) << "not all of them happened";
        const auto snapshot = study::loadStudy(m_bench->store(), runner->studyId());
        EXPECT_TRUE(snapshot);
        return snapshot ? snapshot->trials : std::vector<Trial>{};
    }

    /// One trial with a sentence in words of its own, however the engine talks.
    void expectOneRefusal(const std::string& name)
    {
        m_request.space.batches = {2};
        const auto trials = sweep();
        ASSERT_EQ(trials.size(), 1U) << name;
        const model::Reason& reason = trials[0].reason;
        EXPECT_EQ(trials[0].state, TrialState::failed) << name;
        EXPECT_THAT(reason.kind, testing::AnyOf(model::ReasonKind::badInput, model::ReasonKind::unsupported))
            << name << ": " << sentences::sentence(reason.message);
        EXPECT_FALSE(sentences::sentence(reason.message).empty()) << name;
        EXPECT_EQ(sentences::sentence(reason.message).find('\n'), std::string::npos)
            << name << ": " << sentences::sentence(reason.message);
        EXPECT_LT(sentences::sentence(reason.message).size(), 700U)
            << name << ": " << sentences::sentence(reason.message);
    }

    base::TemporaryDir m_dir = std::move(base::TemporaryDir::create("test")).value();
    std::unique_ptr<engine::Workbench> m_bench =
        std::move(engine::Workbench::open(m_dir.path() / "w.apertune")).value();
    study::StudyRequest m_request;
};

TEST_P(EngineFaults, AWorkerThatIsKilledAndItsSuccessorCostOneTrial)
{
    useOnnx("killed", convolutionModel());
    const auto trials = sweep(2, 2); // a crash is tried once more
    ASSERT_EQ(trials.size(), 3U);
    for (const Trial& trial : trials) {
        const bool killed = trial.config.batch == 2;
        EXPECT_EQ(trial.state, killed ? TrialState::failed : TrialState::ok)
            << sentences::sentence(trial.reason.message);
        EXPECT_EQ(trial.reason.kind, killed ? model::ReasonKind::crash : model::ReasonKind::none);
        EXPECT_EQ(sentences::sentence(trial.reason.message), killed ? "The worker crashed: killed by SIGSEGV." : "");
    }
}

TEST_P(EngineFaults, AWorkerThatIsKilledOnceCostsNothing)
{
    useOnnx("killed_once", convolutionModel());
    for (const Trial& trial : sweep(1, 4))
        EXPECT_EQ(trial.state, TrialState::ok) << sentences::sentence(trial.reason.message);
}

TEST_P(EngineFaults, DamagedOnnxFilesAreOneTrialWithASentenceEach)
{
    const std::string good = convolutionModel();
    useOnnx("garbage", "this is no model at all, only a sentence");
    expectOneRefusal("garbage");
    useOnnx("cut", good.substr(0, good.size() / 2));
    expectOneRefusal("cut");
    useOnnx("zeros", std::string(4096, '\0'));
    expectOneRefusal("zeros");
    ArtifactInput input;
    input.shape = {1, 64};
    useOnnx("unknown_operator", singleOperatorModel("Teleport"), {input});
    expectOneRefusal("unknown_operator");
    useOnnx("gone", good);
    fs::remove(m_request.model.artifact / "model.onnx");
    expectOneRefusal("gone");
}

TEST_P(EngineFaults, DamagedIrFilesAreOneTrialWithASentenceEach)
{
    if (GetParam() != "openvino")
        GTEST_SKIP() << "opens no IR";
    const Ir good;
    useIr("good", good);
    for (const Trial& trial : sweep())
        EXPECT_EQ(trial.state, TrialState::ok) << sentences::sentence(trial.reason.message);

    Ir bad = good;
    bad.xml.resize(bad.xml.size() / 2);
    useIr("xml_cut", bad);
    expectOneRefusal("xml_cut");
    bad = good;
    bad.weights.resize(100);
    useIr("weights_cut", bad);
    expectOneRefusal("weights_cut");
    useIr("weights_gone", good);
    fs::remove(m_request.model.artifact / "model.bin");
    expectOneRefusal("weights_gone");
    useIr("unknown_layer", good.with("type=\"Add\"", "type=\"Teleport\""));
    expectOneRefusal("unknown_layer");
    useIr("endless_offset", good.with("offset=\"0\"", "offset=\"18446744073709551608\""));
    expectOneRefusal("endless_offset");
    useIr("circle", good.with("from-layer=\"0\" from-port=\"0\"", "from-layer=\"2\" from-port=\"2\""));
    expectOneRefusal("circle");
    useIr("no_such_layer", good.with("from-layer=\"1\"", "from-layer=\"77\""));
    expectOneRefusal("no_such_layer");
    std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE z [<!ENTITY a0 \"aaaaaaaaaa\">";
    for (int i = 1; i < 12; ++i)
        bomb +=
            "<!ENTITY a" + std::to_string(i) + " \"&a" + std::to_string(i - 1) + ";&a" + std::to_string(i - 1) + ";\">";
    bad = good;
    bad.xml = bomb + "]><net name=\"&a11;\" version=\"11\"></net>";
    useIr("entities", bad);
    expectOneRefusal("entities");
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineFaults, testing::Values("openvino", "onnxruntime"),
                         [](const auto& tested) { return tested.param; });

} // namespace
} // namespace apertune::test
