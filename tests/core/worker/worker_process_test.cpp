// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sandbox/sandbox.h"
#include "core/worker/local_launcher.h"
#include "core/worker/protocol.h"
#include "core/worker/worker_process.h"
#include "plugins/api/apertune_plugin.h"
#include "tests/core/worker/fake_workspace.h"
#include "tests/support/environment_variables.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace apertune::worker {
namespace {

using base::fromSeconds;
using base::Json;
using ::testing::AnyOf;
using testing::configuration;
using testing::cpu;
using testing::FakeArtifact;
using ::testing::HasSubstr;
using testing::prepareCommand;
using testing::thisBuild;

WorkerLimits shortLimits()
{
    WorkerLimits limits;
    limits.start = fromSeconds(120);
    limits.silence = fromSeconds(6); // several heartbeats
    limits.soft = fromSeconds(0.3);
    limits.term = fromSeconds(0.3);
    return limits;
}

class Worker : public ::testing::Test
{
protected:
    void start(const Json& script = Json::object(), const std::string& backend = "fake")
    {
        artifact.write(script);
        auto launcher = makeLocalLauncher(thisBuild());
        auto reply = WorkerProcess::start(*launcher, {backend, cpu(), 1}, {}, limits);
        if (!reply)
            startFailure = reply.error();
        else
            worker = std::move(*reply);
    }

    WorkerReply<Json> prepare(double seconds = 120)
    {
        return worker->call(prepareCommand(artifact, configuration()), fromSeconds(seconds), {});
    }

    static Json measureCommand()
    {
        return {{"t", "measure"}, {"session", 1}, {"min_block_ns", 2000000}, {"min_blocks", 10},
                {"blocks", 20},   {"min_ns", 0},  {"max_ns", 60000000000}};
    }

    static WorkerError failureOf(const WorkerReply<Json>& reply)
    {
        if (!reply)
            return reply.error();
        return {{model::ReasonKind::none, base::foreignText("it answered " + reply->dump().substr(0, 200))}};
    }

