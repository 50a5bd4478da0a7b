// SPDX-License-Identifier: GPL-3.0-or-later
// Time mips as a workspace keeps them. The input is a number of events and the bytes of a mip for that number. The same
// bytes are then read as events, from which a mip is built.
#include "core/timeline/timeline.h"
#include "core/timeline/timeline_layout.h"
#include "core/trace/time_mip.h"
#include "core/trace/time_mip_codec.h"
#include "core/trace/trace_builder.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/trace_checks.h"

#include <algorithm>

namespace apertune::fuzz {

using trace::EventColumns;
using trace::LaneMip;
using trace::SeriesMip;

namespace {

constexpr std::size_t kMostEvents = 2000;

bool sameLanes(const SeriesMip& a, const SeriesMip& b)
{
    return std::equal(
        a.lanes.begin(), a.lanes.end(), b.lanes.begin(), b.lanes.end(), [](const LaneMip& x, const LaneMip& y) {
            return x.events == y.events && x.size == y.size && x.shift == y.shift && x.firstBucket == y.firstBucket &&
                   x.levels == y.levels && x.busyBefore == y.busyBefore && x.lastEnd == y.lastEnd;
        });
}

/// Makes the queries of a view. Only the ranges of the results are checked: a mip that matches its events only in size
/// has arbitrary contents.
void ask(const SeriesMip& mip, const EventColumns& columns)
{
    const std::int64_t begin = columns.start.front();
    const std::int64_t end = columns.end(columns.size() - 1);
    for (const LaneMip& lane : mip.lanes)
        for (const auto& [from, to] : {std::pair{begin, end}, {begin + 7, begin + 9}, {end, end + 1}}) {
            require(lane.busy(columns, from, to) >= 0, "a lane is not busy for a negative time");
            require(lane.count(columns, from, to) <= lane.size, "a lane has no more events than it has");
        }
}

void draw(const EventColumns& columns, SeriesMip mip)
{
    trace::TraceBuilder builder;
    const trace::TrackId stream = builder.track({.type = trace::TrackType::stream, .device = 0, .stream = 7});
    EventColumns& target = builder.columns(stream, trace::EventKind::kernel);
    target.start = columns.start;
    target.duration = columns.duration;
    target.name.resize(columns.size());
    auto trace = std::make_shared<const trace::Trace>(builder.finish(false));
    std::vector<SeriesMip> mips;
    mips.push_back(std::move(mip));
    const auto timeline = timeline::Timeline::build(trace, {}, std::move(mips));
    require(timeline != nullptr, "a timeline is made");
    timeline::TimelineView view;
    view.width = 500;
    view.height = 200;
    const auto length = static_cast<double>(timeline->extent().length());
    for (const double part : {1.0, 0.3, 0.01, 1e-4}) {
        view.begin = static_cast<double>(timeline->extent().start) + length * (1 - part) / 2;
        view.nsPerPx = std::max(1e-3, length * part / view.plotWidth());
        static_cast<void>(timeline::layOutTimeline(*timeline, view));
    }
}

void examineBytes(std::string_view bytes, std::size_t events)
{
    const auto decoded = trace::decodeMip(std::as_bytes(std::span(bytes)), events);
    const SeriesMip* const mip = valueOf(decoded);
    if (!mip)
        return;
    const std::vector<std::byte> again = trace::encodeMip(mip->lanes);
    require(std::ranges::equal(again, std::as_bytes(std::span(bytes))), "a mip is encoded as it was read");
    EventColumns columns;
    for (std::size_t i = 0; i < events; ++i)
        columns.append({.start = {static_cast<std::int64_t>(i) * 10}, .duration = {8}});
    if (columns.empty())
        return;
    ask(*mip, columns);
    draw(columns, *mip);
}

void examineEvents(const EventColumns& columns)
{
    for (const trace::LaneRule rule : {trace::LaneRule::strict, trace::LaneRule::stream}) {
        const SeriesMip mip = trace::buildSeriesMip(columns, rule);
        const auto again = trace::decodeMip(trace::encodeMip(mip.lanes), columns.size());
        require(again.ok() && sameLanes(mip, *again), "a mip comes back");
        std::size_t events = 0;
        for (const LaneMip& lane : mip.lanes)
            events += lane.size;
        require(events == columns.size(), "each event is in one lane");
        ask(mip, columns);
    }
}

} // namespace

void examine(std::string_view bytes)
{
    Input input(bytes);
    const std::size_t events = input.take<std::uint16_t>() % kMostEvents;
    examineBytes(input.rest(), events);
    EventColumns columns = columnsOf(input.rest().substr(0, std::size_t{64} << 10));
    // The times of a recording span a day at most.
    for (std::int64_t& start : columns.start)
        start >>= 17;
    for (std::int64_t& duration : columns.duration)
        duration >>= 20;
    columns.sort();
    if (!columns.empty())
        examineEvents(columns);
}

std::vector<std::string> seeds()
{
    std::vector<std::string> seeds;
    for (const trace::Series& series : sampleTrace().series) {
        const auto bytes = trace::encodeMip(trace::buildSeriesMip(series.events, trace::LaneRule::strict, 1).lanes);
        seeds.push_back(bytesOf(static_cast<std::uint16_t>(series.events.size())) +
                        std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    EventColumns nested;
    for (std::int64_t i = 0; i < 300; ++i)
        nested.append({.start = {i * 100}, .duration = {i % 3 == 0 ? 290 : 90}});
    nested.sort();
    const auto bytes = trace::encodeMip(trace::buildSeriesMip(nested, trace::LaneRule::strict, 1).lanes);
    seeds.push_back(bytesOf(static_cast<std::uint16_t>(nested.size())) +
                    std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    return seeds;
}

} // namespace apertune::fuzz
