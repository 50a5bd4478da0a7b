// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/temporary_dir.h"
#include "core/models/package_source.h"
#include "core/study/study_runner.h"
#include "core/worker/local_launcher.h"
#include "tests/core/worker/fake_workspace.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

namespace apertune::study::testing {

inline search::BackendInfo fakeBackend()
{
    search::BackendInfo info;
    info.name = "fake";
    for (const model::SwitchInfo& known : model::switchCatalogue())
        info.switches.push_back(known.name);
    info.precisions = {"fp32", "tf32", "bf16", "fp16"};
    info.deviceIds = {"cpu", "cuda:0", "cuda:1", "npu:0"};
    info.canCompile = true;
    return info;
}

inline model::Device gpu(const std::string& id, const std::string& name)
{
    model::Device device;
    device.id = id;
    device.type = model::DeviceType::nvidiaGpu();
    device.name = name;
    device.uuid = "GPU-" + id;
    device.computeMajor = 9;
    return device;
}

/// A compiler that does nothing but take time, or fail.
class FakeCompiler : public models::PackageSource
{
public:
    bool needed(const model::ModelRef&, const model::Config& config) const override
    {
        return converts || config.isCompiled();
    }
    bool contains(const model::ModelRef&, const model::Config&, const model::Device&) const override { return cached; }
    base::Result<Package> get(const model::ModelRef&, const model::Config& config, const model::Device&,
                              const models::ExporterObserver& observer, std::stop_token stop) override
    {
        ++calls;
        if (observer)
            observer({"lowering", 1, 2, false});
        const base::Nanoseconds end = base::monotonicNow() + takes;
        while (base::monotonicNow() < end) {
            if (stop.stop_requested())
                return base::plainError(base::ErrorCode::cancelled, "Cancelled.");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        if (failsAtBatch == config.batch)
            return base::plainError(base::ErrorCode::compileFailed, "The compiler gave up.",
                                    "g++: error: no such thing", "Leave O3 out for this model.");
        return Package{"/nonexistent/package.pt2", base::fromSeconds(17), false};
    }

    std::atomic<int> calls = 0;
    base::Nanoseconds takes{};
    int failsAtBatch = 0;
    bool cached = false;
    bool converts = false; ///< every configuration opens a file, as those of an engine with a format of its own do
};

/// A workspace, a scripted model and a runner that measures for milliseconds. Limits after which something counts as
/// dead are long: a test that waits for one to pass sets it.
struct StudyFixture : ::testing::Test
{
    StudyFixture()
    {
        limits.worker.start = base::fromSeconds(120);
        limits.worker.silence = base::fromSeconds(60);
        limits.worker.soft = base::fromSeconds(0.3);
        limits.worker.term = base::fromSeconds(0.3);
        limits.load = base::fromSeconds(120);
        limits.first = base::fromSeconds(120);
        limits.quality = base::fromSeconds(120);
        limits.warmUpLeast = base::fromMilliseconds(2);
        limits.warmUpMost = base::fromMilliseconds(40);
        limits.trialLeast = base::fromMilliseconds(30);
        limits.trialMost = base::fromMilliseconds(80);
        limits.minBlock = base::fromMilliseconds(1);
        limits.minTime = {};
        limits.minTimeOnGpu = {};
        limits.maxBlocks = 20;
        limits.confirmMost = {};
        limits.noisePairs = 0;
        limits.driftReadingEvery = 0;
        limits.quietShare = 0;
        request.model.name = "scripted";
        request.model.source = "fake:scripted";
        request.model.taskType = model::TaskType::classification;
        request.model.contentHash = "0123";
        request.model.artifact = artifact.path();
        request.model.hasExportedProgram = true;
        request.space.backends = {"fake"};
        request.space.levels = {model::OptLevel::o0, model::OptLevel::o1, model::OptLevel::o2};
        request.space.precisions = {model::Precision::fp32};
        request.space.batches = {1, 2};
        request.space.devices = {"cpu"};
        request.space.threads = {1};
        request.budget = {};
        request.budgetKind = model::BudgetKind::measuring; // workers of a busy machine take seconds to start
        request.commandLine = "apertune tune scripted";
    }

    StudyRunner& runner()
    {
        if (!m_runner) {
            m_runner.emplace(store, *launcher, compiler, devices, std::vector{fakeBackend()}, environment);
            m_runner->setLimits(limits);
        }
        return *m_runner;
    }

    base::Outcome run(const base::Json& script)
    {
        artifact.write(script);
        return noted(runner().run(request, observer(), stop.get_token()));
    }

    base::Outcome resume() { return noted(runner().resume({runner().studyId()}, observer(), stop.get_token())); }

    base::Outcome noted(const base::Result<base::Outcome>& outcome)
    {
        lastError = outcome ? base::Error{} : outcome.error();
        return outcome ? *outcome : base::Outcome::failed;
    }

    StudyObserver observer()
    {
        return [this](const StudyEvent& event) {
            if (inside.exchange(true))
                ADD_FAILURE() << "events overlap";
            if (onEvent)
                onEvent(event);
            events.push_back(event);
            inside = false;
        };
    }

    model::StudySnapshot study() { return loadStudy(store, runner().studyId()).value(); }

    const model::Trial& find(const model::StudySnapshot& snapshot, model::OptLevel level, int batch,
                             model::Precision precision = model::Precision::fp32) const
    {
        const auto it = std::find_if(snapshot.trials.begin(), snapshot.trials.end(), [&](const model::Trial& t) {
            return t.config.level == level && t.config.batch == batch && t.config.precision == precision;
        });
        EXPECT_NE(it, snapshot.trials.end());
        return *it;
    }

    static bool hasFlag(const model::Trial& trial, model::TrialFlag flag)
    {
        const auto& flags = trial.measurement.flags;
        return std::find(flags.begin(), flags.end(), flag) != flags.end();
    }

    int count(const model::StudySnapshot& snapshot, model::TrialState state,
              model::ReasonKind kind = model::ReasonKind::none) const
    {
        return static_cast<int>(
            std::count_if(snapshot.trials.begin(), snapshot.trials.end(), [&](const model::Trial& t) {
                return t.state == state && (kind == model::ReasonKind::none || t.reason.kind == kind);
            }));
    }

    base::Error lastError{}; ///< error of the last run() or resume()
    base::TemporaryDir dir = std::move(base::TemporaryDir::create("test")).value();
    worker::testing::FakeArtifact artifact;
    store::Store store =
        std::move(store::Store::open(dir.path() / "test.apertune", store::OpenMode::readWrite)).value();
    std::unique_ptr<worker::Launcher> launcher = worker::makeLocalLauncher(worker::testing::thisBuild());
    std::vector<model::Device> devices{worker::testing::cpu()};
    models::PackageSource* compiler = nullptr;
    model::Environment environment{};
    worker::RunLimits limits;
    StudyRequest request;
    std::stop_source stop;
    std::function<void(const StudyEvent&)> onEvent;
    std::vector<StudyEvent> events;
    std::atomic<bool> inside = false;

private:
    std::optional<StudyRunner> m_runner;
};

} // namespace apertune::study::testing
