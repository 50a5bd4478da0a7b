// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the harness costs: the time of one forward pass as apertune-worker measures it, against a bare LibTorch loop
// over the same model with the same settings in a process of its own. Both processes are alive at once and measure in
// turn (A B, B A, …), so that drift of the machine cancels in the paired ratio. Two runs of the very same program
// differ by some percent for as long as they live (where their memory came to lie), so a pair of fresh processes is
// one sample, they take turns at starting first, and ratio and interval are those of Apertune's own paired comparison
// (core/stats/compare.h) over the pairs. With --control 1 the bare loop is also measured against itself: what the
// method finds where there is nothing. Bar: ≤ 1.01.
//
//   bench_overhead [--pairs 24] [--rounds 6] [--control 0]
//                  [--models torchvision:resnet50,torchvision:mobilenet_v3_large]

#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"
#include "core/worker/installation.h"
#include "core/worker/local_launcher.h"
#include "tests/bench/usage.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>

using namespace apertune;
using base::Json;

namespace {

constexpr auto kBlock = base::fromMilliseconds(250);
constexpr int kFirstPasses = 5; ///< passes of the bare loop that tell how many make a block

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "bench_overhead: %s\n", why.c_str());
    std::exit(2);
}

/// One of the two processes that are compared.
class Side
{
public:
    virtual ~Side() = default;
    /// Times passes. May take another number of them than asked, and says so.
    virtual double nsPerIteration(int& iterations) = 0;
};

/// The rival: reads an iteration count a line, answers with the nanoseconds that they took.
class BareLoop final : public Side
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
            stop(sentences::describe(child.error()));
        m_child.emplace(std::move(*child));
        m_answers = ::fdopen(::dup(m_child->stdoutFd()), "r");
        // The pipe is non-blocking for the supervisor's sake; a benchmark simply waits.
        ::fcntl(m_child->stdoutFd(), F_SETFL, 0);
    }
    ~BareLoop() override { std::fclose(m_answers); }
    BareLoop(const BareLoop&) = delete;
    BareLoop& operator=(const BareLoop&) = delete;

    double nsPerIteration(int& iterations) override
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
class Harness final : public Side
{
public:
    Harness(worker::Launcher& launcher, const model::ModelRef& model, const model::Device& device, int threads)
    {
        auto started = worker::WorkerProcess::start(launcher, {"libtorch", device, threads, {model.artifact}}, {});
        if (!started)
            stop(started.error().sentence());
        m_worker = std::move(*started);
        const auto config = model::makeConfig(model::OptLevel::o1, model::Precision::fp32, 1, threads, device.type);
        call({{"t", "prepare"},
              {"session", 1},
              {"request",
               {{"artifact", model.artifact.string()},
                {"device", device.id},
                {"config", model::toJson(config)},
                {"package", nullptr},
                {"inputs", 4}}}});
    }

    double nsPerIteration(int& iterations) override
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
            stop(sentences::sentence(block.error().message));
        iterations = static_cast<int>(block->iterations);
        return block->nsPerIteration();
    }

private:
    Json call(Json command)
    {
        auto reply = m_worker->call(std::move(command), base::fromSeconds(120), {});
        if (!reply)
            stop(reply.error().sentence());
        return *reply;
    }
    std::unique_ptr<worker::WorkerProcess> m_worker;
};

using MakeSide = std::function<std::unique_ptr<Side>()>;

/// Measures `pairs` pairs of fresh processes and prints the ratio first/second.
void compare(const std::string& label, int pairs, int rounds, const MakeSide& makeFirst, const MakeSide& makeSecond)
{
    std::vector<double> ratios;
    std::vector<double> firstNs;
    std::vector<double> secondNs;
    for (int pair = 0; pair < pairs; ++pair) {
        std::unique_ptr<Side> first;
        std::unique_ptr<Side> second;
        if (pair % 2 == 0)
            first = makeFirst();
        second = makeSecond();
        if (!first)
            first = makeFirst();
        int iterations = kFirstPasses;
        iterations = std::max(1, static_cast<int>(kBlock.count / second->nsPerIteration(iterations)));
        first->nsPerIteration(iterations);
        std::vector<double> own;
        for (int round = 0; round < rounds; ++round) {
            double a = 0;
            double b = 0;
            if (round % 2 == 0)
                a = first->nsPerIteration(iterations);
            b = second->nsPerIteration(iterations);
            if (round % 2 != 0)
                a = first->nsPerIteration(iterations);
            firstNs.push_back(a);
            secondNs.push_back(b);
            own.push_back(a / b);
        }
        ratios.push_back(stats::median(own));
        std::fprintf(stderr, "\r%s: pair %d of %d, median so far %.4f ", label.c_str(), pair + 1, pairs,
                     stats::median(ratios));
    }
    std::fputc('\n', stderr);
    const std::vector<double> ones(ratios.size(), 1.0);
    const std::span<const double> measured(ratios);
    const std::span<const double> equal(ones);
    stats::CompareOptions options;
    options.pairing = stats::Pairing::paired;
    const model::Interval ratio = stats::compare({measured}, {equal}, options).ratio;
    std::printf("%-44s %8.3f ms  against %8.3f ms  ratio %.4f [%.4f, %.4f]  (%d pairs of processes, %d rounds each)\n",
                label.c_str(), stats::median(firstNs) * 1e-6, stats::median(secondNs) * 1e-6, ratio.value, ratio.lo,
                ratio.hi, pairs, rounds);
    std::fflush(stdout);
}

void compareModel(engine::Workbench& bench, const std::string& source, int pairs, int rounds, bool control)
{
    auto model = bench.models().resolve(source, {}, {});
    if (!model)
        stop(sentences::describe(model.error()));
    const model::Device& cpu = bench.devices().front();
    auto launcher = worker::makeLocalLauncher(worker::Installation::locate());
    const MakeSide harness = [&] { return std::make_unique<Harness>(*launcher, *model, cpu, cpu.cores); };
    const MakeSide bare = [&] { return std::make_unique<BareLoop>(*model, cpu.cores); };
    compare(source + " harness/bare", pairs, rounds, harness, bare);
    if (control)
        compare(source + " bare/bare", pairs, rounds, bare, bare);
}

} // namespace

int main(int argc, char** argv)
{
    const bench::Usage usage(argc, argv,
                             "bench_overhead [--pairs 24] [--rounds 6] [--control 0]\n"
                             "                      [--models torchvision:resnet50,torchvision:mobilenet_v3_large]");
    int pairs = 24;
    int rounds = 6;
    bool control = false;
    std::string models = "torchvision:resnet50,torchvision:mobilenet_v3_large";
    for (const auto& [name, value] : usage.options())
        if (name == "--pairs")
            pairs = std::atoi(value.c_str());
        else if (name == "--rounds")
            rounds = std::atoi(value.c_str());
        else if (name == "--control")
            control = std::atoi(value.c_str()) != 0;
        else if (name == "--models")
            models = value;
        else
            usage.refuse(name);
    const auto folder = base::TemporaryDir::create("bench");
    if (!folder)
        stop(sentences::describe(folder.error()));
    ::setenv("XDG_DATA_HOME", folder->path().c_str(), 1);
    auto bench = engine::Workbench::open(folder->path() / "bench.apertune");
    if (!bench)
        stop(sentences::describe(bench.error()));
    std::puts("O1 fp32 batch 1 on the CPU, paired blocks of 250 ms; ratio over pairs of processes (Hodges-Lehmann), 95 "
              "% interval");
    for (const std::string& source : base::splitList(models))
        compareModel(**bench, source, pairs, rounds, control);
    return 0;
}
