// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline_matches.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace apertune::timeline {
namespace {

std::vector<std::string> wordsOf(std::string_view pattern)
{
    std::vector<std::string> words;
    std::string word;
    for (const char c : base::lower(pattern) + ' ')
        if (c != ' ')
            word += c;
        else if (!word.empty())
            words.push_back(std::exchange(word, {}));
    return words;
}

NameTest testOf(std::string_view pattern)
{
    if (pattern.size() > 2 && pattern.front() == '"' && pattern.back() == '"')
        return
            [name = std::string(pattern.substr(1, pattern.size() - 2))](std::string_view text) { return text == name; };
    return [words = wordsOf(pattern)](std::string_view name) {
        const std::string text = base::lower(name);
        return !words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) {
            return text.find(word) != std::string::npos;
        });
    };
}

} // namespace

std::string wholeName(std::string_view name)
{
    return '"' + std::string(name) + '"';
}

MatchesPtr findMatches(const Timeline& timeline, std::string_view pattern, std::stop_token stop)
{
    return findMatches(timeline, pattern, testOf(pattern), std::move(stop));
}

MatchesPtr findMatches(const Timeline& timeline, std::string_view pattern, const NameTest& test, std::stop_token stop)
{
    auto matches = std::make_shared<TimelineMatches>();
    matches->pattern = std::string(pattern);
    for (const std::string& name : timeline.trace().strings) {
        if (stop.stop_requested())
            return nullptr;
        matches->name.push_back(test(name) ? 1 : 0);
    }
    for (const TimelineRow& row : timeline.rows()) {
        std::vector<trace::LaneMip>& lanes = matches->lanes.emplace_back();
        const trace::EventColumns& columns = timeline.columns(row);
        for (const trace::LaneMip& lane : row.lanes) {
            if (stop.stop_requested())
                return nullptr;
            std::vector<std::uint32_t> events;
            for (std::size_t i = 0; i < lane.size; ++i)
                if (const std::uint32_t event = lane.eventAt(i); matches->name[columns.name[event]])
                    events.push_back(event);
            matches->count += events.size();
            lanes.push_back(trace::buildLaneMip(columns, std::move(events)));
        }
    }
    return matches;
}

std::optional<EventRef> TimelineMatches::next(const Timeline& timeline, std::int64_t time, bool forward) const
{
    std::optional<EventRef> best;
    std::int64_t bestStart = 0;
    for (std::size_t row = 0; row < lanes.size(); ++row) {
        const trace::EventColumns& columns = timeline.columns(timeline.rows()[row]);
        for (const trace::LaneMip& lane : lanes[row]) {
            if (lane.size == 0)
                continue;
            const std::size_t at = lane.lowerBound(columns, forward ? time + 1 : time);
            if (forward ? at >= lane.size : at == 0)
                continue;
            const std::uint32_t event = lane.eventAt(forward ? at : at - 1);
            const std::int64_t start = columns.start[event];
            if (!best || (forward ? start < bestStart : start > bestStart)) {
                best = EventRef{static_cast<std::uint32_t>(row), event};
                bestStart = start;
            }
        }
    }
    return best;
}

std::size_t TimelineMatches::before(const Timeline& timeline, std::int64_t time) const
{
    std::size_t found = 0;
    for (std::size_t row = 0; row < lanes.size(); ++row)
        for (const trace::LaneMip& lane : lanes[row])
            found += lane.size == 0 ? 0 : lane.lowerBound(timeline.columns(timeline.rows()[row]), time);
    return found;
}

} // namespace apertune::timeline
