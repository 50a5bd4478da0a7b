// SPDX-License-Identifier: GPL-3.0-or-later
// How many steps stats::findSteps() finds in histories with a known step, and how many where there is none.
//
//   bench_steps [SEED [HISTORIES]]     seeds from 1000000 on are held out: nothing was tuned on them
//
// Each row has HISTORIES histories of n values. `hit`: a step within one value of the planted one. `exact`: at its
// place. `elsewhere`: histories with a step that was not planted there. `newest`: the newest value alone is told.
// `covers`: intervals of hits that hold the planted ratio.
#include "core/stats/change_points.h"
#include "usage.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace apertune;

namespace {

struct Row
{
    bool heavyTails;
    int n;
    double noise;
    double step;
};

void measure(const Row& row, std::uint64_t seed, int histories)
{
    int hits = 0, exact = 0, elsewhere = 0, newest = 0, covers = 0;
    for (int i = 0; i < histories; ++i) {
        std::seed_seq seeds{seed,
                            static_cast<std::uint64_t>(i),
                            static_cast<std::uint64_t>(row.n),
                            static_cast<std::uint64_t>(row.noise * 1000),
                            static_cast<std::uint64_t>(row.step * 1000),
                            static_cast<std::uint64_t>(row.heavyTails)};
        std::mt19937_64 random(seeds);
        std::normal_distribution<double> normal;
        std::student_t_distribution<double> heavy(3);
        std::uniform_real_distribution<double> uniform(0.003, 0.013);
        const int at = 2 + static_cast<int>(random() % static_cast<std::uint64_t>(row.n - 3));
        std::vector<stats::HistoryValue> history;
        for (int k = 0; k < row.n; ++k) {
            const double uncertainty = uniform(random);
            const double noise = row.noise * (row.heavyTails ? heavy(random) / std::sqrt(3.0) : normal(random)) +
                                 uncertainty / 1.96 * normal(random);
            history.push_back({10 * std::exp(noise) * (k >= at ? 1 + row.step : 1), uncertainty});
        }
        const stats::ChangePoints found = stats::findSteps(history, 0);
        bool hit = false, other = false;
        for (const stats::HistoryStep& step : found.steps) {
            const int distance = std::abs(static_cast<int>(step.at) - at);
            if (row.step > 0 && distance <= 1 && step.ratio.value > 1 && !hit) {
                hit = true;
                exact += distance == 0;
                covers += step.ratio.lo <= 1 + row.step && 1 + row.step <= step.ratio.hi;
            } else {
                other = true;
            }
        }
        hits += hit;
        elsewhere += other;
        newest += found.newest.has_value();
    }
    const auto percent = [](int part, int all) { return all > 0 ? 100.0 * part / all : 0; };
    std::printf("%-6s %3d %5.0f %% %4.0f %% %6.1f %% %6.1f %% %8.1f %% %6.1f %% %6.1f %%\n",
                row.heavyTails ? "heavy" : "normal", row.n, row.noise * 100, row.step * 100, percent(hits, histories),
                percent(exact, histories), percent(elsewhere, histories), percent(newest, histories),
                percent(covers, hits));
}

} // namespace

int main(int argc, char** argv)
{
    const bench::Usage usage(argc, argv, "bench_steps [SEED [HISTORIES]]");
    const std::vector<std::string>& words = usage.words();
    const std::uint64_t seed = !words.empty() ? std::strtoull(words[0].c_str(), nullptr, 10) : 1;
    const int histories = words.size() > 1 ? std::atoi(words[1].c_str()) : 300;
    std::printf("tails    n   noise   step      hit    exact elsewhere   newest   covers\n");
    for (const bool heavy : {false, true})
        for (const int n : {6, 10, 20, 40})
            for (const double noise : {0.01, 0.03, 0.10})
                for (const double step : {0.0, 0.03, 0.10, 0.30})
                    measure({heavy, n, noise, step}, seed, histories);
}
