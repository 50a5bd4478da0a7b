// SPDX-License-Identifier: GPL-3.0-or-later
//
// What measured numbers are worth, through the real protocol: fresh workers, blocks, discards, turns, verdicts. The
// scripted backend stands for the model, so that what is true is known.
//
//   contention  trials of a model that works (a loop of fixed length), with and without a spinning process on its
//               processor: the share that is flagged "contended". Bars: 99 % and more, 1 % and less.
//   verdicts    comparisons of a configuration with itself and with one that takes 3 % longer, service times with noise
//   of
//               passes, of slow wandering and of processes: shares called different, found, and of the wrong sign, by
//               as many fresh processes a side as a confirmation has, and by the first of them alone. The noise floor
//               is measured first. Bars for confirmations: 1 % and less, 95 % and more, none.
//   repeat      pairs of a trial and the same trial again: share of medians within 1 % where neither says that it was
//               contended, or that the processor's clock was another, and share of ratios to the sentinel within 2 % of
//               all, with and without a spinning process beside it. Bar: 95 %; contended runs say so. Without the
//               spinner as many of these undisturbed pairs are taken as trials are asked for, of at most kMostPairs
//               times as many: a processor whose clock steps leaves few.
//
//   bench_noise [--part contention|verdicts|repeat|all] [--trials 20] [--with both|spinner|quiet]
//
// Quiet halves mean something on a quiet machine only: the rest of the machine's load while they ran is printed.

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/probe/device_probe.h"
#include "core/runs/remeasure.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/stats/summarize.h"
#include "core/study/noise_run.h"
#include "core/worker/local_launcher.h"
#include "tests/bench/usage.h"

#include <nlohmann/json.hpp>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace apertune;
using base::Json;
using study::LoadedConfiguration;

namespace {

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "bench_noise: %s\n", why.c_str());
    std::exit(2);
}

/// P(Binomial(n, p) ≤ k).
double below(int k, int n, double p)
{
    double sum = 0;
    for (int i = 0; i <= k; ++i)
        sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) +
                        (n - i) * std::log1p(-p));
    return sum;
}

/// The p at which `f`, falling in p, crosses `level`.
template <typename F>
double crossing(F f, double level)
{
    double low = 1e-9;
    double high = 1 - 1e-9;
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (f(middle) > level ? low : high) = middle;
    }
    return low;
}

/// "3 of 200, 1.50 % [0.31, 4.32]": Clopper and Pearson's (1934) 95 % interval.
std::string shareText(int k, int n)
{
    const double lo = k == 0 ? 0 : crossing([&](double p) { return below(k - 1, n, p); }, 0.975);
    const double hi = k == n ? 1 : crossing([&](double p) { return below(k, n, p); }, 0.025);
    char text[96];
    std::snprintf(text, sizeof text, "%d of %d, %.2f %% [%.2f, %.2f]", k, n, 100.0 * k / std::max(1, n), 100 * lo,
                  100 * hi);
    return text;
}

/// The processors that children of this process are started on.
class Pinned
{
public:
    explicit Pinned(int cpu)
    {
        ::sched_getaffinity(0, sizeof m_before, &m_before);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        ::sched_setaffinity(0, sizeof one, &one);
    }
    ~Pinned() { ::sched_setaffinity(0, sizeof m_before, &m_before); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

private:
    cpu_set_t m_before;
};

int firstCpu()
{
    cpu_set_t set;
    ::sched_getaffinity(0, sizeof set, &set);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &set))
        ++cpu;
    return cpu;
}

/// A process that does nothing but use the processor.
class Spinner
{
public:
    explicit Spinner(int cpu)
    {
        const Pinned pinned(cpu);
        auto child = base::ChildProcess::start({{"/bin/sh", "-c", "while :; do :; done"}, {}, {}});
        if (!child)
            stop(sentences::describe(child.error()));
        m_child.emplace(std::move(*child));
    }

private:
    std::optional<base::ChildProcess> m_child; ///< ended with this object
};

/// Scripted models and what runs them.
struct Bench
{
    base::TemporaryDir folder = std::move(base::TemporaryDir::create("bench")).value();
    worker::Installation installation = worker::Installation::locate();
    std::unique_ptr<worker::Launcher> launcher = worker::makeLocalLauncher(installation);
    std::vector<model::Device> devices{probe::probeDevices().front()};
    worker::RunLimits limits{};
    int cpu = firstCpu();

