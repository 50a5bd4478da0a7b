// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/rank_sections.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::report {

using analysis::Collective;
using analysis::RankComparison;
using analysis::RankUse;
using base::Json;

namespace {

constexpr std::size_t kRows = 10;

double share(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

double milliseconds(std::int64_t ns)
{
    return base::Nanoseconds{ns}.milliseconds();
}

std::string figure(std::int64_t ns)
{
    return base::formatSignificant(milliseconds(ns), 4);
}

std::string sentence(const RankComparison& c)
{
    std::int64_t steps = 0;
    std::int64_t transfers = 0;
    for (const RankUse& use : c.ranks) {
        steps += use.step;
        transfers += use.transferring;
    }
    std::vector<std::string> sentences{"Of their steps, the ranks spend " +
                                       base::formatPercent(share(c.waiting(), steps)) +
                                       " waiting for another rank in collectives, and " +
                                       base::formatPercent(share(transfers, steps)) + " moving data."};
    // The rank that is waited for may be one that is missing, so none of the others is named.
    if (c.missing > 0) {
        sentences.push_back(base::counted(static_cast<std::size_t>(c.missing), "rank") + " of the job " +
                            (c.missing == 1 ? "is" : "are") +
                            " missing: what they are waited for counts as moving data, and nobody can be named.");
        return base::join(sentences, " ");
    }
    // Clocks are aligned by the ends of collectives, so without that every wait may be an error of the clocks.
    if (!c.endsAgree()) {
        sentences.push_back("The ends of collectives differ by up to " + base::formatDuration({c.clockError}) +
                            ", so the waits are unknown: the ranks may form several groups.");
        return base::join(sentences, " ");
    }
    if (c.straggler) {
        const RankUse& use = c.ranks[*c.straggler];
        sentences.push_back("Rank " + std::to_string(use.rank) + " makes the others wait: it arrives last at " +
                            std::to_string(use.lastAt) + " of " + base::counted(c.collectives.size(), "collective") +
                            ", and " + base::formatPercent(share(use.delaying, c.allWaits())) +
                            " of the waiting is for it.");
    } else if (share(c.waiting(), steps) < analysis::kLeastWaiting) {
        sentences.push_back("They hardly wait.");
    } else {
        sentences.push_back("No rank causes most of the waiting.");
    }
    if (share(c.lateStarts, c.allWaits()) >= 0.1)
        sentences.push_back("Of all waiting, " + base::formatPercent(share(c.lateStarts, c.allWaits())) +
                            " is in the first collective for steps that began late: what held these ranks up lies "
                            "before the recording.");
    return base::join(sentences, " ");
}

} // namespace

Json ranksDocument(const RankComparison& c, const std::vector<std::string>& traces)
{
    Json ranks = Json::array();
    for (std::size_t r = 0; r < c.ranks.size(); ++r) {
        const RankUse& use = c.ranks[r];
        ranks.push_back({{"rank", use.rank},
                         {"trace", traces[r]},
                         {"clock_offset_ms", milliseconds(use.clockOffset)},
                         {"step_ms", milliseconds(use.step)},
                         {"late_start_ms", milliseconds(use.lateStart)},
                         {"computing_ms", milliseconds(use.computing)},
                         {"waiting_ms", milliseconds(use.waiting)},
                         {"transferring_ms", milliseconds(use.transferring)},
                         {"last_at", use.lastAt},
                         {"delaying_ms", milliseconds(use.delaying)}});
    }
    Json collectives = Json::array();
    for (const Collective& one : c.collectives) {
        Json waits = Json::array();
        Json transfers = Json::array();
        for (std::size_t r = 0; r < c.ranks.size(); ++r) {
            waits.push_back(milliseconds(one.wait(r)));
            transfers.push_back(milliseconds(one.transfer(r)));
        }
        collectives.push_back({{"kind", one.kind},
                               {"start_ms", milliseconds(one.times.front().start)},
                               {"last_rank", c.ranks[one.last].rank},
                               {"waiting_ms", std::move(waits)},
                               {"transferring_ms", std::move(transfers)}});
    }
    return {{"schema", "apertune.ranks/1"},
            {"ranks", std::move(ranks)},
            {"collectives", std::move(collectives)},
            {"clock_error_ms", milliseconds(c.clockError)},
            {"ends_agree", c.endsAgree()},
            {"missing_ranks", c.missing},
            {"waiting_ms", milliseconds(c.waiting())},
            {"late_starts_ms", milliseconds(c.lateStarts)},
            {"straggler", c.straggler ? Json(c.ranks[*c.straggler].rank) : Json(nullptr)}};
}

std::string ranksText(const RankComparison& c, const std::vector<std::string>& traces, int width)
{
    text::TextTable ranks({{"Rank", text::Align::right},
                           {"Trace", text::Align::left, true},
                           {"Step ms", text::Align::right},
                           {"Began ms", text::Align::right},
                           {"Computes", text::Align::right},
                           {"Waits", text::Align::right},
                           {"Moves data", text::Align::right},
                           {"Last at", text::Align::right},
                           {"Others' waits for it ms", text::Align::right}});
    for (std::size_t r = 0; r < c.ranks.size(); ++r) {
        const RankUse& use = c.ranks[r];
        ranks.addRow({std::to_string(use.rank), traces[r], figure(use.step), figure(use.lateStart),
                      base::formatPercent(share(use.computing, use.step)),
                      base::formatPercent(share(use.waiting, use.step)),
                      base::formatPercent(share(use.transferring, use.step)), std::to_string(use.lastAt),
                      use.delaying > 0 ? figure(use.delaying) : "–"});
    }
    std::vector<std::size_t> longest(c.collectives.size());
    for (std::size_t i = 0; i < longest.size(); ++i)
        longest[i] = i;
    std::stable_sort(longest.begin(), longest.end(), [&](std::size_t a, std::size_t b) {
        return c.collectives[a].allWaits() > c.collectives[b].allWaits();
    });
    text::TextTable table({{"Collective"},
                           {"Number", text::Align::right},
                           {"Last rank", text::Align::right},
                           {"Waits ms, all ranks", text::Align::right},
                           {"Longest", text::Align::right},
                           {"Moves data ms", text::Align::right}});
    for (std::size_t i = 0; i < std::min(kRows, longest.size()); ++i) {
        const Collective& one = c.collectives[longest[i]];
        table.addRow({one.kind, std::to_string(longest[i] + 1), std::to_string(c.ranks[one.last].rank),
                      figure(one.allWaits()), figure(*std::max_element(one.waits.begin(), one.waits.end())),
                      figure(one.transfer(one.last))});
    }
    std::string text = sentence(c) + "\n\n" + ranks.render(width) + "\n" + table.render(width);
    if (longest.size() > kRows)
        text += "and " + std::to_string(longest.size() - kRows) + " more\n";
    text +=
        "\nWaits of all ranks are added up where it says others' or all ranks'. Nine of ten ends of a collective agree "
        "within " +
        base::formatDuration({c.clockError}) + " after the clocks were aligned by them.\n";
    return text;
}

} // namespace apertune::report