    WorkerLimits limits = shortLimits();
    FakeArtifact artifact;
    std::unique_ptr<WorkerProcess> worker;
    std::optional<WorkerError> startFailure;
};

TEST_F(Worker, SaysWhatItsBackendCanDo)
{
    start();
    ASSERT_TRUE(worker);
    EXPECT_EQ(worker->hello()["describe"]["name"], "fake");
    EXPECT_TRUE(worker->alive());
}

TEST_F(Worker, MeasuresInBlocksOfTheAskedLength)
{
    start({{"latency_ms", 0.5}});
    const auto prepared = prepare();
    ASSERT_TRUE(prepared) << failureOf(prepared).sentence();
    EXPECT_GT((*prepared)["first_ns"], 400000);
    EXPECT_GE((*prepared)["warmup_iterations"], 3);

    Json command = measureCommand();
    // A block has several passes of half a millisecond, however long a busy machine makes them.
    command["min_block_ns"] = 50'000'000;
    const auto measured = worker->call(command, fromSeconds(120), {});
    ASSERT_TRUE(measured) << failureOf(measured).sentence();
    const Json& answer = *measured;
    ASSERT_GE(answer["blocks"].size(), 10u);
    std::int64_t passes = 0;
    for (const Json& json : answer["blocks"]) {
        const auto block = model::blockFromJson(json);
        ASSERT_TRUE(block.ok());
        passes += block->iterations;
        EXPECT_GE(block->iterations, 2);
        EXPECT_GE(block->wall.count, 500000 * block->iterations * 9 / 10);
        EXPECT_EQ(block->device.count, 0) << "a CPU has no clock of its own";
    }
    EXPECT_EQ(answer["iterations_ns"].size(), static_cast<std::size_t>(passes));
}

TEST_F(Worker, TellsDeviceTimeWhereTheDeviceHasAClock)
{
    start({{"latency_ms", 0.5}});
    const auto prepared = worker->call(prepareCommand(artifact, configuration(), "cuda:0"), fromSeconds(120), {});
    ASSERT_TRUE(prepared) << failureOf(prepared).sentence();
    const auto measured = worker->call(measureCommand(), fromSeconds(120), {});
    ASSERT_TRUE(measured);
    for (const Json& block : (*measured)["blocks"]) {
        EXPECT_GT(block["device_ns"], 0);
        EXPECT_LT(block["device_ns"].get<double>(), block["wall_ns"].get<double>() * 1.05);
    }
}

TEST_F(Worker, ReportsAppliedSwitchesAndItsPeakMemory)
{
    start({{"memory", {{"base", 1000}, {"per_sample", 10}}}});
    (void)prepare();
    const auto reported = worker->call({{"t", "report"}, {"session", 1}}, fromSeconds(120), {});
    ASSERT_TRUE(reported);
    const Json& answer = *reported;
    EXPECT_EQ(answer["applied"][0]["switch"], "freeze");
    EXPECT_EQ(answer["memory"]["allocator_peak"], 1010);
    EXPECT_GT(answer["memory"]["process_peak"], 1 << 20);
}

TEST_F(Worker, ProgressNamesThePhases)
{
    start();
    std::vector<std::string> phases;
    (void)worker->call(prepareCommand(artifact, configuration()), fromSeconds(120), {},
                       [&](const Json& message) { phases.push_back(message["phase"]); });
    EXPECT_THAT(phases, ::testing::ElementsAre("load", "first", "warm-up", "finalize"));
}

TEST_F(Worker, PrintsOfTheModelDoNotCorruptTheConversation)
{
    start({{"faults", {{{"at", "open"}, {"do", "print"}}, {{"at", "run"}, {"n", 2}, {"do", "print"}}}}});
    const auto prepared = prepare();
    ASSERT_TRUE(prepared) << failureOf(prepared).sentence();
    EXPECT_TRUE(worker->call(measureCommand(), fromSeconds(120), {}).ok());
    // What it printed is the log of a worker that dies.
    ::kill(worker->pid(), SIGKILL);
    EXPECT_THAT(failureOf(prepare()).reason.detail, HasSubstr("chatter that nobody asked for"));
}

TEST_F(Worker, ACrashComesBackAsAReasonWithTheSignal)
{
    start({{"faults", {{{"at", "run"}, {"n", 3}, {"do", "crash"}}}}});
    const WorkerError failure = failureOf(prepare());
    EXPECT_EQ(failure.reason.kind, model::ReasonKind::crash);
    EXPECT_THAT(failure.sentence(), HasSubstr("SIGSEGV"));
    EXPECT_TRUE(failure.workerGone);
    EXPECT_FALSE(worker->alive());
    EXPECT_EQ(failureOf(prepare()).reason.kind, model::ReasonKind::internal) << "a dead worker refuses further calls";
}

TEST_F(Worker, AnExitInTheMiddleOfACallIsACrash)
{
    start({{"faults", {{{"at", "open"}, {"do", "exit"}}}}});
    const WorkerError failure = failureOf(prepare());
    EXPECT_EQ(failure.reason.kind, model::ReasonKind::crash);
    EXPECT_THAT(failure.sentence(), HasSubstr("exit code 7"));
}

TEST_F(Worker, AKillNobodyOrderedIsPutDownToMemory)
{
    start({{"faults", {{{"at", "run"}, {"do", "kill"}}}}});
    const WorkerError failure = failureOf(prepare());
    EXPECT_THAT(failure.reason.kind, AnyOf(model::ReasonKind::crash, model::ReasonKind::outOfMemory));
    EXPECT_THAT(failure.sentence(), HasSubstr("memory"));
}

TEST_F(Worker, OutOfMemoryIsNamedAndTheWorkerLives)
{
    start({{"memory", {{"base", 100}, {"per_sample", 1}, {"limit", 50}}}});
    const WorkerError failure = failureOf(prepare());
    EXPECT_EQ(failure.reason.kind, model::ReasonKind::outOfMemory);
    EXPECT_FALSE(failure.workerGone);
    EXPECT_TRUE(worker->alive());
}

TEST_F(Worker, OutOfMemoryThatOnlyTheLogTellsIsFound)
{
    start({{"faults", {{{"at", "run"}, {"do", "oom_text"}}}}});
    EXPECT_EQ(failureOf(prepare()).reason.kind, model::ReasonKind::outOfMemory);
}

TEST_F(Worker, StatusesOfTheBackendBecomeReasons)
{
    for (const auto& [act, kind] : std::map<std::string, std::string>{{"throw", "model_threw"},
                                                                      {"bad_input", "bad_input"},
                                                                      {"unsupported", "unsupported"},
                                                                      {"device_lost", "device_lost"},
                                                                      {"nonsense", "internal"}}) {
        start({{"faults", {{{"at", "run"}, {"do", act}}}}});
        const WorkerError failure = failureOf(prepare());
        EXPECT_EQ(toString(failure.reason.kind), kind);
        EXPECT_FALSE(failure.sentence().empty());
        EXPECT_THAT(failure.reason.detail, HasSubstr("Change the script"));
    }
}

TEST_F(Worker, AHangingModelIsEndedAtTheLimitAndCalledTimeout)
{
    start({{"faults", {{{"at", "run"}, {"do", "hang"}}}}});
    const base::Nanoseconds begin = base::monotonicNow();
    const WorkerError failure = failureOf(prepare(5)); // it has begun to run by then
    EXPECT_EQ(failure.reason.kind, model::ReasonKind::timeout);
    EXPECT_THAT(failure.sentence(), HasSubstr("first"));
    EXPECT_TRUE(failure.workerGone);
    EXPECT_LT((base::monotonicNow() - begin).seconds(), 120);
}

TEST_F(Worker, ALimitOfAPhaseReplacesThatOfTheCall)
{
    start({{"faults", {{{"at", "run"}, {"do", "hang"}}}}});
    const auto reply = worker->call(prepareCommand(artifact, configuration()), fromSeconds(3600), {}, {},
                                    {{"first", fromSeconds(0.3)}});
    EXPECT_EQ(failureOf(reply).reason.kind, model::ReasonKind::timeout);
}

TEST_F(Worker, ASilentWorkerIsKilledAndCalledHang)
{
    start({{"faults", {{{"at", "run"}, {"do", "freeze"}}}}});
    const base::Nanoseconds begin = base::monotonicNow();
    const WorkerError failure = failureOf(prepare(3600));
    EXPECT_EQ(failure.reason.kind, model::ReasonKind::hang);
    EXPECT_TRUE(failure.workerGone);
    EXPECT_LT((base::monotonicNow() - begin).seconds(), 300);
}

TEST_F(Worker, HeartbeatsKeepASlowWorkerAlive)
{
    start({{"load_ms", 8000}});
    const auto prepared = prepare();
    EXPECT_TRUE(prepared) << failureOf(prepared).sentence();
}

TEST_F(Worker, AStopRequestEndsACallOfAModelThatHangs)
{
    start({{"faults", {{{"at", "run"}, {"do", "hang"}}}}});
    std::stop_source source;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        source.request_stop();
    });
    const base::Nanoseconds begin = base::monotonicNow();
    const auto reply = worker->call(prepareCommand(artifact, configuration()), fromSeconds(3600), source.get_token());
    EXPECT_TRUE(failureOf(reply).cancelled);
    EXPECT_TRUE(failureOf(reply).workerGone);
    EXPECT_LT((base::monotonicNow() - begin).seconds(), 300) << "it did not wait for the call's limit";
}