    Bench()
    {
        devices.front().id = "cpu";
        limits.warmUpLeast = base::fromMilliseconds(10);
        limits.warmUpMost = base::fromMilliseconds(200);
    }

    std::filesystem::path model(const std::string& name, const Json& script) const
    {
        const auto path = folder.path() / name;
        std::filesystem::create_directories(path);
        if (!base::writeFileAtomically(path / "fake.json", script.dump()))
            stop("the script cannot be written");
        return path;
    }

    study::ConfigurationRequest configuration(const std::filesystem::path& artifact,
                                              model::OptLevel level = model::OptLevel::o0) const
    {
        model::Config config = model::makeConfig(level, model::Precision::fp32, 1, 1, model::DeviceType::cpu());
        config.backend = "fake";
        return {artifact, model::TaskType::classification, config, devices.front(), {}, {}};
    }

    /// A worker on the bench's processor, or anywhere.
    LoadedConfiguration open(const study::ConfigurationRequest& request, bool pinned) const
    {
        std::optional<Pinned> here;
        if (pinned)
            here.emplace(cpu);
        auto opened = study::openConfiguration(*launcher, request, limits, {});
        if (!opened)
            stop(opened.error().sentence());
        return std::move(*opened);
    }
};

bool hasFlag(const model::Measurement& m, model::TrialFlag flag)
{
    return std::find(m.flags.begin(), m.flags.end(), flag) != m.flags.end();
}

bool isContended(const model::Measurement& m)
{
    return hasFlag(m, model::TrialFlag::contended);
}

struct Load
{
    double others = 0, span = 0;
    void add(const model::Conditions& c)
    {
        others += static_cast<double>(c.others.count);
        span += static_cast<double>(c.span.count);
    }
    std::string text() const
    {
        return "other processes had " + base::formatSignificant(span > 0 ? others / span : 0, 2) + " processors";
    }
};

/// A trial of a quarter of a second: fresh worker, warm-up, blocks.
model::Measurement shortTrial(const Bench& bench, const study::ConfigurationRequest& request)
{
    LoadedConfiguration live = bench.open(request, true);
    const study::BlockRequest blocks{12, 12, {}, base::fromSeconds(2), 0, 0};
    auto reply = study::measureConfiguration(*live.worker, blocks, bench.limits, {}, {});
    if (!reply)
        stop(reply.error().sentence());
    auto& taken = *reply;
    model::Measurement m;
    m.blocks = std::move(taken.blocks);
    m.conditions = taken.conditions;
    stats::summarize(m, 1);
    return m;
}

void contention(const Bench& bench, int trials, bool withSpinner)
{
    const auto request =
        bench.configuration(bench.model("worker", {{"latency_ms", 1}, {"wait", "work"}, {"noise", 0.005}}));
    std::optional<Spinner> spinner;
    if (withSpinner)
        spinner.emplace(bench.cpu);
    int flagged = 0;
    int discarded = 0;
    Load load;
    for (int i = 0; i < trials; ++i) {
        const model::Measurement m = shortTrial(bench, request);
        flagged += isContended(m);
        discarded += static_cast<int>(m.conditions.discarded);
        load.add(m.conditions);
    }
    std::printf("contention  %-13s flagged %s; %.1f blocks of 12 measured again a trial; %s\n",
                withSpinner ? "with spinner" : "quiet", shareText(flagged, trials).c_str(),
                static_cast<double>(discarded) / trials, load.text().c_str());
}

/// Two configurations as a confirmation compares them: in several fresh processes each, which take turns; and what the
/// first of these says alone.
struct Compared
{
    stats::Verdict all;
    stats::Verdict one;
};

constexpr int kRounds = 12;

