// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/interchange/perfetto_writer.h"

#include <protozero/pbf_writer.hpp>
#include <zlib.h>

#include <utility>

namespace apertune::test {

using protozero::pbf_writer;

namespace {

void writeValue(pbf_writer& annotation, const PerfettoWriter::Annotation& of);

std::string annotationBytes(const PerfettoWriter::Annotation& of)
{
    std::string bytes;
    pbf_writer annotation(bytes);
    if (!of.name.empty())
        annotation.add_string(10, of.name);
    writeValue(annotation, of);
    return bytes;
}

void writeValue(pbf_writer& annotation, const PerfettoWriter::Annotation& of)
{
    if (const auto* const integer = std::get_if<std::int64_t>(&of.value))
        annotation.add_int64(4, *integer);
    else if (const auto* const real = std::get_if<double>(&of.value))
        annotation.add_double(5, *real);
    else if (const auto* const text = std::get_if<std::string>(&of.value))
        annotation.add_string(6, *text);
    else if (const auto* const list = std::get_if<std::vector<std::int64_t>>(&of.value))
        for (const std::int64_t element : *list)
            annotation.add_message(12, annotationBytes({{}, element}));
    else
        for (const auto& member : std::get<std::vector<PerfettoWriter::Annotation>>(of.value))
            annotation.add_message(11, annotationBytes(member));
}

} // namespace

void PerfettoWriter::add(const std::string& packet)
{
    pbf_writer(m_bytes).add_message(1, packet);
}

void PerfettoWriter::event(std::uint64_t time, const Event& of)
{
    std::string packet;
    pbf_writer fields(packet);
    fields.add_uint64(8, time);
    fields.add_uint32(10, sequence);
    fields.add_uint32(13, 2);
    if (clock != 0)
        fields.add_uint32(58, clock);
    {
        pbf_writer e(fields, 11);
        if (of.type != Event::none)
            e.add_enum(9, of.type);
        if (of.track != 0)
            e.add_uint64(11, of.track);
        if (!of.category.empty())
            e.add_string(22, of.category);
        if (of.internedCategory != 0)
            e.add_uint64(3, of.internedCategory);
        if (!of.name.empty())
            e.add_string(23, of.name);
        if (of.internedName != 0)
            e.add_uint64(10, of.internedName);
        for (const Annotation& annotation : of.annotations)
            e.add_message(4, annotationBytes(annotation));
        for (const std::uint64_t flow : of.flows)
            e.add_fixed64(47, flow);
        if (const auto* const whole = std::get_if<std::int64_t>(&of.value))
            e.add_int64(30, *whole);
        if (const auto* const real = std::get_if<double>(&of.value))
            e.add_double(44, *real);
        if (of.legacyPhase != 0) {
            pbf_writer legacy(e, 6);
            legacy.add_int32(2, of.legacyPhase);
            if (of.legacyId != 0)
                legacy.add_uint64(6, of.legacyId);
            if (of.legacyDuration != 0)
                legacy.add_int64(3, of.legacyDuration);
        }
    }
    add(packet);
}

void PerfettoWriter::slice(std::uint64_t start, std::uint64_t end, Event begin)
{
    const std::uint64_t on = begin.track;
    begin.type = Event::begin;
    event(start, begin);
    event(end, {.type = Event::end, .track = on});
}

void PerfettoWriter::track(const Track& of)
{
    std::string packet;
    pbf_writer fields(packet);
    fields.add_uint32(10, sequence);
    {
        pbf_writer t(fields, 60);
        t.add_uint64(1, of.id);
        if (!of.name.empty())
            t.add_string(2, of.name);
        if (of.parent != 0)
            t.add_uint64(5, of.parent);
        if (of.process >= 0) {
            pbf_writer owner(t, of.thread >= 0 ? 4 : 3);
            owner.add_int32(1, of.process);
            if (of.thread >= 0)
                owner.add_int64(2, of.thread);
        }
        if (of.counter) {
            pbf_writer counter(t, 8);
            if (!of.unit.empty())
                counter.add_string(6, of.unit);
            if (of.factor != 0)
                counter.add_int64(4, of.factor);
            counter.add_bool(5, of.incremental);
        }
    }
    add(packet);
}

void PerfettoWriter::snapshot(const std::vector<Clock>& clocks, std::uint32_t traceClock)
{
    std::string packet;
    pbf_writer fields(packet);
    fields.add_uint32(10, sequence);
    {
        pbf_writer snapshot(fields, 6);
        for (const Clock& of : clocks) {
            pbf_writer reading(snapshot, 1);
            reading.add_uint32(1, of.id);
            reading.add_uint64(2, of.time);
            if (of.incremental)
                reading.add_bool(3, true);
            if (of.unit != 0)
                reading.add_uint64(4, of.unit);
        }
        if (traceClock != 0)
            snapshot.add_enum(2, static_cast<std::int32_t>(traceClock));
    }
    add(packet);
}

void PerfettoWriter::clear(std::uint64_t defaultTrack, std::uint32_t defaultClock)
{
    std::string packet;
    pbf_writer fields(packet);
    fields.add_uint32(10, sequence);
    fields.add_uint32(13, 1);
    {
        pbf_writer defaults(fields, 59);
        if (defaultClock != 0)
            defaults.add_uint32(58, defaultClock);
        pbf_writer(defaults, 11).add_uint64(11, defaultTrack);
    }
    add(packet);
}

void PerfettoWriter::intern(std::uint32_t list, std::uint64_t number, std::string_view text)
{
    std::string packet;
    pbf_writer fields(packet);
    fields.add_uint32(10, sequence);
    {
        pbf_writer data(fields, 12);
        pbf_writer entry(data, list);
        entry.add_uint64(1, number);
        entry.add_string(2, text.data(), text.size());
    }
    add(packet);
}

void PerfettoWriter::other(std::uint32_t field)
{
    std::string packet;
    pbf_writer(packet).add_string(field, "other data");
    add(packet);
}

void PerfettoWriter::dropped()
{
    std::string packet;
    pbf_writer fields(packet);
    fields.add_uint32(10, sequence);
    fields.add_uint32(42, 1);
    add(packet);
}

void PerfettoWriter::compress()
{
    uLongf size = ::compressBound(m_bytes.size());
    std::string packed(size, '\0');
    ::compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(m_bytes.data()),
               m_bytes.size());
    packed.resize(size);
    m_bytes.clear();
    std::string packet;
    pbf_writer(packet).add_bytes(50, packed);
    add(packet);
}

