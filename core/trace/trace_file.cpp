// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_file.h"

#include "core/base/errors.h"
#include "core/trace/errors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>

namespace apertune::trace {

using base::Error;
using base::ErrorCode;

static_assert(std::endian::native == std::endian::little, "columns are written as they lie in memory");

namespace {

constexpr std::string_view kBegin = "APTNTRC3";
constexpr std::string_view kEnd = "APTNTRCE";
constexpr std::size_t kMagic = 8;

class Writer
{
public:
    explicit Writer(const std::filesystem::path& file) : m_out(file, std::ios::binary | std::ios::trunc) {}

    void bytes(const void* data, std::size_t size)
    {
        m_out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    }
    template <typename T>
    void value(T v)
    {
        static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
        bytes(&v, sizeof v);
    }
    void value(const std::string& text)
    {
        value(static_cast<std::uint32_t>(text.size()));
        bytes(text.data(), text.size());
    }
    void value(const base::Message& message)
    {
        value(base::toJson(message).dump(-1, ' ', false, base::Json::error_handler_t::replace));
    }
    void value(StringId id) { value(id.value); }
    void value(bool b) { value(static_cast<std::uint8_t>(b)); }
    template <typename T>
    requires std::is_enum_v<T>
    void value(T e) { value(static_cast<std::uint8_t>(e)); }
    template <typename T, std::size_t N>
    void value(const std::array<T, N>& a)
    {
        bytes(a.data(), sizeof a);
    }
    void value(const model::Interval& i) { fields(i.value, i.lo, i.hi, i.confidence); }

    template <typename... T>
    void fields(const T&... values)
    {
        (value(values), ...);
    }
    template <typename T, typename Each>
    void list(const std::vector<T>& items, Each each)
    {
        value(static_cast<std::uint32_t>(items.size()));
        for (const T& item : items)
            each(item);
    }
    template <typename T>
    void column(const std::vector<T>& values)
    {
        bytes(values.data(), values.size() * sizeof(T));
    }

    bool close()
    {
        m_out.close();
        return !m_out.fail();
    }

private:
    std::ofstream m_out;
};

struct Corrupt
{
    base::Message what;
};

class Reader
{
public:
    Reader(const std::filesystem::path& file, std::uint64_t size) : m_in(file, std::ios::binary), m_left(size) {}

    void bytes(void* data, std::uint64_t size)
    {
        if (size > m_left || !m_in.read(static_cast<char*>(data), static_cast<std::streamsize>(size)))
            throw Corrupt{base::message<errors::kEndsTooEarly>()};
        m_left -= size;
    }
    template <typename T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) void value(T& v) { bytes(&v, sizeof v); }
    void value(std::string& text)
    {
        const auto size = get<std::uint32_t>();
        if (size > m_left)
            throw Corrupt{base::message<errors::kLongText>()};
        text.resize(size);
        bytes(text.data(), size);
    }
    void value(base::Message& message)
    {
        message = base::messageFromJson(base::Json::parse(get<std::string>(), nullptr, false));
        if (message.empty())
            throw Corrupt{base::message<errors::kTextMissing>()};
    }
    void value(StringId& id)
    {
        value(id.value);
        if (id.value >= strings)
            throw Corrupt{base::message<errors::kTextMissing>()};
    }
    void value(bool& b) { b = get<std::uint8_t>() != 0; }
    template <typename T>
    requires std::is_enum_v<T>
    void value(T& e) { e = static_cast<T>(get<std::uint8_t>()); }
    template <typename T, std::size_t N>
    void value(std::array<T, N>& a)
    {
        bytes(a.data(), sizeof a);
    }
    void value(model::Interval& i) { fields(i.value, i.lo, i.hi, i.confidence); }

    template <typename... T>
    void fields(T&... values)
    {
        (value(values), ...);
    }
    template <typename T>
    T get()
    {
        T v{};
        value(v);
        return v;
    }
    template <typename T, typename Each>
    void list(std::vector<T>& items, Each each)
    {
        const auto count = get<std::uint32_t>();
        if (count > m_left) // every entry takes at least one byte
            throw Corrupt{base::message<errors::kLongList>()};
        items.clear();
        for (std::uint32_t i = 0; i < count; ++i)
            each(items.emplace_back());
    }
    template <typename T>
    void column(std::vector<T>& values, std::uint64_t count)
    {
        // A damaged count must fail here, and not in an allocation of its size.
        if (count > m_left / sizeof(T))
            throw Corrupt{base::message<errors::kLongColumn>()};
        values.resize(count);
        bytes(values.data(), count * sizeof(T));
    }

    std::uint64_t left() const { return m_left; }
    bool open() const { return m_in.is_open(); }

