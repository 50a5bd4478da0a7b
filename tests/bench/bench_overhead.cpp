// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the harness costs: the time of one forward pass as apertune-worker measures it, against a bare LibTorch loop
// over the same model with the same settings in a process of its own. Both processes are alive at once and measure in
// turn (A B, B A, …), so that drift of the machine cancels in the paired ratio; several pairs of fresh processes
// average out what differs from process to process. Prints the ratio harness/bare with its interval. Bar: ≤ 1.01.
//
//   bench_overhead [--pairs 5] [--rounds 16] [--models torchvision:resnet50,torchvision:mobilenet_v3_large]

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/engine/device_probe.h"
#include "core/engine/workbench.h"
#include "core/model/json_codec.h"
#include "core/stats/block_stats.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace apertune;
using base::Json;

namespace {

constexpr auto kBlock = base::fromMilliseconds(250);

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "bench_overhead: %s\n", why.c_str());
    std::exit(2);
}

/// The rival: reads an iteration count a line, answers with the nanoseconds that they took.
class BareLoop
{
public:
    BareLoop(const model::ModelRef& model, int threads)
    {
        const auto program = base::installPrefix() / "bench" / "bare_loop";
        const std::string count = std::to_string(threads);
        auto child = base::ChildProcess::start(
            {{program.string(), model.artifact.string(), "1", "0", "--threads", count, "--switches",
              "jit_optimize,freeze,optimize_for_inference"},
             {{"OMP_NUM_THREADS", count}, {"MKL_NUM_THREADS", count}, {"LD_LIBRARY_PATH", std::nullopt}},
             {}});
        if (!child)
            stop(base::describe(child.error()));
        m_child.emplace(std::move(*child));
        m_answers = ::fdopen(::dup(m_child->stdoutFd()), "r");
        // The pipe is non-blocking for the supervisor's sake; a benchmark simply waits.
        ::fcntl(m_child->stdoutFd(), F_SETFL, 0);
    }
    ~BareLoop() { std::fclose(m_answers); }
    BareLoop(const BareLoop&) = delete;
    BareLoop& operator=(const BareLoop&) = delete;

    double nsPerIteration(int iterations)
    {
        const std::string line = std::to_string(iterations) + "\n";
        if (::write(m_child->stdinFd(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            stop("the bare loop died");
        long long ns = 0;
        if (std::fscanf(m_answers, "%lld", &ns) != 1)
            stop("the bare loop gave no answer");
        return static_cast<double>(ns) / iterations;
    }

private:
    std::optional<base::ChildProcess> m_child;
    std::FILE* m_answers = nullptr;
};

/// The harness: one prepared session of a worker.
class Harness
{
public:
    Harness(engine::Launcher& launcher, const model::ModelRef& model, const model::Device& device, int threads)
    {
        auto started = engine::WorkerProcess::start(launcher, "libtorch", device, threads, {});
        if (auto* failure = std::get_if<engine::WorkerProcess::Failure>(&started))
            stop(failure->reason.text);
        m_worker = std::move(std::get<0>(started));
        const auto config = model::makeConfig(model::OptLevel::o1, model::Precision::fp32, 1, threads, device.kind);
        call({{"t", "prepare"},
              {"session", 1},
              {"request",
               {{"artifact", model.artifact.string()},
                {"device", device.id},
                {"config", model::toJson(config)},
                {"package", nullptr},
                {"inputs", 4}}}});
    }

    double nsPerIteration(int& iterations)
    {
        const Json measured = call({{"t", "measure"},
                                    {"session", 1},
                                    {"min_block_ns", kBlock.count},
                                    {"min_blocks", 1},
                                    {"blocks", 1},
                                    {"min_ns", 0},
                                    {"max_ns", 10 * kBlock.count},
                                    {"target", 0.0}});
        const auto block = model::blockFromJson(measured.at("blocks").at(0));
        if (!block)
            stop(block.error().message);
        iterations = static_cast<int>(block->iterations);
        return block->nsPerIteration();
    }

private:
    Json call(Json command)
    {
        auto reply = m_worker->call(std::move(command), base::fromSeconds(120), {});
        if (auto* failure = std::get_if<engine::WorkerProcess::Failure>(&reply))
            stop(failure->reason.text);
        return std::get<Json>(reply);
    }
    std::unique_ptr<engine::WorkerProcess> m_worker;
};

void compare(engine::Workbench& bench, const std::string& source, int pairs, int rounds)
{
    auto model = bench.models().resolve(source, {}, {});
    if (!model)
        stop(base::describe(model.error()));
    const model::Device& cpu = bench.devices().front();
    auto launcher = engine::makeLocalLauncher(bench.installation());

    std::vector<double> ratios;
    std::vector<double> harnessNs;
    std::vector<double> bareNs;
    for (int pair = 0; pair < pairs; ++pair) {
        Harness harness(*launcher, *model, cpu, cpu.cores);
        BareLoop bare(*model, cpu.cores);
        int iterations = 1;
        harness.nsPerIteration(iterations);
        bare.nsPerIteration(iterations);
        for (int round = 0; round < rounds; ++round) {
            double a = 0;
            double b = 0;
            if (round % 2 == 0) {
                a = harness.nsPerIteration(iterations);
                b = bare.nsPerIteration(iterations);
            } else {
                b = bare.nsPerIteration(iterations);
                a = harness.nsPerIteration(iterations);
            }
            harnessNs.push_back(a);
            bareNs.push_back(b);
            ratios.push_back(a / b);
        }
    }
    const auto ratio = stats::medianInterval(ratios);
    std::printf("%-34s harness %8.3f ms  bare %8.3f ms  ratio %.4f [%.4f, %.4f]  (%zu pairs of blocks, %d pairs of "
                "processes)\n",
                source.c_str(), stats::median(harnessNs) * 1e-6, stats::median(bareNs) * 1e-6, ratio.value, ratio.lo,
                ratio.hi, ratios.size(), pairs);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    int pairs = 5;
    int rounds = 16;
    std::string models = "torchvision:resnet50,torchvision:mobilenet_v3_large";
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!std::strcmp(argv[i], "--pairs"))
            pairs = std::atoi(argv[i + 1]);
        else if (!std::strcmp(argv[i], "--rounds"))
            rounds = std::atoi(argv[i + 1]);
        else if (!std::strcmp(argv[i], "--models"))
            models = argv[i + 1];
        else
            stop(std::string("unknown option ") + argv[i]);
    }
    const auto folder = base::TemporaryDir::create("apertune-bench");
    if (!folder)
        stop(base::describe(folder.error()));
    ::setenv("XDG_DATA_HOME", folder->path().c_str(), 1);
    auto bench = engine::Workbench::open(folder->path() / "bench.apertune");
    if (!bench)
        stop(base::describe(bench.error()));
    std::puts("O1 fp32 batch 1 on the CPU; ratio = harness / bare loop, paired blocks of 250 ms, 95 % interval of the "
              "median");
    for (const std::string& source : base::splitList(models))
        compare(**bench, source, pairs, rounds);
    return 0;
}