TEST_F(Worker, AStopRequestBreaksOffAMeasurementSoftly)
{
    limits.soft = fromSeconds(3600); // SIGTERM would come too late for this test
    start({{"latency_ms", 5}});
    (void)prepare();
    std::stop_source source;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        source.request_stop();
    });
    Json command = measureCommand();
    command["blocks"] = 100000;
    command["max_ns"] = 3'600'000'000'000;
    command["target"] = 0;
    const base::Nanoseconds begin = base::monotonicNow();
    EXPECT_TRUE(failureOf(worker->call(command, fromSeconds(7200), source.get_token())).cancelled);
    EXPECT_LT((base::monotonicNow() - begin).seconds(), 300) << "quit was enough";
}

TEST_F(Worker, FoldersOfADeadWorkersPackageAreRemovedAndNoOthers)
{
    char foreign[] = "/tmp/XXXXXX";
    ASSERT_TRUE(::mkdtemp(foreign));
    start({{"unpacks", true}, {"faults", {{{"at", "run"}, {"n", 2}, {"do", "crash"}}}}});
    std::vector<std::string> folders;
    const auto reply =
        worker->call(prepareCommand(artifact, configuration()), fromSeconds(120), {}, [&](const Json& message) {
            for (const Json& folder : message.value("temp_dirs", Json::array()))
                folders.push_back(folder);
        });
    EXPECT_EQ(failureOf(reply).reason.kind, model::ReasonKind::crash);
    ASSERT_EQ(folders.size(), 1u);
    EXPECT_FALSE(std::filesystem::exists(folders[0]));
    EXPECT_TRUE(std::filesystem::exists(foreign));
    ::rmdir(foreign);
}

