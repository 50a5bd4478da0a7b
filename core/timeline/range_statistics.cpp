// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/range_statistics.h"

#include "core/analysis/distribution.h"

#include <algorithm>
#include <unordered_map>

namespace apertune::timeline {
namespace {

using Spans = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct Bucket
{
    NameStatistics statistics;
    std::vector<std::int64_t> durations;
    Spans spans; ///< clipped to the range
};

/// Sorts the spans and returns the length of their union.
std::int64_t coveredBy(Spans& spans)
{
    std::sort(spans.begin(), spans.end());
    std::int64_t covered = 0;
    std::int64_t reached = spans.empty() ? 0 : spans.front().first;
    for (const auto& [begin, end] : spans) {
        covered += std::max<std::int64_t>(0, end - std::max(begin, reached));
        reached = std::max(reached, end);
    }
    return covered;
}

/// Sorts and joins the spans, then measures the busy time and the largest gap.
void measureBusy(Spans& spans, RangeStatistics& result)
{
    std::sort(spans.begin(), spans.end());
    std::int64_t reached = result.range.start;
    for (const auto& [begin, end] : spans) {
        result.deviceTotal += end - begin;
        // Streams that overlap are counted once.
        if (begin > reached && begin - reached > result.largestGap.length())
            result.largestGap = {reached, begin};
        result.deviceBusy += std::max<std::int64_t>(0, end - std::max(begin, reached));
        reached = std::max(reached, end);
    }
    // The rest of the range after the last work may be the largest gap.
    if (!spans.empty() && result.range.end - reached > result.largestGap.length())
        result.largestGap = {reached, result.range.end};
}

void addCopy(const trace::Trace& trace, const trace::EventColumns& c, std::uint32_t event, RangeStatistics& result)
{
    const std::uint32_t detail = c.detail.empty() ? 0 : c.detail[event];
    const trace::CopyDirection direction =
        detail < trace.details.copies.size() ? trace.details.copies[detail].direction : trace::CopyDirection::unknown;
    const std::int64_t bytes = c.value.empty() ? 0 : c.value[event];
    if (direction == trace::CopyDirection::hostToDevice) {
        result.toDevice += bytes;
        result.toDeviceTime += c.duration[event];
    } else if (direction == trace::CopyDirection::deviceToHost) {
        result.fromDevice += bytes;
        result.fromDeviceTime += c.duration[event];
    }
}

void addCurve(const Timeline& timeline, std::uint32_t index, RangeStatistics& result)
{
    const TimelineRow& row = timeline.rows()[index];
    const trace::EventColumns& c = timeline.columns(row);
    const bool running = !row.total.empty(); // memory has a known value before its first event
    if (!running && row.kind != trace::EventKind::counter)
        return;
    const std::optional<std::int64_t> before =
        running ? std::optional(row.total.front() - (c.value.empty() ? 0 : c.value.front())) : std::nullopt;
    if (const auto statistics = analysis::counterStatistics(c.start, running ? row.total : c.value, result.range.start,
                                                            result.range.end, before))
        result.counters.push_back({index, *statistics});
}

} // namespace

std::shared_ptr<const RangeStatistics> rangeStatistics(const Timeline& timeline, trace::TimeRange range,
                                                       std::stop_token stop, const std::vector<std::uint32_t>& rows)
{
    auto result = std::make_shared<RangeStatistics>();
    result->range = range;
    std::unordered_map<std::uint64_t, Bucket> buckets;
    Spans spans;
    for (std::uint32_t r = 0; r < timeline.rows().size(); ++r) {
        if (!rows.empty() && !std::binary_search(rows.begin(), rows.end(), r))
            continue;
        const TimelineRow& row = timeline.rows()[r];
        // Curves have no events in time that could be summed.
        if (row.isCurve()) {
            addCurve(timeline, r, *result);
            continue;
        }
        // States that telemetry sampled are no work. They only count when their rows were chosen explicitly.
        if (rows.empty() && timeline.trace().tracks[row.track.value].type == trace::TrackType::counter)
            continue;
        const trace::EventColumns& c = timeline.columns(row);
        const bool device = trace::isDeviceWork(row.kind);
        for (const trace::LaneMip& lane : row.lanes) {
            const std::size_t last = lane.lowerBound(c, range.end);
            for (std::size_t i = lane.firstEndingAfter(c, range.start); i < last; ++i) {
                // The question costs as much as an event, so it is asked rarely.
                if ((i & 0xffff) == 0 && stop.stop_requested())
                    return nullptr;
                const std::uint32_t event = lane.eventAt(i);
                if (device)
                    spans.emplace_back(std::max(c.start[event], range.start), std::min(c.end(event), range.end));
                // An event that began before the range belongs to the one in which it began.
                if (c.start[event] < range.start)
                    continue;
                ++result->events;
                result->deviceWork += device ? 1 : 0;
                if (row.kind == trace::EventKind::copy)
                    addCopy(timeline.trace(), c, event, *result);
                // Name and kind make the key, because a name may be that of a call and of its kernel.
                Bucket& bucket = buckets[(std::uint64_t{c.name[event]} << 8) | static_cast<std::uint8_t>(row.kind)];
                NameStatistics& s = bucket.statistics;
                if (s.count == 0 || c.duration[event] > s.longest) {
                    s.outlier = {r, event};
                    s.longest = c.duration[event];
                }
                ++s.count;
                s.total += c.duration[event];
                s.kind = row.kind;
                s.name = {c.name[event]};
                if ((row.kind == trace::EventKind::copy || row.kind == trace::EventKind::memset) && !c.value.empty())
                    s.bytes += c.value[event];
                // Medians need all durations.
                bucket.durations.push_back(c.duration[event]);
                bucket.spans.emplace_back(c.start[event], std::min(c.end(event), range.end));
            }
        }
    }
    if (stop.stop_requested())
        return nullptr;
    measureBusy(spans, *result);
    for (auto& [key, bucket] : buckets) {
        NameStatistics& s = bucket.statistics;
        const analysis::Distribution d = analysis::summarize(bucket.durations);
        s.busy = coveredBy(bucket.spans);
        s.median = d.p50.value_or(0);
        s.p99 = d.p99;
        s.shortest = d.shortest;
        s.workClass = timeline.classOf(timeline.rows()[s.outlier.row], s.outlier.event);
        result->names.push_back(s);
    }
    // Device work comes first, then the longest total.
    std::sort(result->names.begin(), result->names.end(), [](const NameStatistics& a, const NameStatistics& b) {
        const bool da = trace::isDeviceWork(a.kind);
        const bool db = trace::isDeviceWork(b.kind);
        return da != db ? da : a.total != b.total ? a.total > b.total : a.name < b.name;
    });
    return result;
}

std::vector<double> durationsOf(const Timeline& timeline, trace::EventKind kind, trace::StringId name,
                                trace::TimeRange range, std::stop_token stop)
{
    std::vector<double> durations;
    for (const TimelineRow& row : timeline.rows()) {
        if (row.kind != kind)
            continue;
        const trace::EventColumns& c = timeline.columns(row);
        const auto first = std::lower_bound(c.start.begin(), c.start.end(), range.start);
        const auto last = std::lower_bound(first, c.start.end(), range.end);
        for (auto at = first; at != last; ++at) {
            const auto i = static_cast<std::size_t>(at - c.start.begin());
            if (c.name[i] == name.value)
                durations.push_back(static_cast<double>(c.duration[i]));
        }
        if (stop.stop_requested())
            return {};
    }
    return durations;
}

} // namespace apertune::timeline
