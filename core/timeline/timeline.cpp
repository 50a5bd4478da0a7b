// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline.h"

#include "core/analysis/named_ranges.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace apertune::timeline {
namespace {

constexpr std::size_t kOverviewColumns = 2048; ///< about the pixels of a wide screen

bool isMemory(trace::EventKind kind)
{
    return kind == trace::EventKind::deviceMemory || kind == trace::EventKind::tensorMemory;
}

bool isHostCall(trace::EventKind kind)
{
    return kind == trace::EventKind::runtimeCall || kind == trace::EventKind::driverCall;
}

trace::LaneRule ruleOf(const trace::Track& track, trace::EventKind kind)
{
    return track.type == trace::TrackType::stream && trace::isDeviceWork(kind) ? trace::LaneRule::stream
                                                                               : trace::LaneRule::strict;
}

/// The order of the rows of a track, from what the program says down to what the machine did.
int rankOf(trace::EventKind kind)
{
    switch (kind) {
    case trace::EventKind::range:
    case trace::EventKind::deviceRange:
        return 0;
    case trace::EventKind::kernel:
    case trace::EventKind::graphLaunch:
    case trace::EventKind::scriptCall:
        return 1;
    case trace::EventKind::operatorCall:
        return 2;
    case trace::EventKind::copy:
        return 3;
    case trace::EventKind::runtimeCall:
    case trace::EventKind::memset:
        return 4;
    case trace::EventKind::driverCall:
        return 5;
    case trace::EventKind::synchronization:
        return 6;
    default:
        return 7;
    }
}

struct Place
{
    GroupType type = GroupType::process;
    std::int64_t id = -1;
};

Place groupOf(const trace::Track& track, trace::EventKind kind)
{
    if (isMemory(kind))
        return {GroupType::memory, -1};
    if (kind == trace::EventKind::counter || track.type == trace::TrackType::counter)
        return {GroupType::counters, -1};
    if (track.type == trace::TrackType::stream || track.type == trace::TrackType::device)
        return {GroupType::device, track.device};
    return {GroupType::process, track.process};
}

void makeCurve(const trace::EventColumns& columns, TimelineRow& row)
{
    if (!isMemory(row.kind)) {
        row.curve = trace::buildCounterMip(columns.start, columns.value);
        return;
    }
    row.total.reserve(columns.size());
    std::int64_t total = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        total += columns.value.empty() ? 0 : columns.value[i];
        row.total.push_back(total);
    }
    // A recording that begins in the middle frees memory that it never saw allocated. The lowest point is the memory at
    // the start.
    const std::int64_t lowest = std::min<std::int64_t>(0, *std::min_element(row.total.begin(), row.total.end()));
    for (std::int64_t& value : row.total)
        value -= lowest;
    row.curve = trace::buildCounterMip(columns.start, row.total);
}

} // namespace

std::shared_ptr<const Timeline> Timeline::build(trace::TracePtr trace, std::stop_token stop,
                                                std::vector<trace::SeriesMip> stored)
{
    const std::shared_ptr<Timeline> timeline(new Timeline);
    timeline->m_trace = std::move(trace);
    // Rows are made first, since curves and lanes are filled into them.
    timeline->addRows();
    const std::vector<trace::Series>& series = timeline->m_trace->series;
    const bool haveMips = stored.size() == series.size();
    std::vector<std::size_t> order(timeline->m_rows.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return timeline->columns(timeline->m_rows[a]).size() > timeline->columns(timeline->m_rows[b]).size();
    });
    const auto prepare = [&](std::size_t i) {
        TimelineRow& row = timeline->m_rows[i];
        const trace::Series& of = series[row.series];
        // A row that is not filled does no harm: the timeline is given up below.
        if (stop.stop_requested())
            return;
        if (isCurve(row.kind))
            makeCurve(of.events, row);
        else if (haveMips)
            row.lanes = std::move(stored[row.series].lanes);
        else
            row.lanes = trace::buildSeriesMip(of.events, ruleOf(timeline->m_trace->track(of), of.kind)).lanes;
    };
    // The longest rows come first, so that no thread ends with a long one.
    std::vector<std::function<void()>> tasks;
    for (const std::size_t i : order)
        tasks.emplace_back([&prepare, i] { prepare(i); });
    base::runInParallel(tasks);
    if (stop.stop_requested())
        return nullptr;
    timeline->m_extent = {0, 1};
    for (std::size_t i = 0; i < timeline->m_rows.size(); ++i) {
        const TimelineRow& row = timeline->m_rows[i];
        const trace::EventColumns& columns = timeline->columns(row);
        std::int64_t last = columns.start.back();
        for (const trace::LaneMip& lane : row.lanes)
            last = std::max(last, lane.lastEnd);
        trace::TimeRange& extent = timeline->m_extent;
        extent.start = i == 0 ? columns.start.front() : std::min(extent.start, columns.start.front());
        extent.end = i == 0 ? last : std::max(extent.end, last);
    }
    // An empty extent could not be scaled.
    timeline->m_extent.end = std::max(timeline->m_extent.end, timeline->m_extent.start + 1);
    const std::size_t names = timeline->m_trace->strings.size();
    // Classes of names are computed when they are first drawn.
    timeline->m_workClasses = std::make_unique<std::atomic<std::uint8_t>[]>(names);
    timeline->m_callClasses = std::make_unique<std::atomic<std::uint8_t>[]>(names);
    timeline->findIterations();
    timeline->makeOverview();
    return timeline;
}