Compared compared(const Bench& bench, const study::ConfigurationRequest& a, const study::ConfigurationRequest& b,
                  double floor)
{
    std::array<model::Trial, 2> trials;
    for (std::size_t side = 0; side < trials.size(); ++side) {
        trials[side].id = {static_cast<std::int64_t>(side) + 1};
        trials[side].measurement.confirmation = 1;
    }
    stats::CompareOptions options;
    options.noiseFloor = floor;
    const auto verdict = [&] { return stats::effectBetween({trials[0]}, {trials[1]}, true, options)->verdict; };
    stats::Verdict one{};
    for (int process = 1; process <= bench.limits.confirmProcesses; ++process) {
        std::array configurations{bench.open(a, false), bench.open(b, false)};
        const std::array interleaved{&configurations[0], &configurations[1]};
        for (int round = 0; round < kRounds; ++round)
            if (const auto status =
                    study::measureRound(interleaved, static_cast<std::size_t>(process + round), bench.limits, {});
                !status)
                stop(status.error().sentence());
        for (std::size_t side = 0; side < trials.size(); ++side)
            for (model::Block block : configurations[side].taken.blocks) {
                block.process = process;
                trials[side].measurement.blocks.push_back(block);
            }
        if (process == 1)
            one = verdict();
    }
    return {verdict(), one};
}

/// The verdicts of comparisons, counted.
struct Tally
{
    int different = 0;
    int found = 0;
    int wrong = 0;

    static bool isNamed(stats::Verdict verdict)
    {
        return verdict == stats::Verdict::faster || verdict == stats::Verdict::slower;
    }
    void addSame(stats::Verdict verdict) { different += isNamed(verdict); }
    void addPlanted(stats::Verdict verdict, stats::Verdict right)
    {
        found += verdict == right;
        wrong += verdict != right && isNamed(verdict);
    }
    void print(int processes, int trials) const
    {
        std::printf("verdicts    %d process%s a side: identical code called different %s\n"
                    "verdicts      planted 3 %% found %s, wrong sign %s\n",
                    processes, processes == 1 ? "" : "es", shareText(different, trials).c_str(),
                    shareText(found, trials).c_str(), shareText(wrong, trials).c_str());
    }
};

void verdicts(Bench& bench, int trials)
{
    const worker::RunLimits before = bench.limits;
    bench.limits.minBlock = base::fromMilliseconds(1);
    bench.limits.warmUpLeast = base::fromMilliseconds(1);
    const auto script = [](double ms) {
        return Json{{"latency_ms", ms},       {"wait", "spin"},      {"noise", 0.02},
                    {"process_noise", 0.003}, {"slow_noise", 0.005}, {"load_ms", 0}};
    };
    const auto same = bench.configuration(bench.model("same", script(0.1)));
    const auto slower = bench.configuration(bench.model("slower", script(0.103)));
    study::NoisePlan plan;
    plan.blocks = kRounds;
    const auto measured = study::measureNoise(*bench.launcher, same, plan, bench.limits, {}, {});
    if (!measured)
        stop("the noise floor could not be measured");
    const stats::NoiseFloor floor = stats::noiseFloor(*measured);
    std::printf("verdicts    noise floor %.2f %% of %zu comparisons of a process with another\n", floor.effect * 100,
                floor.comparisons);
    Tally all;
    Tally one;
    for (int i = 0; i < trials; ++i) {
        const Compared aa = compared(bench, same, same, floor.effect);
        all.addSame(aa.all);
        one.addSame(aa.one);
        const bool swapped = i % 2 == 1;
        const Compared ab = compared(bench, swapped ? slower : same, swapped ? same : slower, floor.effect);
        const auto right = swapped ? stats::Verdict::faster : stats::Verdict::slower;
        all.addPlanted(ab.all, right);
        one.addPlanted(ab.one, right);
    }
    all.print(bench.limits.confirmProcesses, trials);
    one.print(1, trials);
    bench.limits = before;
}

/// A study of two finished trials of the scripted model, whose stored samples nobody looks at.
model::StudySnapshot madeUpStudy(const Bench& bench)
{
    model::StudySnapshot snapshot;
    snapshot.study.model.name = "scripted";
    snapshot.study.model.taskType = model::TaskType::classification;
    snapshot.study.model.artifact =
        bench.model("repeat", {{"latency_ms", 1}, {"wait", "work"}, {"noise", 0.005}, {"levels", {{"O1", 0.6}}}});
    snapshot.study.target = 0.005;
    snapshot.study.environment.devices = bench.devices;
    std::int64_t id = 0;
    for (const auto level : {model::OptLevel::o0, model::OptLevel::o1}) {
        model::Trial trial;
        trial.id = {++id};
        trial.state = model::TrialState::ok;
        trial.device = "cpu";
        trial.config = bench.configuration({}, level).config;
        trial.measurement.blocks.push_back({1, {1'000'000}, {}, {}, 0});
        snapshot.trials.push_back(trial);
    }
    return snapshot;
}

