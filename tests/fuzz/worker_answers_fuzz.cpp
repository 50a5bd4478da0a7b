// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of a worker, from its hello to the end of a configuration. The input is lines, each the JSON of one message.
// A process in place of the worker sends the lines up to the first empty one, and after each command those up to the
// next empty one.
#include "core/probe/backend_probe.h"
#include "core/study/configuration_run.h"
#include "core/worker/protocol.h"
#include "core/worker/worker_process.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>

namespace apertune::fuzz {

using base::Json;

namespace {

constexpr std::size_t kMostInput = 1 << 14; // so that no pipe is full

std::string frameOf(std::string_view body)
{
    return bytesOf(static_cast<std::uint32_t>(body.size())) + std::string(body);
}

/// The pieces that worker_stub.cpp writes one after another.
std::string piecesOf(std::string_view input)
{
    std::string pieces;
    std::string piece;
    for (Input lines(input.substr(0, kMostInput)); !lines.atEnd();) {
        const std::string_view line = lines.line();
        if (!line.empty()) {
            piece += frameOf(line);
            continue;
        }
        pieces += frameOf(piece);
        piece.clear();
    }
    return pieces + frameOf(piece);
}

class StubLauncher : public worker::Launcher
{
public:
    explicit StubLauncher(std::filesystem::path script) : m_script(std::move(script)) {}
    base::Result<worker::LaunchedWorker> launch(const worker::LaunchRequest&) override
    {
        auto child = base::ChildProcess::start({{APERTUNE_WORKER_STUB, m_script.string()}});
        return child ? base::Result<worker::LaunchedWorker>({std::move(*child)}) : child.error();
    }

private:
    std::filesystem::path m_script;
};

void requireReason(const worker::WorkerError& error)
{
    require(error.reason.kind != model::ReasonKind::none, "a failure has a kind");
    require(!error.sentence().empty(), "a failure has a sentence");
}

void describe(const Json& hello)
{
    const Json description = hello.contains("describe") ? hello["describe"] : Json::object();
    model::Device cpu;
    cpu.id = "cpu";
    static_cast<void>(probe::backendFromDescription("fuzz", description, cpu, {cpu}));
    for (const model::Device& device : probe::devicesFromDescription(description, {}))
        require(model::isDeviceId(device.id), "a described device has an id");
}

worker::RunLimits shortLimits()
{
    worker::RunLimits limits;
    limits.worker.start = base::fromSeconds(5);
    limits.worker.silence = base::fromMilliseconds(30);
    limits.worker.soft = base::fromMilliseconds(10);
    limits.worker.term = base::fromMilliseconds(10);
    return limits;
}

} // namespace

void examine(std::string_view input)
{
    const MemoryFile script(piecesOf(input));
    StubLauncher launcher("/proc/" + std::to_string(::getpid()) + "/fd/" + script.path().filename().string());
    const worker::RunLimits limits = shortLimits();
    model::Device cpu;
    cpu.id = "cpu";
    auto started = worker::WorkerProcess::start(launcher, {"fuzz", cpu, 1}, {}, limits.worker);
    if (!started) {
        requireReason(started.error());
        return;
    }
    worker::WorkerProcess& process = **started;
    describe(process.hello());
    static_cast<void>(process.timerProblem());
    const study::ConfigurationRequest request{
        .artifact = "/nowhere", .taskType = model::TaskType::classification, .device = cpu};
    const auto ran = study::runConfiguration(process, request, {}, limits, {.most = base::fromSeconds(1)}, 0.01, {},
                                             [](const std::string&, const base::Message&) {});
    if (!ran)
        requireReason(ran.error());
}

std::vector<std::string> seeds()
{
    const Json hello{{"t", "hello"},
                     {"proto", worker::kProtocolVersion},
                     {"timers", {{"problem", "The clock ticks every 4 ms."}}},
                     {"describe",
                      {{"version", "1"},
                       {"switches", Json::array({"freeze", {{"name", "streams"}, {"summary", "Several streams."}}})},
                       {"levels", {{"O1", {"streams"}}}},
                       {"precisions", {"fp32"}},
                       {"devices", Json::array({{{"id", "cpu"}}, {{"id", "npu:0"}, {"memory_bytes", 5}}})}}}};
    Json block{{"iterations", 4}, {"wall_ns", 40'000'000}, {"cpu_ns", 39'000'000}};
    const Json answers[] = {
        {{"t", "prepared"}, {"id", 1}, {"load_ns", 5}, {"first_ns", 7}, {"steady", true}, {"iteration_ns", 10'000'000}},
        {{"t", "measured"},
         {"id", 2},
         {"blocks", Json::array({block, block, block, block, block, block})},
         {"iterations_ns", {10'000'000, 10'100'000}},
         {"conditions", {{"wall_ns", 5}}}},
        {{"t", "reported"},
         {"id", 3},
         {"applied", Json::array({{{"switch", "freeze"}, {"state", "on"}}})},
         {"memory", {{"process_peak", 5}}}},
        {{"t", "assessed"},
         {"id", 4},
         {"quality", {{"cosine", 1.0}, {"max_abs", 0.0}, {"max_rel", nullptr}, {"nan_count", 0}}},
         {"notes", {"a note"}}},
        {{"t", "released"}, {"id", 5}},
    };
    std::string conversation = hello.dump() + "\n";
    for (const Json& answer : answers)
        conversation += "\n" + Json{{"t", "progress"}, {"id", 1}, {"phase", "first"}, {"median_ns", 5.0}}.dump() +
                        "\n" + answer.dump() + "\n";
    return {conversation, hello.dump() + "\n\n" + R"({"t":"error","id":1,"code":"oom","message":"No.","hint":"Less."})",
            R"({"t":"fatal","code":"not_found","message":"There is no such backend.","detail":"x"})"};
}

} // namespace apertune::fuzz