bool Timeline::isCurve(trace::EventKind kind)
{
    return kind == trace::EventKind::counter || isMemory(kind);
}

void Timeline::addRows()
{
    struct Key
    {
        Place place;
        std::size_t weight = 0; ///< weight of the track; the busiest track stands first
        std::uint32_t track = 0;
        int rank = 0;
        std::uint32_t series = 0;
        auto tie() const
        { // rows without a known device or process stand last
            // ~ turns the order round: the busiest track comes first.
            return std::tuple(place.type, place.id < 0, place.id, ~weight, track, rank, series);
        }
    };
    std::map<std::uint32_t, std::size_t> weight;
    for (const trace::Series& s : m_trace->series)
        // Overhead and unknown events do not make a track busy.
        weight[s.track.value] +=
            s.kind == trace::EventKind::overhead || s.kind == trace::EventKind::other ? 0 : s.events.size();
    std::vector<Key> keys;
    for (std::size_t i = 0; i < m_trace->series.size(); ++i) {
        const trace::Series& s = m_trace->series[i];
        if (!s.events.empty())
            keys.push_back({groupOf(m_trace->track(s), s.kind), weight[s.track.value], s.track.value, rankOf(s.kind),
                            static_cast<std::uint32_t>(i)});
    }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.tie() < b.tie(); });
    for (const Key& key : keys) {
        if (m_groups.empty() || m_groups.back().type != key.place.type || m_groups.back().id != key.place.id)
            m_groups.push_back({key.place.type, key.place.id, static_cast<std::uint32_t>(m_rows.size()), 0});
        const trace::Series& s = m_trace->series[key.series];
        TimelineRow row;
        row.series = key.series;
        row.track = s.track;
        row.kind = s.kind;
        row.group = static_cast<std::uint32_t>(m_groups.size() - 1);
        m_rows.push_back(std::move(row));
        ++m_groups.back().rows;
    }
}

/// Takes the steps that the recorder marked, else ranges that have the name of a step.
void Timeline::findIterations()
{
    const analysis::NamedRanges all = analysis::namedRanges(*m_trace);
    for (const std::string_view prefix : {"ProfilerStep", "iteration", "batch", "step"})
        for (auto named = all.lower_bound(prefix); named != all.end() && named->first.starts_with(prefix); ++named) {
            for (const analysis::NamedRange& range : named->second)
                m_iterations.push_back({range.time, std::string(m_trace->strings[range.name])});
            if (!m_iterations.empty())
                return;
        }
}

void Timeline::makeOverview()
{
    const bool devices = !m_groups.empty() && m_groups.front().type == GroupType::device;
    std::vector<float> sum(kOverviewColumns, 0);
    const double step = static_cast<double>(m_extent.length()) / static_cast<double>(kOverviewColumns);
    for (const TimelineRow& row : m_rows) {
        if (row.isCurve() || (devices ? !trace::isDeviceWork(row.kind) : row.kind == trace::EventKind::range))
            // Ranges of the program enclose the work and would hide it.
            continue;
        const trace::LaneMip& lane = row.lanes.front();
        // The level whose buckets are about as wide as a column is read.
        std::size_t k = lane.levels.size() - 1;
        while (k > 0 && std::ldexp(1.0, lane.shift + static_cast<int>(k)) > step)
            --k;
        // Where even the finest buckets are wider, the busy time itself is summed.
        const bool exact = std::ldexp(1.0, lane.shift) > step;
        const std::vector<trace::MipNode>& level = lane.levels[k];
        const int shift = lane.shift + static_cast<int>(k);
        const std::int64_t first = lane.firstBucket >> k;
        for (std::size_t column = 0; column < kOverviewColumns; ++column) {
            const double left = static_cast<double>(m_extent.start) + static_cast<double>(column) * step;
            if (exact) {
                const std::int64_t busy =
                    lane.busy(columns(row), static_cast<std::int64_t>(left), static_cast<std::int64_t>(left + step));
                sum[column] += static_cast<float>(static_cast<double>(busy) / step * 65535.0);
                continue;
            }
            const std::int64_t from = static_cast<std::int64_t>(left) >> shift;
            const std::int64_t to = std::max(from, static_cast<std::int64_t>(left + step - 1) >> shift);
            // One stray event can stretch a column over more buckets than can be visited. Only existing buckets are.
            const std::int64_t begin = std::max(from, first);
            const std::int64_t end = std::min(to + 1, first + static_cast<std::int64_t>(level.size()));
            std::uint64_t coverage = 0;
            for (std::int64_t bucket = begin; bucket < end; ++bucket)
                coverage += level[static_cast<std::size_t>(bucket - first)].coverage;
            sum[column] += static_cast<float>(static_cast<double>(coverage) / static_cast<double>(to - from + 1));
        }
    }
    const float most = std::max(1.0F, *std::max_element(sum.begin(), sum.end()));
    // Several streams add up to more than one device. For a single stream, half busy shall look half high.
    const float full = std::max(most, 65535.0F);
    // Every activity stays visible, however small its part of a column.
    for (const float value : sum)
        m_overview.push_back(static_cast<std::uint8_t>(value > 0 ? std::max(1.0F, value / full * 255.0F) : 0.0F));
}

