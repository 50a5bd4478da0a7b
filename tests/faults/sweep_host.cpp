// SPDX-License-Identifier: GPL-3.0-or-later
// sweep_host WORKSPACE ARTIFACT grid|racing
//
// A supervisor to be killed: goes on with the last study of the workspace when it is not finished, else starts a new
// one on the scripted backend. Exit code 0: the study is finished; 1: it could not be run.
#include "core/sentences/sentences.h"
#include "core/study/study_runner.h"
#include "core/worker/local_launcher.h"

#include <cstdio>

using namespace apertune;

namespace {

model::Device device()
{
    model::Device cpu;
    cpu.id = "cpu";
    cpu.name = "test CPU";
    cpu.cores = 2;
    cpu.threads = 2;
    cpu.isa = {"avx512_bf16"};
    return cpu;
}

search::BackendInfo backend()
{
    search::BackendInfo fake;
    fake.name = "fake";
    for (const model::SwitchInfo& known : model::switchCatalogue())
        fake.switches.push_back(known.name);
    fake.precisions = {"fp32", "bf16"};
    fake.deviceIds = {"cpu"};
    return fake;
}

study::StudyRequest request(const char* artifact, const char* search)
{
    study::StudyRequest r;
    r.model.name = "scripted";
    r.model.source = "fake:scripted";
    r.model.taskType = model::TaskType::classification;
    r.model.contentHash = "0123";
    r.model.artifact = artifact;
    r.space.backends = {"fake"};
    r.space.levels = {model::OptLevel::o0, model::OptLevel::o1, model::OptLevel::o2};
    r.space.precisions = {model::Precision::fp32, model::Precision::bf16};
    r.space.batches = {1, 2, 4, 8};
    r.space.devices = {"cpu"};
    r.space.threads = {1};
    r.space.search = model::searchAlgorithmFromString(search);
    r.budget = base::fromSeconds(r.space.search == model::SearchAlgorithm::racing ? 8 : 600); // a race uses what it has
    r.commandLine = "sweep_host";
    return r;
}

worker::RunLimits limits()
{
    worker::RunLimits l;
    l.warmUpLeast = base::fromMilliseconds(2);
    l.warmUpMost = base::fromMilliseconds(20);
    l.trialLeast = base::fromMilliseconds(20);
    l.trialMost = base::fromMilliseconds(40);
    l.minBlock = base::fromMilliseconds(1);
    l.minTime = {};
    l.minTimeOnGpu = {};
    l.confirmMost = {}; // it would change committed measurements, which the driver compares
    return l;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: sweep_host WORKSPACE ARTIFACT grid|racing\n");
        return 2;
    }
    auto store = store::Store::open(argv[1], store::OpenMode::readWrite);
    if (!store) {
        std::fprintf(stderr, "sweep_host: %s\n", sentences::describe(store.error()).c_str());
        return 1;
    }
    auto installation = worker::Installation::locate();
    const auto launcher = worker::makeLocalLauncher(installation);
    study::StudyRunner runner(*store, *launcher, nullptr, {device()}, {backend()}, {});
    runner.setLimits(limits());

    const auto studies = store->studies();
    if (!studies) {
        std::fprintf(stderr, "sweep_host: %s\n", sentences::describe(studies.error()).c_str());
        return 1;
    }
    const bool open = !studies->empty() && studies->front().state != model::StudyState::finished;
    const auto outcome =
        open ? runner.resume({studies->front().id}, {}, {}) : runner.run(request(argv[2], argv[3]), {}, {});
    if (!outcome)
        std::fprintf(stderr, "sweep_host: %s\n", sentences::describe(outcome.error()).c_str());
    return outcome && *outcome == base::Outcome::done ? 0 : 1;
}
