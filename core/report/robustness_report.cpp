// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/robustness_report.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/model/configuration_names.h"
#include "core/stats/block_stats.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::report {

namespace {

/// One configuration in words.
struct Line
{
    std::string name;
    std::string trial; ///< empty where the configuration is no trial of the study
    std::string alone; ///< milliseconds
    std::string beside;
    std::string slowdown;

    std::string wholeName() const { return trial.empty() ? name : name + " (trial " + trial + ")"; }
};

std::string milliseconds(const model::Interval& time)
{
    return base::formatSignificant(time.value * base::kMsPerNs);
}

std::vector<Line> linesOf(const model::Robustness& robustness, const model::StudySnapshot& snapshot)
{
    // Some configurations differ from the study's trials in their threads alone.
    std::vector<model::Trial> trials = snapshot.trials;
    const model::Trial* const best = snapshot.leadingTrial();
    const std::size_t first = trials.size();
    for (const model::Robustness::Row& row : robustness.rows) {
        model::Trial& trial = trials.emplace_back();
        trial.device = best ? best->device : trials.front().device;
        trial.config = row.config;
    }
    const model::ConfigurationNames names(trials);
    std::vector<Line> lines;
    for (std::size_t i = 0; i < robustness.rows.size(); ++i) {
        const model::Robustness::Row& row = robustness.rows[i];
        lines.push_back({names.of(trials[first + i]), row.trial ? text::toText(row.trial) : std::string(),
                         milliseconds(row.alone), milliseconds(row.beside), text::formatRatio(row.slowdown)});
    }
    return lines;
}

std::string competingText(const model::Robustness& robustness)
{
    return "A program that computes all the time on " + base::counted(robustness.competingThreads, "processor") + ":";
}

/// Says which configuration is fastest beside the competing program.
std::string answerText(const model::Robustness& robustness, const std::vector<Line>& lines)
{
    if (lines.empty())
        return {};
    const auto better = std::find_if(robustness.rows.begin(), robustness.rows.end(), [](const auto& row) {
        return stats::verdictOf(row.gain) == model::Verdict::faster;
    });
    if (better == robustness.rows.end())
        return "Nothing here is surely faster beside it than " + lines.front().wholeName() + ".";
    return "Robust: " + lines[static_cast<std::size_t>(better - robustness.rows.begin())].wholeName() + " is " +
           text::formatRatio(better->gain) + " as fast beside it as " + lines.front().wholeName() +
           " (ratio of blocks in turns; the table has medians).";
}

} // namespace

std::string robustnessText(const model::Robustness& robustness, const model::StudySnapshot& snapshot, int width)
{
    const std::vector<Line> lines = linesOf(robustness, snapshot);
    text::TextTable table({{"Configuration", text::Align::left, true},
                           {"Alone ms", text::Align::right},
                           {"Beside it ms", text::Align::right},
                           {"Slower by", text::Align::left}});
    for (const Line& line : lines)
        table.addRow({line.wholeName(), line.alone, line.beside, line.slowdown});
    return competingText(robustness) + "\n\n" + table.render(width) +
           text::wrap(answerText(robustness, lines), width, 0) + "\n";
}

base::Json robustnessValues(const std::optional<model::Robustness>& robustness, const model::StudySnapshot& snapshot)
{
    if (!robustness || robustness->rows.empty())
        return {};
    const std::vector<Line> lines = linesOf(*robustness, snapshot);
    base::Json list = base::Json::array();
    for (const Line& line : lines)
        list.push_back({{"trial", line.trial},
                        {"configuration", line.name},
                        {"alone", line.alone},
                        {"beside", line.beside},
                        {"slowdown", line.slowdown}});
    return {{"competing", competingText(*robustness)},
            {"list", std::move(list)},
            {"answer", answerText(*robustness, lines)}};
}

} // namespace apertune::report