constexpr int kMostPairs = 5;

void repeat(Bench& bench, int wanted, bool withSpinner)
{
    const worker::RunLimits before = bench.limits;
    bench.limits.trialMost = base::fromSeconds(3);
    bench.limits.maxBlocks = 48;
    model::StudySnapshot study = madeUpStudy(bench);
    std::optional<Spinner> spinner;
    if (withSpinner)
        spinner.emplace(bench.cpu);
    int near = 0;
    int otherClock = 0;
    int nearRatio = 0;
    int contended = 0;
    std::vector<double> errors;
    Load load;
    int pairs = 0;
    while (withSpinner ? pairs < wanted : static_cast<int>(errors.size()) < wanted && pairs < kMostPairs * wanted) {
        ++pairs;
        std::array<runs::Remeasured, 2> runs;
        for (runs::Remeasured& run : runs) {
            const Pinned pinned(bench.cpu);
            auto result = runs::remeasureTrial({*bench.launcher, nullptr, bench.devices, bench.limits}, study,
                                               study.trials[1], {}, {});
            if (!result)
                stop(sentences::describe(result.error()));
            run = std::move(*result);
            study.trials[1].measurement = run.now; // the finished trial that the next one repeats
            contended += isContended(run.now);
            load.add(run.now.conditions);
        }
        const auto any = [&](model::TrialFlag flag) {
            return hasFlag(runs[0].now, flag) || hasFlag(runs[1].now, flag);
        };
        nearRatio += std::abs(std::log(runs[0].toReference->value / runs[1].toReference->value)) <= std::log(1.02);
        if (any(model::TrialFlag::contended))
            continue;
        if (any(model::TrialFlag::throttled) || std::abs(*runs[1].clock - 1) > 0.01) {
            ++otherClock;
            continue;
        }
        errors.push_back(std::abs(runs[0].now.latencyNs.value / runs[1].now.latencyNs.value - 1));
        near += errors.back() <= 0.01;
    }
    std::printf("repeat      %-13s %s\n", withSpinner ? "with spinner" : "quiet", load.text().c_str());
    std::printf("repeat        runs that say they were contended %s\n", shareText(contended, 2 * pairs).c_str());
    std::printf("repeat        pairs of which one says that the clock was another %s\n",
                shareText(otherClock, pairs).c_str());
    std::printf("repeat        ratio to the sentinel within 2 %% in %s pairs\n", shareText(nearRatio, pairs).c_str());
    if (!errors.empty())
        std::printf("repeat        undisturbed: median within 1 %% in %s pairs, median error %.2f %%\n",
                    shareText(near, static_cast<int>(errors.size())).c_str(), 100 * stats::median(errors));
    bench.limits = before;
}

} // namespace

int main(int argc, char** argv)
{
    const bench::Usage usage(argc, argv,
                             "bench_noise [--part contention|verdicts|repeat|all] [--trials 20] "
                             "[--with both|spinner|quiet]");
    std::string part = "all";
    std::string with = "both";
    int trials = 20;
    for (const auto& [name, value] : usage.options())
        if (name == "--part")
            part = value;
        else if (name == "--trials")
            trials = std::max(1, std::atoi(value.c_str()));
        else if (name == "--with")
            with = value;
        else
            usage.refuse(name);
    Bench bench;
    const auto runs = [&](const char* name) { return part == "all" || part == name; };
    for (const bool spinner : {false, true}) {
        if ((spinner && with == "quiet") || (!spinner && with == "spinner"))
            continue;
        if (runs("contention"))
            contention(bench, trials, spinner);
        if (runs("repeat"))
            repeat(bench, trials, spinner);
        std::fflush(stdout);
    }
    if (runs("verdicts"))
        verdicts(bench, trials);
    return 0;
}
