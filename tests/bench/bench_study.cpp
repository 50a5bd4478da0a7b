// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a study of 10,000 trials costs: resuming it (what the runner reads before it measures), reading it for the
// window, filtering and sorting its table, and its trade-off front with groups. Bar: 100 ms each. The rival is the same
// on a tenth of the trials in the same run: a ratio far above ten tells of work that grows faster than the study.
//
//   bench_study [--trials 10000] [--runs 9]

#include "core/base/clock.h"
#include "core/base/temporary_dir.h"
#include "core/search/recommend.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/stats/bootstrap.h"
#include "core/stats/summarize.h"
#include "core/store/store.h"
#include "core/study/study_runner.h"
#include "tests/bench/usage.h"

#ifdef APERTUNE_BENCH_TABLE
#include "widgets/tables/trial_table_model.h"

#include <QCoreApplication>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace apertune;

namespace {

constexpr double kBarMs = 100;

[[noreturn]] void stop(const base::Error& error)
{
    std::fprintf(stderr, "bench_study: %s\n", sentences::describe(error).c_str());
    std::exit(2);
}

template <typename T>
T must(base::Result<T> result)
{
    if (!result)
        stop(result.error());
    return std::move(result).value();
}

void must(const base::Status& status)
{
    if (!status)
        stop(status.error());
}

/// Blocks and passes as a quick measurement leaves them; latency and throughput scatter, so that the front is long.
model::Measurement measured(const model::Config& config, int ordinal)
{
    model::Measurement m;
    const double scatter = 1 + 0.37 * std::fmod(ordinal * 0.6180339887, 1.0);
    const double pass = 4e5 * (3 + std::pow(config.batch, 0.9)) * scatter / (1 + static_cast<int>(config.level));
    for (int block = 0; block < 24; ++block) {
        const double share = 1 + 0.004 * std::sin(block * 2.4 + ordinal);
        m.blocks.push_back({10, {static_cast<std::int64_t>(10 * pass * share)}, {}, {}, 0, {}, 1});
        for (int i = 0; i < 4; ++i)
            m.iterations.push_back({static_cast<std::int64_t>(pass * share) + i * 100});
    }
    stats::summarize(m, config.batch);
    m.warmupIterations = 5;
    m.conditions.wall = {24 * static_cast<std::int64_t>(pass)};
    m.conditions.span = {25 * static_cast<std::int64_t>(pass)};
    m.conditions.processors = 8;
    m.conditions.clockLow = 0.98;
    m.conditions.clockHigh = 1;
    m.memory.processPeak = base::Bytes{(100 + config.batch) << 20};
    m.quality = model::Quality{};
    m.quality->cosine = 1 - 1e-5 * (ordinal % 7);
    for (const auto& [name, on] : config.switches)
        m.applied.push_back({name, on ? model::AppliedState::on : model::AppliedState::off, "read back"});
    return m;
}

/// A workspace with one interrupted study: nine trials in ten are measured, one in fifty pruned, the rest is to do.
model::StudyId fill(store::Store& store, int count)
{
    model::Study study;
    study.model.name = "made-up";
    study.model.artifact = "/nowhere";
    study.model.contentHash = std::string(64, 'a');
    model::Device cpu;
    cpu.id = "cpu";
    cpu.cores = 8;
    study.environment.devices = {cpu};
    study.budget = base::fromSeconds(3600);
    std::vector<model::Trial> trials;
    for (int i = 0; i < count; ++i) {
        model::Trial trial;
        trial.device = "cpu";
        trial.config = model::makeConfig(model::kAllLevels[static_cast<std::size_t>(i % 4)],
                                         i / 4 % 2 ? model::Precision::bf16 : model::Precision::fp32, 1 + i / 8 % 100,
                                         1 + i / 800, model::DeviceType::cpu());
        if (i % 50 == 0) {
            trial.state = model::TrialState::pruned;
            trial.reason = {model::ReasonKind::impossible, base::foreignText("This CPU has no instructions for it.")};
        }
        trials.push_back(std::move(trial));
    }
    must(store.createStudy(study, trials));
    for (int i = 0; i < count * 9 / 10; ++i) {
        model::Trial& trial = trials[static_cast<std::size_t>(i)];
        if (trial.state == model::TrialState::pruned)
            continue;
        must(store.transition(trial, model::TrialState::leased));
        must(store.transition(trial, model::TrialState::running));
        trial.measurement = measured(trial.config, i);
        must(store.transition(trial, model::TrialState::ok));
    }
    return study.id;
}

struct Step
{
    const char* name;
    std::function<void()> work;
};

/// Everything is done with one study; steps use what those before them left.
class Bench
{
public:
    Bench(const std::filesystem::path& file, int count)
        : m_store(must(store::Store::open(file, store::OpenMode::readWrite)))
    {
        m_id = fill(m_store, count);
        // One trial was under way when the program died.
        for (model::Trial& trial : must(m_store.trials(m_id, false)))
            if (trial.state == model::TrialState::queued) {
                must(m_store.transition(trial, model::TrialState::leased));
                break;
            }
    }