trace::TimeRange Timeline::rangeOf(EventRef event) const
{
    const trace::EventColumns& c = columns(event);
    return {c.start[event.event], c.end(event.event)};
}

std::string_view Timeline::nameOf(EventRef event) const
{
    return m_trace->strings[columns(event).name[event.event]];
}

analysis::WorkClass Timeline::classOf(const TimelineRow& row, std::uint32_t event) const
{
    const bool call = isHostCall(row.kind);
    if (!call && row.kind != trace::EventKind::kernel && row.kind != trace::EventKind::operatorCall)
        return analysis::classify(row.kind, {});
    const std::uint32_t name = columns(row).name[event];
    std::atomic<std::uint8_t>& known = (call ? m_callClasses : m_workClasses)[name];
    // Several threads may compute the same class; the value is the same.
    std::uint8_t value = known.load(std::memory_order_relaxed);
    if (value == 0) {
        value = static_cast<std::uint8_t>(static_cast<int>(analysis::classify(row.kind, m_trace->strings[name])) + 1);
        known.store(value, std::memory_order_relaxed);
    }
    return static_cast<analysis::WorkClass>(value - 1);
}

std::pair<std::size_t, std::size_t> Timeline::placeOf(EventRef event) const
{
    const TimelineRow& row = m_rows[event.row];
    // A lane without a list holds all events in their order.
    for (std::size_t lane = 0; lane < row.lanes.size(); ++lane) {
        const trace::LaneMip& of = row.lanes[lane];
        if (of.events.empty())
            return {lane, event.event};
        // The list of a lane is sorted by event.
        const auto at = std::lower_bound(of.events.begin(), of.events.end(), event.event);
        if (at != of.events.end() && *at == event.event)
            return {lane, static_cast<std::size_t>(at - of.events.begin())};
    }
    return {0, 0};
}

std::optional<std::uint32_t> Timeline::rowOfSeries(std::uint32_t series) const
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].series == series)
            return static_cast<std::uint32_t>(i);
    return std::nullopt;
}

std::vector<EventRef> Timeline::partnersOf(EventRef event, std::size_t limit) const
{
    const TimelineRow& from = m_rows[event.row];
    const trace::EventColumns& c = columns(from);
    if (c.correlation.empty() || c.correlation[event.event] == 0 ||
        // A correlation of 0 is none.
        (!trace::isDeviceWork(from.kind) && !isHostCall(from.kind)))
        return {};
    const std::uint32_t wanted = c.correlation[event.event];
    const auto processOf = [this](const TimelineRow& row) { return trace().tracks[row.track.value].process; };
    const auto has = [this, wanted](const TimelineRow& row) {
        const std::vector<std::uint32_t>& other = columns(row).correlation;
        return std::find(other.begin(), other.end(), wanted) != other.end();
    };
    // When calls of several processes have the same correlation, work of an unknown process has no partner.
    std::set<std::int64_t> callers;
    for (const TimelineRow& row : m_rows)
        if (isHostCall(row.kind) && has(row))
            callers.insert(processOf(row));
    std::vector<EventRef> found;
    for (std::size_t r = 0; r < m_rows.size() && found.size() < limit; ++r) {
        const TimelineRow& row = m_rows[r];
        if (trace::isDeviceWork(from.kind) ? !isHostCall(row.kind) : !trace::isDeviceWork(row.kind))
            continue;
        // Numbers of correlation are unique within a process.
        if (processOf(row) != processOf(from) && processOf(row) >= 0 && processOf(from) >= 0)
            continue; // every process counts its own correlations
        if (callers.size() > 1 && processOf(trace::isDeviceWork(from.kind) ? from : row) < 0)
            continue;
        const std::vector<std::uint32_t>& other = columns(row).correlation;
        for (auto at = std::find(other.begin(), other.end(), wanted); at != other.end() && found.size() < limit;
             at = std::find(at + 1, other.end(), wanted))
            found.push_back({static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(at - other.begin())});
    }
    return found;
}

} // namespace apertune::timeline