std::string perfettoSample()
{
    PerfettoWriter w;
    w.snapshot({{6, 1000}, {1, 1'700'000'000'000'000'000}, {64, 1, true, 1000}});
    w.track({.id = 10, .name = "trainer", .process = 77});
    w.track({.id = 11, .name = "main", .process = 77, .thread = 78});
    w.track({.id = 12, .name = "loader", .parent = 10});
    w.track({.id = 13, .name = "power", .parent = 10, .counter = true, .unit = "W"});
    w.clear(11, 64);
    w.intern(1, 1, "cpu_op");
    w.intern(2, 1, "aten::conv2d");
    w.intern(3, 1, "stream");
    w.event(1, {.type = PerfettoWriter::Event::begin, .internedName = 1, .internedCategory = 1});
    w.event(2, {.type = PerfettoWriter::Event::end});
    w.clock = 6;
    w.slice(3000, 4000, {.track = 12, .name = "load", .flows = {5}});
    w.slice(2000, 2500, {.name = "cudaLaunchKernel", .category = "cuda_runtime", .annotations = {{"correlation", 9}}});
    w.slice(5000, 9000,
            {.track = 20,
             .name = "gemm",
             .category = "kernel",
             .annotations = {
                 {"args",
                  std::vector<PerfettoWriter::Annotation>{
                      {"device", 0}, {"stream", 7}, {"correlation", 9}, {"grid", std::vector<std::int64_t>{4, 2, 1}}}},
                 {"occupancy", 0.5},
                 {"note", "text"}}});
    w.event(6000, {.type = PerfettoWriter::Event::counter, .track = 13, .value = 250.5});
    w.event(6500, {.type = PerfettoWriter::Event::none, .name = "old", .legacyPhase = 'X', .legacyDuration = 3});
    w.slice(
        7000, 7600,
        {.track = 21,
         .name = "add(float*) [clone .kd]",
         .category = "kernel_dispatch",
         .annotations = {{"begin_ns", 7000}, {"end_ns", 7600}, {"agent", "Agent-1"}, {"corr_id", 3}, {"queue", 2}}});
    w.other(1);
    const std::string plain = w.bytes();
    w.compress();
    return plain + w.bytes();
}

} // namespace apertune::test