TEST_F(Worker, AFolderThatIsNotAsAPackageMakesItStays)
{
    start({{"unpacks", true}, {"faults", {{{"at", "run"}, {"n", 2}, {"do", "crash"}}}}});
    std::vector<std::string> folders;
    (void)worker->call(prepareCommand(artifact, configuration()), fromSeconds(120), {}, [&](const Json& message) {
        for (const Json& folder : message.value("temp_dirs", Json::array()))
            folders.push_back(folder);
        for (const std::string& folder : folders)
            ::chmod(folder.c_str(), 0755);
    });
    ASSERT_EQ(folders.size(), 1u);
    EXPECT_TRUE(std::filesystem::exists(folders[0]));
    std::filesystem::remove_all(folders[0]);
}

TEST_F(Worker, AWarmPackageNeedsItsFolderNoLonger)
{
    start({{"unpacks", true}});
    std::vector<std::string> folders;
    const auto reply =
        worker->call(prepareCommand(artifact, configuration()), fromSeconds(120), {}, [&](const Json& message) {
            for (const Json& folder : message.value("temp_dirs", Json::array()))
                folders.push_back(folder);
        });
    ASSERT_TRUE(reply) << failureOf(reply).sentence();
    ASSERT_EQ(folders.size(), 1u);
    EXPECT_FALSE(std::filesystem::exists(folders[0]));
    EXPECT_TRUE(worker->call(measureCommand(), fromSeconds(120), {}).ok());
}

TEST_F(Worker, AWorkerEndsWithItsSupervisorsPipe)
{
    start({{"unpacks", true}});
    (void)prepare();
    const int pid = worker->hello()["pid"].get<int>();
    worker.reset();
    EXPECT_NE(::kill(pid, 0), 0);
}

TEST_F(Worker, ABackendThatDoesNotExistIsNamed)
{
    start({}, "no_such_backend");
    ASSERT_TRUE(startFailure);
    EXPECT_EQ(startFailure->reason.kind, model::ReasonKind::unsupported);
    EXPECT_THAT(startFailure->sentence(), HasSubstr("no_such_backend"));
}

TEST_F(Worker, OfAGpuRunsOnTheProcessorsOfItsNode)
{
    cpu_set_t all;
    CPU_ZERO(&all);
    ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
    model::Device gpu = cpu();
    gpu.id = "cuda:0";
    gpu.type = model::DeviceType::nvidiaGpu();
    for (int processor = CPU_SETSIZE - 1; processor >= 0 && gpu.processors.empty(); --processor)
        if (CPU_ISSET(processor, &all))
            gpu.processors = {processor};
    artifact.write(Json::object());
    auto launcher = makeLocalLauncher(thisBuild());
    auto reply = WorkerProcess::start(*launcher, {"fake", gpu, 0}, {}, limits);
    ASSERT_TRUE(reply);
    cpu_set_t own;
    CPU_ZERO(&own);
    ASSERT_EQ(::sched_getaffinity((*reply)->hello()["pid"].get<int>(), sizeof own, &own), 0);
    EXPECT_EQ(CPU_COUNT(&own), 1);
    EXPECT_TRUE(CPU_ISSET(gpu.processors.front(), &own));
}

TEST_F(Worker, ABackendNameIsNeverAPath)
{
    start({}, "../plugins/fake");
    ASSERT_TRUE(startFailure);
    EXPECT_THAT(startFailure->sentence(), HasSubstr("no backend"));
}