    std::uint32_t strings = 1; ///< number of strings, once known

private:
    std::ifstream m_in;
    std::uint64_t m_left;
};

// One list of fields serves both directions, so that writer and reader cannot differ.
template <typename IO, typename T>
void track(IO& io, T& t)
{
    io.fields(t.type, t.process, t.thread, t.device, t.context, t.stream, t.label, t.unit);
}

template <typename IO, typename T>
void details(IO& io, T& d)
{
    io.list(d.kernels, [&](auto& k) {
        io.fields(k.grid, k.block, k.cluster, k.registersPerThread, k.staticSharedBytes, k.dynamicSharedBytes,
                  k.localBytesPerThread, k.graph, k.graphNode, k.recordedOccupancy);
    });
    io.list(d.copies, [&](auto& c) {
        io.fields(c.direction, c.source, c.target, c.asynchronous, c.sourceDevice, c.targetDevice, c.graph,
                  c.graphNode);
    });
    io.list(d.synchronizations, [&](auto& s) { io.fields(s.type, s.event, s.stream); });
    io.list(d.operators, [&](auto& o) {
        io.fields(o.inputShapes, o.inputStrides, o.inputTypes, o.module, o.collective, o.sequence);
    });
    io.list(d.memory, [&](auto& m) { io.fields(m.kind, m.device, m.owner); });
    io.list(d.notes, [&](auto& n) { io.value(n.note); });
}

template <typename IO, typename T>
void device(IO& io, T& d)
{
    io.fields(d.id, d.name, d.computeMajor, d.computeMinor, d.multiprocessors, d.warpSize, d.maxThreadsPerBlock,
              d.maxThreadsPerMultiprocessor, d.registersPerMultiprocessor, d.sharedBytesPerBlock,
              d.sharedBytesPerMultiprocessor, d.totalMemory, d.memoryBandwidth, d.linkBandwidth);
}

template <typename IO, typename T>
void loss(IO& io, T& l)
{
    io.fields(l.time.count, l.kind, l.count, l.severity);
    io.value(l.reason);
}

template <typename IO, typename T>
void cost(IO& io, T& c)
{
    io.fields(c.bareNs, c.tracedNs, c.ratio, c.bareIterations, c.tracedIterations);
}

/// The optional columns, starting with the lowest bit of the mask.
template <typename Columns>
auto optionalColumns(Columns& e)
{
    return std::tie(e.correlation, e.link, e.detail, e.value, e.address);
}

void writeSeries(Writer& out, const Series& s)
{
    const EventColumns& e = s.events;
    std::uint8_t mask = 0;
    std::apply(
        [&, bit = 0](const auto&... column) mutable {
            ((mask = static_cast<std::uint8_t>(mask | (column.empty() ? 0 : 1 << bit)), ++bit), ...);
        },
        optionalColumns(e));
    out.fields(s.track.value, s.kind, static_cast<std::uint64_t>(e.size()), mask);
    out.column(e.start);
    out.column(e.duration);
    out.column(e.name);
    std::apply([&](const auto&... column) { (out.column(column), ...); }, optionalColumns(e));
}

template <const base::MessageKind& problem>
void check(const std::vector<std::uint32_t>& indices, std::size_t size)
{
    if (std::any_of(indices.begin(), indices.end(), [size](std::uint32_t i) { return i >= size; }))
        throw Corrupt{base::message<problem>()};
}

std::size_t detailCount(const Details& d, EventKind kind)
{
    switch (kind) {
    case EventKind::kernel:
    case EventKind::graphLaunch:
        return d.kernels.size();
    case EventKind::copy:
    case EventKind::memset:
        return d.copies.size();
    case EventKind::synchronization:
        return d.synchronizations.size();
    case EventKind::operatorCall:
        return d.operators.size();
    case EventKind::deviceMemory:
    case EventKind::tensorMemory:
        return d.memory.size();
    case EventKind::compilation:
    case EventKind::overhead:
        return d.notes.size();
    default:
        return 1;
    }
}

/// Checks two promises of a trace: events are in the order of EventColumns::sort(), and no end overflows.
void checkOrder(const EventColumns& e)
{
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.duration[i] < 0 || e.start[i] > std::numeric_limits<std::int64_t>::max() - e.duration[i])
            throw Corrupt{base::message<errors::kImpossibleTime>()};
        if (i > 0 &&
            (e.start[i] < e.start[i - 1] || (e.start[i] == e.start[i - 1] && e.duration[i] > e.duration[i - 1])))
            throw Corrupt{base::message<errors::kEventsUnordered>()};
    }
}

void readSeries(Reader& in, const Trace& trace, Series& s)
{
    in.fields(s.track.value, s.kind);
    if (s.track.value >= trace.tracks.size())
        throw Corrupt{base::message<errors::kTrackMissing>()};
    if (std::find(kEventKinds.begin(), kEventKinds.end(), s.kind) == kEventKinds.end())
        throw Corrupt{base::message<errors::kUnknownEventKind>()};
    const auto count = in.get<std::uint64_t>();
    const auto mask = in.get<std::uint8_t>();
    EventColumns& e = s.events;
    in.column(e.start, count);
    in.column(e.duration, count);
    in.column(e.name, count);
    std::apply(
        [&, bit = 0](auto&... column) mutable { ((mask >> bit & 1 ? in.column(column, count) : void(), ++bit), ...); },
        optionalColumns(e));
    if (count == 0)
        throw Corrupt{base::message<errors::kEmptySeries>()};
    check<errors::kNameMissing>(e.name, trace.strings.size());
    check<errors::kDetailMissing>(e.detail, detailCount(trace.details, s.kind));
    checkOrder(e);
}

