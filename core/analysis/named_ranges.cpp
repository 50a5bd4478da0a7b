// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/named_ranges.h"

#include <algorithm>
#include <unordered_map>

namespace apertune::analysis {
namespace {

constexpr std::int64_t kRounding = 1000;

std::string_view withoutNumber(std::string_view name)
{
    const auto last = name.find_last_not_of("0123456789# _");
    return name.substr(0, last + 1); // empty for a name that is a number
}

/// Cuts ranges that overlap by a rounding error. Returns false when they overlap by more.
bool follow(std::vector<NamedRange>& list)
{
    std::sort(list.begin(), list.end(), [](const NamedRange& a, const NamedRange& b) {
        return a.time.start != b.time.start ? a.time.start < b.time.start : a.time.end < b.time.end;
    });
    for (std::size_t i = 1; i < list.size(); ++i) {
        const std::int64_t next = list[i].time.start;
        if (list[i - 1].time.end > next + kRounding)
            return false;
        list[i - 1].time.end = std::min(list[i - 1].time.end, next);
    }
    return true;
}

/// Adds the ranges of a kind whose names begin with `prefix`.
void gather(const trace::Trace& trace, trace::EventKind kind, std::string_view prefix, NamedRanges& all)
{
    std::unordered_map<std::uint32_t, std::vector<NamedRange>*> lists; // a map, because few names repeat often
    for (const trace::Series& series : trace.series) {
        if (series.kind != kind)
            continue;
        const trace::EventColumns& e = series.events;
        for (std::size_t i = 0; i < e.size(); ++i) {
            const auto [known, added] = lists.try_emplace(e.name[i], nullptr);
            const std::string_view text = trace.strings[e.name[i]];
            if (added && text.starts_with(prefix))
                known->second = &all[std::string(withoutNumber(text))];
            if (known->second)
                known->second->push_back({{e.start[i], e.end(i)}, e.name[i]});
        }
    }
}

void keepThoseThatFollow(NamedRanges& all)
{
    for (auto named = all.begin(); named != all.end();)
        named = follow(named->second) ? std::next(named) : all.erase(named);
}

} // namespace

NamedRanges namedRanges(const trace::Trace& trace)
{
    NamedRanges all;
    gather(trace, trace::EventKind::range, {}, all);
    if (!all.contains("ProfilerStep"))
        gather(trace, trace::EventKind::operatorCall, "ProfilerStep#", all);
    keepThoseThatFollow(all);
    return all;
}

NamedRanges deviceRanges(const trace::Trace& trace)
{
    NamedRanges all;
    gather(trace, trace::EventKind::deviceRange, {}, all);
    for (auto& [name, list] : all) {
        std::sort(list.begin(), list.end(),
                  [](const NamedRange& a, const NamedRange& b) { return a.time.start < b.time.start; });
        std::vector<NamedRange> united;
        for (const NamedRange& range : list)
            if (!united.empty() && united.back().name == range.name && range.time.start < united.back().time.end)
                united.back().time.end = std::max(united.back().time.end, range.time.end);
            else
                united.push_back(range);
        list = std::move(united);
    }
    keepThoseThatFollow(all);
    return all;
}

} // namespace apertune::analysis