TEST_F(Worker, ABackendOfAnotherAbiIsRefused)
{
    Installation installation = thisBuild();
    installation.plugins = APERTUNE_BROKEN_PLUGINS;
    auto launcher = makeLocalLauncher(installation);
    for (const auto& [name, words] :
         std::map<std::string, std::string>{{"wrong_abi", "ABI " + std::to_string(APERTUNE_PLUGIN_ABI_VERSION + 1)},
                                            {"no_entry", "not an Apertune backend"}}) {
        auto reply = WorkerProcess::start(*launcher, {name, cpu(), 1}, {}, shortLimits());
        ASSERT_TRUE(!reply);
        EXPECT_EQ(reply.error().reason.kind, model::ReasonKind::unsupported);
        EXPECT_THAT(reply.error().sentence(), HasSubstr(words));
    }
}

TEST_F(Worker, AFileThatIsNoLibraryIsRefused)
{
    const auto dir = std::move(base::TemporaryDir::create("test")).value();
    std::ofstream(dir.path() / "junk.so") << "not an ELF file";
    Installation installation = thisBuild();
    installation.plugins = dir.path();
    auto launcher = makeLocalLauncher(installation);
    auto reply = WorkerProcess::start(*launcher, {"junk", cpu(), 1}, {}, shortLimits());
    ASSERT_TRUE(!reply);
    EXPECT_THAT(reply.error().sentence(), HasSubstr("does not load"));
}

TEST_F(Worker, ABackendThatDiesWhileItDescribesItselfIsAReason)
{
    for (const auto& [fault, kind] :
         std::map<std::string, std::string>{{"crash", "crash"}, {"fail", "internal"}, {"garbage", "internal"}}) {
        const test::EnvironmentVariables variables("APERTUNE_FAKE_DESCRIBE", fault);
        startFailure.reset();
        start();
        ASSERT_TRUE(startFailure) << fault;
        EXPECT_EQ(toString(startFailure->reason.kind), kind);
    }
}

TEST_F(Worker, AMissingWorkerProgramIsAReason)
{
    Installation installation = thisBuild();
    installation.worker = "/nonexistent/apertune-worker";
    auto launcher = makeLocalLauncher(installation);
    auto reply = WorkerProcess::start(*launcher, {"fake", cpu(), 1}, {}, shortLimits());
    ASSERT_TRUE(!reply);
    EXPECT_THAT(reply.error().sentence(), HasSubstr("/nonexistent/apertune-worker"));
}

TEST_F(Worker, AProgramThatIsNoWorkerIsAReason)
{
    Installation installation = thisBuild();
    installation.worker = "/bin/echo"; // prints its arguments where frames belong, then exits
    auto launcher = makeLocalLauncher(installation);
    auto reply = WorkerProcess::start(*launcher, {"fake", cpu(), 1}, {}, shortLimits());
    ASSERT_TRUE(!reply);
    EXPECT_EQ(reply.error().reason.kind, model::ReasonKind::internal);
    EXPECT_THAT(reply.error().sentence(), HasSubstr("unreadable"));
}

/// Prints frames and then waits for the end of its input.
class Sayer : public Launcher
{
public:
    explicit Sayer(const std::vector<Json>& messages)
    {
        for (const Json& message : messages)
            m_frames += encodeFrame(message);
    }
    base::Result<LaunchedWorker> launch(const LaunchRequest&) override
    {
        EXPECT_TRUE(base::writeFileAtomically(m_dir.path() / "frames", m_frames).ok());
        auto child = base::ChildProcess::start({{"sh", "-c", "cat frames; cat > /dev/null"}, {}, m_dir.path()});
        return child ? base::Result<LaunchedWorker>({std::move(*child)}) : child.error();
    }

private:
    std::string m_frames;
    base::TemporaryDir m_dir = base::TemporaryDir::create("sayer").value();
};

TEST_F(Worker, AMessageWithAMemberOfAnotherTypeIsUnreadable)
{
    const std::vector<Json> broken{
        {{"t", 5}},
        {{"t", "hello"}, {"proto", "1"}},
        {{"t", "fatal"}, {"code", 7}},
        {{"t", "fatal"}, {"message", Json::array()}},
    };
    for (const Json& message : broken) {
        Sayer sayer(std::vector<Json>{message});
        const auto reply = WorkerProcess::start(sayer, {"fake", cpu(), 1}, {}, shortLimits());
        ASSERT_TRUE(!reply) << message;
        EXPECT_EQ(reply.error().reason.kind, model::ReasonKind::internal);
        EXPECT_THAT(reply.error().sentence(), HasSubstr("unreadable"));
    }
}