Trace readAll(Reader& in)
{
    Trace trace;
    in.fields(trace.name, trace.source, trace.recorderVersion, trace.originMonotonic, trace.originEpoch);
    in.list(trace.strings, [&](std::string& text) { in.value(text); });
    if (trace.strings.empty() || !trace.strings.front().empty())
        throw Corrupt{base::message<errors::kFirstTextNotEmpty>()};
    in.strings = static_cast<std::uint32_t>(trace.strings.size());
    in.list(trace.tracks, [&](Track& t) { track(in, t); });
    details(in, trace.details);
    const Details& lists = trace.details;
    for (const std::size_t rows : {lists.kernels.size(), lists.copies.size(), lists.synchronizations.size(),
                                   lists.operators.size(), lists.memory.size(), lists.notes.size()})
        if (rows == 0)
            throw Corrupt{base::message<errors::kNoEmptyRow>()};
    in.list(trace.devices, [&](DeviceProperties& d) { device(in, d); });
    in.list(trace.losses, [&](Loss& l) { loss(in, l); });
    if (in.get<std::uint8_t>() != 0)
        cost(in, trace.cost.emplace());
    in.list(trace.series, [&](Series& s) { readSeries(in, trace, s); });
    const auto follows = [](const Series& a, const Series& b) {
        return a.track != b.track ? a.track > b.track : a.kind >= b.kind;
    };
    if (std::adjacent_find(trace.series.begin(), trace.series.end(), follows) != trace.series.end())
        throw Corrupt{base::message<errors::kSeriesUnordered>()};
    std::array<char, kMagic> end{};
    in.value(end);
    if (std::string_view(end.data(), end.size()) != kEnd || in.left() != 0)
        throw Corrupt{base::message<errors::kWrongEnd>()};
    return trace;
}

} // namespace

base::Status writeTraceFile(const Trace& trace, const std::filesystem::path& file)
{
    std::filesystem::path part = file;
    // A reader never sees a file that is still being written.
    part += ".part";
    Writer out(part);
    out.bytes(kBegin.data(), kMagic);
    out.fields(trace.name, trace.source, trace.recorderVersion, trace.originMonotonic, trace.originEpoch);
    out.list(trace.strings, [&](const std::string& text) { out.value(text); });
    out.list(trace.tracks, [&](const Track& t) { track(out, t); });
    details(out, trace.details);
    out.list(trace.devices, [&](const DeviceProperties& d) { device(out, d); });
    out.list(trace.losses, [&](const Loss& l) { loss(out, l); });
    out.value(trace.cost.has_value());
    if (trace.cost)
        cost(out, *trace.cost);
    out.list(trace.series, [&](const Series& s) { writeSeries(out, s); });
    out.bytes(kEnd.data(), kMagic);
    std::error_code failure;
    if (out.close())
        std::filesystem::rename(part, file, failure);
    else
        failure = std::make_error_code(std::errc::io_error);
    if (!failure)
        return {};
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    return Error{ErrorCode::io,
                 base::message<base::errors::kCannotWrite>(file.string(), failure.message()),
                 {},
                 base::message<errors::kFreeSpaceOrFewer>()};
}

base::Result<Trace> readTraceFile(const std::filesystem::path& file)
{
    std::error_code missing;
    const std::uint64_t size = std::filesystem::file_size(file, missing);
    Reader in(file, missing ? 0 : size);
    if (missing || !in.open())
        return Error{ErrorCode::notFound, base::message<errors::kNoTraceFile>(), file.string(),
                     base::message<errors::kTraceAgain>()};
    const auto corrupt = [&](const base::Message& what) {
        return Error{ErrorCode::corrupt, base::message<errors::kDamagedFile>(what), file.string(),
                     base::message<errors::kTraceAgain>()};
    };
    try {
        std::array<char, kMagic> begin{};
        in.value(begin);
        const std::string_view magic(begin.data(), begin.size());
        // The last character is the version of the format.
        if (magic.substr(0, kMagic - 1) != kBegin.substr(0, kMagic - 1))
            return corrupt(base::message<errors::kNotATraceFile>());
        if (magic != kBegin)
            return Error{ErrorCode::unsupported, base::message<errors::kOtherVersion>(), file.string(),
                         base::message<base::errors::kSameVersion>()};
        return readAll(in);
    } catch (const Corrupt& e) {
        return corrupt(e.what);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::outOfMemory, base::message<errors::kTooLarge>(), file.string(),
                     base::message<errors::kFewerIterations>()};
    }
}

} // namespace apertune::trace
