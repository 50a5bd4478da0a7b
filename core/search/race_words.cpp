// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/race_words.h"

#include "core/base/text.h"
#include "core/search/notebook.h"

#include <algorithm>

namespace apertune::search {

namespace {

/// What the cell's best block made of the objective.
std::string figure(const Notebook& notes, std::size_t cell)
{
    const double cost = notes.optimisticCost(cell);
    switch (notes.task().goal.objective) {
    case model::Objective::latency:
        return base::formatDuration({static_cast<std::int64_t>(cost)});
    case model::Objective::memory:
        return base::formatBytes({static_cast<std::int64_t>(cost)});
    case model::Objective::throughput:
        break;
    }
    return base::formatSignificant(1e9 / cost, 4) + " samples/s";
}

std::string withBatch(const Notebook& notes, std::size_t cell)
{
    return figure(notes, cell) + " with batch " + std::to_string(notes.task().cells[cell].batch);
}

} // namespace

std::string whyFalling(const Notebook& notes, const std::vector<std::size_t>& seen,
                       const std::vector<std::size_t>& family)
{
    const std::size_t best = *std::min_element(family.begin(), family.end(), [&](std::size_t a, std::size_t b) {
        return notes.optimisticCost(a) < notes.optimisticCost(b);
    });
    return "It went on getting worse: " + withBatch(notes, best) + ", " + withBatch(notes, seen[seen.size() - 2]) +
           ", " + withBatch(notes, seen.back()) + ".";
}

std::string whyHopeless(const Notebook& notes, const std::vector<std::size_t>& seen, std::size_t leader)
{
    const SearchTask& task = notes.task();
    const std::string made = seen.size() == 1 ? "Its most promising batch made " + figure(notes, seen[0])
                                              : "Its two most promising batches made " + figure(notes, seen[0]) +
                                                    " and " + figure(notes, seen[1]);
    return made + "; " + task.families[task.cells[leader].family].label + " makes " + withBatch(notes, leader) + ".";
}

} // namespace apertune::search
