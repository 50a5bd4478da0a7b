// SPDX-License-Identifier: GPL-3.0-or-later
// apertune-worker --backend NAME --plugins DIR [--torch ROOT] [--preload LIBRARY]... [--device ID]
//                 [--cpus 0,2,4] [--cupti LIBRARY]
//
// apertune-worker --gpus
//
// The second form prints the GPUs that CUDA's driver shows, as a JSON list of devices on one line.
//
// The first one runs the trials of one configuration group with one backend plugin. It exchanges frames on stdin and
// stdout, has no store and decides nothing; core/worker/protocol.md describes it.
#include "app/worker/commands.h"
#include "app/worker/driver_gpus.h"
#include "app/worker/machine_watch.h"
#include "app/worker/plugin_loader.h"
#include "app/worker/process_memory.h"
#include "core/base/text.h"
#include "core/base/write_signals.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "core/worker/protocol.h"
#include "profilers/cupti/cupti_library.h"

#include <nlohmann/json.hpp>
#include <sched.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

using namespace apertune;
using base::Json;

namespace {

constexpr int kExitUsage = 2;
constexpr int kExitFatal = 3;

struct Arguments
{
    std::map<std::string, std::string> options;
    std::vector<std::filesystem::path> preload;
};

Arguments readArguments(int argc, char** argv)
{
    Arguments arguments;
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        const bool known = name == "--backend" || name == "--plugins" || name == "--torch" || name == "--preload" ||
                           name == "--device" || name == "--cpus" || name == "--cupti";
        if (!known || i + 1 >= argc) {
            std::fprintf(stderr, "apertune-worker: %s %s. It is started by apertune and apertune-gui.\n",
                         known ? "no value for" : "unknown option", name.c_str());
            std::exit(kExitUsage);
        }
        if (name == "--preload")
            arguments.preload.emplace_back(argv[i + 1]);
        else
            arguments.options[name] = argv[i + 1];
    }
    return arguments;
}

/// Sets the CPU affinity, before any library starts threads, which inherit it. If the system refuses, it stays
/// unchanged.
void restrictToCpus(const std::string& list)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const std::string& part : base::splitList(list)) {
        unsigned cpu = 0;
        // Processors that the affinity mask cannot hold are left out.
        if (std::from_chars(part.data(), part.data() + part.size(), cpu).ec == std::errc() && cpu < CPU_SETSIZE)
            CPU_SET(cpu, &set);
    }
    // A mask that the system refuses leaves the process where it may run.
    if (CPU_COUNT(&set) > 0 && ::sched_setaffinity(0, sizeof set, &set) != 0)
        std::perror("apertune-worker: CPU affinity");
}

Json timerReport(const worker::TimerCheck& check)
{
    Json report{{"resolution_ns", check.resolution.count},
                {"cost_ns", check.cost.count},
                {"scaling", check.scaling},
                {"cpu_share", check.cpuShare}};
    worker::writeMessage(report, "problem", check.problem);
    return report;
}

[[noreturn]] void endWith(worker::Channel& channel, const base::Error& error)
{
    const char* code = error.code == base::ErrorCode::notFound      ? "not_found"
                       : error.code == base::ErrorCode::unsupported ? "unsupported"
                                                                    : "internal";
    Json fatal{{"t", "fatal"}, {"code", code}, {"hint", sentences::sentence(error.hint)}, {"detail", error.context}};
    worker::writeMessage(fatal, "message", error.message);
    channel.send(fatal);
    worker::endProcess(kExitFatal);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 2 && std::string(argv[1]) == "--gpus") {
        Json gpus = Json::array();
        for (const model::Device& gpu : worker::driverGpus())
            gpus.push_back(model::toJson(gpu));
        std::printf("%s\n", gpus.dump().c_str());
        std::fflush(stdout);
        worker::endProcess(0);
    }
    const auto [options, preload] = readArguments(argc, argv);
    const auto option = [&given = options](const char* name) {
        const auto it = given.find(name);
        return it == given.end() ? std::string() : it->second;
    };
    base::ignoreWriteSignals();
    // The affinity is set before the backend starts its threads, which inherit it.
    if (const std::string cpus = option("--cpus"); !cpus.empty())
        restrictToCpus(cpus);

    // CUPTI is only named here; the recorder loads it when it is asked to.
    profilers::setCuptiLibrary(option("--cupti"));

    worker::Channel channel;
    const auto plugin =
        worker::loadPlugin({option("--backend"), option("--plugins"), option("--torch"), option("--device"), preload});
    if (!plugin)
        endWith(channel, plugin.error());
    worker::Backend backend(**plugin);
    const auto description = backend.describe();
    if (!description)
        endWith(channel, description.error());

    // The memory before any model is what the engine takes for itself.
    const auto resident = worker::residentMemory();
    channel.send({{"t", "hello"},
                  {"proto", worker::kProtocolVersion},
                  {"pid", ::getpid()},
                  {"backend", option("--backend")},
                  {"describe", *description},
                  {"resident", resident ? base::Json(resident->count) : base::Json(nullptr)},
                  {"timers", timerReport(worker::checkTimers())}});
    worker::Commands(channel, backend).serve();
    worker::endProcess(0);
}
