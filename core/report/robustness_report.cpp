// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/robustness_report.h"

#include "core/base/text.h"
#include "core/report/format.h"
#include "core/report/text_table.h"
#include "core/stats/block_stats.h"

#include <algorithm>

namespace apertune::report {

namespace {

constexpr double kMsPerNs = 1e-6;

std::string milliseconds(const model::Interval& time)
{
    return base::formatSignificant(time.value * kMsPerNs);
}

std::string nameOf(const model::Robustness::Row& row, const model::DeviceType& device)
{
    return model::shortName(row.config, device, true) + (row.trial ? " (trial " + toText(row.trial) + ")" : "");
}

} // namespace

std::string robustnessText(const model::Robustness& robustness, const model::DeviceType& device, int width)
{
    TextTable table({{"Configuration", Align::left, true},
                     {"Alone ms", Align::right},
                     {"Beside it ms", Align::right},
                     {"Slower by", Align::left}});
    for (const model::Robustness::Row& row : robustness.rows)
        table.addRow(
            {nameOf(row, device), milliseconds(row.alone), milliseconds(row.beside), formatRatio(row.slowdown)});
    std::string text = "A program that computes all the time on " + std::to_string(robustness.neighbourThreads) +
                       (robustness.neighbourThreads == 1 ? " processor" : " processors") + ":\n\n" +
                       table.render(width);
    const auto better = std::find_if(robustness.rows.begin(), robustness.rows.end(), [](const auto& row) {
        return stats::verdictOf(row.gain) == model::Verdict::faster;
    });
    if (better != robustness.rows.end())
        text +=
            "Robust: " + nameOf(*better, device) + " is " + formatRatio(better->gain) +
            " as fast beside it as the recommended configuration (ratio of blocks in turns; the table has medians).\n";
    else
        text += "Nothing here is surely faster beside it than the recommended configuration.\n";
    return text;
}

} // namespace apertune::report
