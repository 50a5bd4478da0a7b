// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/trace_checks.h"

#include "core/trace/trace_builder.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <limits>

namespace apertune::fuzz {

using trace::EventKind;

namespace {

std::size_t detailsOf(const trace::Details& details, EventKind kind)
{
    switch (kind) {
    case EventKind::kernel:
    case EventKind::graphLaunch:
        return details.kernels.size();
    case EventKind::copy:
    case EventKind::memset:
        return details.copies.size();
    case EventKind::synchronization:
        return details.synchronizations.size();
    case EventKind::operatorCall:
        return details.operators.size();
    case EventKind::deviceMemory:
    case EventKind::tensorMemory:
        return details.memory.size();
    case EventKind::compilation:
    case EventKind::overhead:
        return details.notes.size();
    default:
        return 1;
    }
}

void requireSoundSeries(const trace::Trace& trace, const trace::Series& series)
{
    const trace::EventColumns& e = series.events;
    require(series.track.value < trace.tracks.size(), "the track of a series exists");
    require(!e.empty(), "no series is empty");
    require(e.duration.size() == e.size() && e.name.size() == e.size(), "the columns of a series are equally long");
    for (const std::size_t size :
         {e.correlation.size(), e.link.size(), e.detail.size(), e.value.size(), e.address.size()})
        require(size == 0 || size == e.size(), "an optional column is empty or as long as its series");
    for (std::size_t i = 0; i < e.size(); ++i) {
        require(e.duration[i] >= 0, "no event ends before it begins");
        require(e.start[i] <= std::numeric_limits<std::int64_t>::max() - e.duration[i],
                "no event ends after the end of time");
        require(i == 0 || e.start[i - 1] < e.start[i] ||
                    (e.start[i - 1] == e.start[i] && e.duration[i - 1] >= e.duration[i]),
                "the events of a series are in order");
        require(e.name[i] < trace.strings.size(), "the name of an event exists");
    }
    for (const std::uint32_t detail : e.detail)
        require(detail < detailsOf(trace.details, series.kind), "the detail of an event exists");
}

} // namespace

void requireSound(const trace::Trace& trace)
{
    require(!trace.strings.empty() && trace.strings.front().empty(), "text 0 is the empty one");
    for (const EventKind kind : {EventKind::kernel, EventKind::copy, EventKind::synchronization,
                                 EventKind::operatorCall, EventKind::deviceMemory, EventKind::compilation})
        require(detailsOf(trace.details, kind) > 0, "each list of details has its empty row");
    const auto exists = [&](trace::StringId id) { return id.value < trace.strings.size(); };
    for (const trace::OperatorDetail& d : trace.details.operators)
        require(exists(d.inputShapes) && exists(d.inputStrides) && exists(d.inputTypes) && exists(d.module) &&
                    exists(d.collective),
                "the texts of an operator exist");
    for (const trace::MemoryDetail& d : trace.details.memory)
        require(exists(d.owner), "the owner of memory exists");
    for (const trace::NoteDetail& d : trace.details.notes)
        require(exists(d.note), "a note exists");
    for (const trace::Loss& loss : trace.losses)
        require(!loss.reason.empty(), "a loss has a reason");
    for (std::size_t i = 0; i < trace.series.size(); ++i) {
        requireSoundSeries(trace, trace.series[i]);
        if (i == 0)
            continue;
        const trace::Series& before = trace.series[i - 1];
        const trace::Series& series = trace.series[i];
        require(before.track < series.track || (before.track == series.track && before.kind < series.kind),
                "series are sorted by track and kind");
    }
    require(trace.begin() <= trace.end(), "a trace begins before it ends");
}

trace::EventColumns columnsOf(std::string_view bytes)
{
    Input input(bytes);
    trace::EventColumns columns;
    while (!input.atEnd()) {
        trace::Event event;
        event.start.count = input.take<std::int64_t>() / 2;
        event.duration.count = static_cast<std::int64_t>(input.take<std::uint64_t>() >> 2);
        event.name.value = input.take<std::uint32_t>();
        event.correlation = input.take<std::uint16_t>();
        event.link = input.take<std::uint32_t>();
        event.detail = input.take<std::uint8_t>();
        event.value = input.take<std::int64_t>();
        event.address = input.take<std::uint64_t>();
        columns.append(event);
    }
    columns.sort();
    return columns;
}

bool sameEvents(const trace::EventColumns& a, const trace::EventColumns& b)
{
    const auto same = [](const auto& x, const auto& y, auto zero) {
        if (!x.empty() && !y.empty())
            return x == y;
        const auto& values = x.empty() ? y : x;
        return std::all_of(values.begin(), values.end(), [&](auto value) { return value == zero; });
    };
    return a.size() == b.size() && a.start == b.start && a.duration == b.duration && a.name == b.name &&
           same(a.correlation, b.correlation, 0u) && same(a.link, b.link, 0u) && same(a.detail, b.detail, 0u) &&
           same(a.value, b.value, std::int64_t{0}) && same(a.address, b.address, std::uint64_t{0});
}

trace::Trace sampleTrace()
{
    trace::TraceBuilder builder;
    builder.head().name = "sample";
    builder.head().source = "apertune";
    builder.head().devices.push_back({.id = 0, .name = "GPU", .computeMajor = 9, .multiprocessors = 132});
    const trace::TrackId thread = builder.track({.process = 1, .thread = 2, .label = "main"});
    const trace::TrackId stream =
        builder.track({.type = trace::TrackType::stream, .device = 0, .context = 1, .stream = 7, .label = "stream 7"});
    const trace::TrackId power =
        builder.track({.type = trace::TrackType::counter, .device = 0, .label = "power", .unit = "1e-3 W"});
    const std::uint32_t kernel = builder.detail(trace::KernelDetail{.grid = {8, 1, 1}, .block = {128, 1, 1}});
    const std::uint32_t copy = builder.detail(trace::CopyDetail{.direction = trace::CopyDirection::hostToDevice});
    const std::uint32_t call = builder.detail(trace::OperatorDetail{.inputShapes = builder.intern("[[1, 3], [3]]")});
    const std::uint32_t memory = builder.detail(trace::MemoryDetail{.device = 0, .owner = builder.intern("pool")});
    const std::uint32_t note = builder.detail(trace::NoteDetail{builder.intern("why")});
    for (std::int64_t i = 0; i < 5; ++i) {
        const auto number = static_cast<std::uint32_t>(i + 1);
        builder.add(thread, EventKind::operatorCall,
                    {.start = {i * 100}, .duration = {90}, .name = builder.intern("aten::add"), .detail = call});
        builder.add(thread, EventKind::runtimeCall,
                    {.start = {i * 100 + 10},
                     .duration = {5},
                     .name = builder.intern("cudaLaunchKernel"),
                     .correlation = number,
                     .link = number});
        builder.add(stream, EventKind::kernel,
                    {.start = {i * 100 + 30},
                     .duration = {40},
                     .name = builder.intern("add_kernel<float>"),
                     .correlation = number,
                     .detail = kernel});
        builder.add(power, EventKind::counter, {.start = {i * 50}, .value = 54'321 + i});
    }
    builder.add(stream, EventKind::copy, {.start = {520}, .duration = {7}, .detail = copy, .value = 4096});
    builder.add(thread, EventKind::deviceMemory, {.start = {3}, .detail = memory, .value = -64, .address = 0x7f00});
    builder.add(thread, EventKind::compilation, {.start = {4}, .duration = {2}, .detail = note});
    builder.addLoss(
        {{7}, EventKind::kernel, 2, trace::LossSeverity::warning, base::foreignText("Records were dropped.")});
    return builder.finish();
}

} // namespace apertune::fuzz