TEST_F(Worker, ItIsHeldByTheLayersThatThisKernelHas)
{
    start();
    ASSERT_TRUE(worker);
    ASSERT_TRUE(worker->sandbox());
    for (const sandbox::LayerState& state : sandbox::layerStates()) {
        const bool expected = state.available && state.layer != sandbox::Layer::processes; // It starts no others.
        EXPECT_EQ(std::count(worker->sandbox()->begin(), worker->sandbox()->end(), sandbox::toString(state.layer)),
                  expected ? 1 : 0)
            << sandbox::toString(state.layer);
    }
    const auto status = base::readFile("/proc/" + std::to_string(worker->pid()) + "/status");
    ASSERT_TRUE(status);
    EXPECT_THAT(*status, HasSubstr("NoNewPrivs:\t1"));
}

TEST_F(Worker, TheEnvironmentHidesOtherGpusAndSetsThreads)
{
    const auto dir = std::move(base::TemporaryDir::create("test")).value();
    const auto script = dir.path() / "print-environment";
    std::ofstream(script) << "#!/bin/sh\nenv >&2\necho \"ARGS $*\" >&2\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    Installation installation = thisBuild();
    installation.worker = script;
    installation.torchRoot = dir.path() / "site-packages/torch";
    const auto cupti = dir.path() / "site-packages/nvidia/cu13/lib/libcupti.so.13";
    std::filesystem::create_directories(cupti.parent_path());
    std::ofstream(cupti) << "";
    model::Device gpu;
    gpu.id = "cuda:1";
    gpu.type = model::DeviceType::nvidiaGpu();
    gpu.uuid = "GPU-1234";
    const std::vector<std::string> spoilers{"CUDA_LAUNCH_BLOCKING", "NVIDIA_TF32_OVERRIDE", "PYTORCH_ALLOC_CONF",
                                            "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_NO_CUDA_MEMORY_CACHING"};
    test::EnvironmentVariables variables;
    for (const std::string& name : spoilers)
        variables.set(name, "1");
    variables.set("LD_LIBRARY_PATH", "/somewhere");
    variables.set("OMP_WAIT_POLICY", "active");
    auto launcher = makeLocalLauncher(installation);
    const sandbox::Settings before = sandbox::settings();
    sandbox::setSettings(sandbox::Settings::none()); // A script starts its interpreter, which a worker may not.
    const auto onGpu = WorkerProcess::start(*launcher, {"fake", gpu, 0}, {}, shortLimits()).error();
    const auto onCpu = WorkerProcess::start(*launcher, {"fake", cpu(), 2}, {}, shortLimits()).error();
    LaunchRequest beside{"fake", cpu(), 2};
    beside.passiveWaits = true;
    const auto besideOthers = WorkerProcess::start(*launcher, beside, {}, shortLimits()).error();
    sandbox::setSettings(before);
    EXPECT_THAT(onGpu.reason.detail, HasSubstr("CUDA_VISIBLE_DEVICES=GPU-1234\n"));
    EXPECT_THAT(onGpu.reason.detail, HasSubstr("--device cuda:0"));
    EXPECT_THAT(onGpu.reason.detail, HasSubstr("--cupti " + cupti.string() + "\n"));
    EXPECT_THAT(onCpu.reason.detail, ::testing::Not(HasSubstr("--cupti")));
    EXPECT_THAT(onCpu.reason.detail, HasSubstr("CUDA_VISIBLE_DEVICES=\n"));
    EXPECT_THAT(onCpu.reason.detail, HasSubstr("OMP_NUM_THREADS=2\n"));
    EXPECT_THAT(onCpu.reason.detail, HasSubstr("OMP_WAIT_POLICY=active\n"));
    EXPECT_THAT(besideOthers.reason.detail, HasSubstr("OMP_WAIT_POLICY=passive\n"));
    for (const WorkerError& failure : {onGpu, onCpu}) {
        for (const std::string& name : spoilers)
            EXPECT_THAT(failure.reason.detail, ::testing::Not(HasSubstr(name)));
        EXPECT_THAT(failure.reason.detail, ::testing::Not(HasSubstr("LD_LIBRARY_PATH")));
    }
}

} // namespace
} // namespace apertune::worker