    std::vector<Step> steps()
    {
        std::vector<Step> steps{
            {"resume",
             [this] {
                 must(m_store.study(m_id));
                 must(m_store.requeueInterrupted(m_id));
                 must(m_store.trials(m_id));
             }},
            {"read for the window",
             [this] { m_snapshot = std::make_shared<model::StudySnapshot>(must(study::loadStudy(m_store, m_id))); }},
            {"front", [this] { m_front = search::paretoFront(m_snapshot->trials, m_snapshot->study.goal); }},
            {"front in groups", [this] { search::paretoGroups(m_snapshot->trials, m_snapshot->study.goal); }},
        };
#ifdef APERTUNE_BENCH_TABLE
        steps.push_back({"table filled", [this] { m_table.setSnapshot(m_snapshot, {m_front, {}}); }});
        steps.push_back({"filter: a word", [this] { m_table.setFilter(next(QStringLiteral("bf16"))); }});
        steps.push_back({"filter: two words", [this] { m_table.setFilter(next(QStringLiteral("O2 pruned"))); }});
        steps.push_back({"sort: latency", [this] { m_table.sort(tables::columnOf("latency"), turn()); }});
        steps.push_back(
            {"sort: state", [this] { m_table.sort(tables::columnOf(tables::TrialColumn::Kind::state), turn()); }});
#endif
        return steps;
    }

    std::size_t frontSize() const
    {
        return m_front.size();
    }

private:
#ifdef APERTUNE_BENCH_TABLE
    /// A filter that is set already costs nothing.
    QString next(const QString& words)
    {
        return words + (turn() == Qt::AscendingOrder ? QStringLiteral(" ") : QString());
    }
    Qt::SortOrder turn()
    {
        return ++m_turn % 2 ? Qt::AscendingOrder : Qt::DescendingOrder;
    }
    tables::TrialTableModel m_table;
    int m_turn = 0;
#endif
    store::Store m_store;
    model::StudyId m_id{};
    std::shared_ptr<const model::StudySnapshot> m_snapshot;
    std::vector<model::TrialId> m_front;
};

double millisecondsOf(const std::function<void()>& work)
{
    const base::Nanoseconds begin = base::monotonicNow();
    work();
    return (base::monotonicNow() - begin).seconds() * 1e3;
}

} // namespace

int main(int argc, char** argv)
{
    const bench::Usage usage(argc, argv, "bench_study [--trials 10000] [--runs 9]");
    int count = 10'000;
    int runs = 9;
    for (const auto& [name, value] : usage.options())
        if (name == "--trials")
            count = std::clamp(std::atoi(value.c_str()), 100, 20'000);
        else if (name == "--runs")
            runs = std::max(6, std::atoi(value.c_str()));
        else
            usage.refuse(name);
#ifdef APERTUNE_BENCH_TABLE
    QCoreApplication app(argc, argv);
#endif
    const auto folder = must(base::TemporaryDir::create("bench-study"));
    Bench large(folder.path() / "large.apertune", count);
    Bench small(folder.path() / "small.apertune", count / 10);
    const std::vector<Step> steps = large.steps();
    const std::vector<Step> rivals = small.steps();
    std::vector<std::vector<double>> times(steps.size());
    std::vector<std::vector<double>> rivalTimes(steps.size());
    for (int run = 0; run < runs; ++run)
        for (std::size_t s = 0; s < steps.size(); ++s) {
            rivalTimes[s].push_back(millisecondsOf(rivals[s].work));
            times[s].push_back(millisecondsOf(steps[s].work));
        }
    std::printf("%d trials, 24 blocks each; %zu on the front; medians of %d runs, bar %.0f ms\n\n", count,
                large.frontSize(), runs, kBarMs);
    std::printf("%-20s %10s %18s   %s\n", "", "ms", "[95 %]", "of a tenth of the trials");
    int over = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const model::Interval ms = stats::medianInterval(times[s]);
        const model::Interval ratio = stats::ratioOfMedians({times[s]}, {rivalTimes[s]});
        over += ms.value > kBarMs;
        std::printf("%-20s %10.2f [%7.2f, %7.2f]   %5.1fx [%.1f, %.1f]%s\n", steps[s].name, ms.value, ms.lo, ms.hi,
                    ratio.value, ratio.lo, ratio.hi, ms.value > kBarMs ? "  over the bar" : "");
    }
    return over > 0 ? 1 : 0;
}
