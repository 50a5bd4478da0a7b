// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/chrome_export.h"

#include "core/base/json.h"
#include "core/interchange/chrome/errors.h"
#include "core/interchange/chrome/event_writer.h"
#include "core/interchange/chrome/file_facts.h"
#include "core/interchange/chrome/vocabulary.h"
#include "core/interchange/files/output_file.h"
#include "core/sentences/sentences.h"
#include "core/trace/counter_unit.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace apertune::interchange {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Status;
using namespace chrome;

namespace {

/// The process and thread under which a track is drawn.
struct TrackPlace
{
    std::int64_t process = 0;
    std::int64_t thread = 0;
    auto operator<=>(const TrackPlace&) const = default;
};

/// Assigns a place to each track. Kineto's place is used when it is free and not negative (viewers read unsigned
/// numbers), otherwise a number that no system gives.
std::vector<TrackPlace> placeTracks(const std::vector<trace::Track>& tracks)
{
    // Above the largest process id of Linux (2^22). From 2^31 on, some viewers would read negative numbers.
    constexpr std::int64_t kFirstFree = 2'000'000'000;
    std::vector<TrackPlace> places;
    std::set<TrackPlace> taken;
    std::int64_t free = kFirstFree;
    for (const trace::Track& track : tracks) {
        TrackPlace place{track.process, track.thread};
        // Viewers know devices and streams as processes and threads, so streams of one device are its threads.
        if (track.type == trace::TrackType::stream)
            place = {track.device, track.stream};
        else if (track.type == trace::TrackType::device ||
                 (track.type == trace::TrackType::counter && track.device >= 0))
            place = {track.device, -1};
        if (place.process < 0)
            place.process = kFirstFree;
        // Two tracks on one place would be drawn over each other.
        if (place.thread < 0 || place.thread >= kFirstFree || taken.contains(place))
            place.thread = free++;
        taken.insert(place);
        places.push_back(place);
    }
    return places;
}

constexpr std::size_t kFlushBytes = std::size_t{1} << 20;

Json deviceJson(const trace::DeviceProperties& d)
{
    return {{"id", d.id},
            {"name", d.name},
            {"totalGlobalMem", d.totalMemory},
            {"computeMajor", d.computeMajor},
            {"computeMinor", d.computeMinor},
            {"maxThreadsPerBlock", d.maxThreadsPerBlock},
            {"maxThreadsPerMultiprocessor", d.maxThreadsPerMultiprocessor},
            {"regsPerMultiprocessor", d.registersPerMultiprocessor},
            {"warpSize", d.warpSize},
            {"sharedMemPerBlock", d.sharedBytesPerBlock},
            {"sharedMemPerMultiprocessor", d.sharedBytesPerMultiprocessor},
            {"numSms", d.multiprocessors},
            {"memoryBandwidthBytesPerSecond", d.memoryBandwidth},
            {"linkBandwidthBytesPerSecond", d.linkBandwidth}};
}

Json trackJson(const trace::Track& t, const TrackPlace& place)
{
    return {{"pid", place.process}, {"tid", place.thread}, {"type", static_cast<int>(t.type)},
            {"process", t.process}, {"thread", t.thread},  {"device", t.device},
            {"context", t.context}, {"stream", t.stream},  {"label", t.label},
            {"unit", t.unit}};
}

Json intervalArray(const model::Interval& interval)
{
    return {interval.value, interval.lo, interval.hi, interval.confidence};
}

Json costJson(const std::optional<trace::RecordingCost>& cost)
{
    if (!cost)
        return nullptr;
    return {{"bare_ns", intervalArray(cost->bareNs)},
            {"traced_ns", intervalArray(cost->tracedNs)},
            {"ratio", intervalArray(cost->ratio)},
            {"bare_iterations", cost->bareIterations},
            {"traced_iterations", cost->tracedIterations}};
}

Json ownJson(const trace::Trace& trace, const std::vector<TrackPlace>& places, std::int64_t offset)
{
    Json tracks = Json::array();
    for (std::size_t i = 0; i < places.size(); ++i)
        tracks.push_back(trackJson(trace.tracks[i], places[i]));
    Json losses = Json::array();
    for (const trace::Loss& loss : trace.losses)
        losses.push_back({{"time_ns", loss.time.count},
                          {"kind", toString(loss.kind)},
                          {"count", loss.count},
                          {"severity", static_cast<int>(loss.severity)},
                          {"reason", sentences::sentence(loss.reason)},
                          {"reason_message", base::toJson(loss.reason)}});
    Json own = {{"schema", kOwnSchema},
                {"name", trace.name},
                {"source", trace.source},
                {"recorder_version", trace.recorderVersion},
                {"origin_monotonic_ns", trace.originMonotonic},
                {"origin_epoch_ns", trace.originEpoch},
                {"offset_ns", offset},
                {"tracks", tracks},
                {"losses", losses},
                {"cost", costJson(trace.cost)}};
    if (trace.rank >= 0) {
        own["rank"] = trace.rank;
        own["world_size"] = trace.worldSize;
    }
    return own;
}

/// One export. Text is collected in a buffer and written in pieces of a megabyte.
class ChromeWriter
{
public:
    ChromeWriter(const trace::Trace& trace, files::OutputFile& file, const trace::ExportOptions& options)
        : m_trace(trace), m_file(file), m_options(options), m_events(trace), m_places(placeTracks(trace.tracks)),
          m_total(std::max<std::size_t>(1, trace.eventCount()))
    {
        // Viewers drop events with negative times.
        m_offset = std::max<std::int64_t>(0, -trace.begin().count);
    }

    Status write()
    {
        writeHead();
        writeLabels();
        findLaunches();
        // Launches are known before the first event is written, as arrows need both ends.
        for (const trace::Series& series : m_trace.series)
            if (const Status written = writeSeries(series); !written)
                return written;
        if (m_options.cancel.stop_requested())
            return stopped();
        m_out += "\n]}\n";
        return m_file.write(m_out);
    }

private:
    static Error stopped() { return {ErrorCode::cancelled, base::message<chrome::errors::kExportStopped>()}; }

    void writeHead()
    {
        Json head = {{"schemaVersion", 1}};
        head["apertune"] = ownJson(m_trace, m_places, m_offset);
        Json devices = Json::array();
        for (const trace::DeviceProperties& device : m_trace.devices)
            devices.push_back(deviceJson(device));
        head["deviceProperties"] = devices;
        head["displayTimeUnit"] = "ms";
        if (m_trace.rank >= 0)
            head["distributedInfo"] = {{"rank", m_trace.rank}, {"world_size", m_trace.worldSize}};
        // Viewers and importers add this time to get the time of day.
        if (m_trace.originEpoch != 0)
            head["baseTimeNanoseconds"] = m_trace.originEpoch - m_offset;
        m_out = head.dump(-1, ' ', false, Json::error_handler_t::replace);
        m_out.back() = ','; // replaces the closing brace
        m_out += "\n\"traceEvents\":[";
    }

    void writeLabels()
    {
        std::set<std::int64_t> named;
        // The name of a process is written once, with its first track.
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            const trace::Track& track = m_trace.tracks[i];
            const TrackPlace& place = m_places[i];
            if (named.insert(place.process).second) {
                const bool device = track.device >= 0;
                const trace::DeviceProperties* known = m_trace.device(track.device);
                label("process_name", place,
                      device ? "GPU " + std::to_string(track.device) +
                                   (known && !known->name.empty() ? ": " + known->name : "")
                      : track.process >= 0 ? "process " + std::to_string(track.process)
                                           : "recorder");
                begin();
                m_out += "{\"name\":\"process_sort_index\",\"ph\":\"M\",\"ts\":0,\"pid\":";
                appendNumber(m_out, place.process);
                m_out += ",\"tid\":0,\"args\":{\"sort_index\":";
                // Kineto's number, which puts the devices below all processes.
                appendNumber(m_out, device ? 5'000'000 + track.device : 0);
                m_out += "}}";
            }
            label("thread_name", place, track.label);
        }
    }

    void label(const char* what, const TrackPlace& place, const std::string& text)
    {
        begin();
        m_out += std::string("{\"name\":\"") + what + "\",\"ph\":\"M\",\"ts\":0";
        appendPlace(place);
        m_out += ",\"args\":{\"name\":";
        appendQuoted(m_out, text);
        m_out += "}}";
    }

    void begin()
    {
        m_out += m_any ? ",\n" : "\n";
        m_any = true;
    }

    void appendPlace(const TrackPlace& place)
    {
        m_out += ",\"pid\":";
        appendNumber(m_out, place.process);
        m_out += ",\"tid\":";
        appendNumber(m_out, place.thread);
    }

    /// Finds the call at which an arrow begins, for each correlation of device work.
    void findLaunches()
    {
        for (const trace::Series& series : m_trace.series)
            if (trace::isDeviceWork(series.kind))
                for (const std::uint32_t id : series.events.correlation)
                    m_launches.emplace(id, std::pair(TrackPlace{}, kNoLaunch));
        // 0 is no correlation.
        m_launches.erase(0);
        if (m_launches.empty())
            return;
        for (const trace::Series& series : m_trace.series) {
            if (series.kind != trace::EventKind::runtimeCall && series.kind != trace::EventKind::driverCall)
                continue;
            for (std::size_t i = 0; i < series.events.correlation.size(); ++i)
                if (const auto at = m_launches.find(series.events.correlation[i]); at != m_launches.end())
                    at->second = {m_places[series.track.value], series.events.start[i]};
        }
    }

    void writeArrow(char phase, std::uint32_t id, const TrackPlace& place, std::int64_t start)
    {
        begin();
        m_out += "{\"ph\":\"";
        m_out += phase;
        m_out += "\",\"id\":";
        appendNumber(m_out, id);
        appendPlace(place);
        m_out += ",\"ts\":";
        appendMicroseconds(m_out, start + m_offset);
        m_out += ",\"cat\":\"ac2g\",\"name\":\"ac2g\"";
        // The arrow ends at the beginning of the enclosing event.
        m_out += phase == 'f' ? ",\"bp\":\"e\"}" : "}";
    }

    Status writeSeries(const trace::Series& series)
    {
        const TrackPlace& place = m_places[series.track.value];
        const trace::EventColumns& events = series.events;
        const int decimals = trace::readCounterUnit(m_trace.tracks[series.track.value].unit).decimals;
        const bool memory =
            series.kind == trace::EventKind::tensorMemory || series.kind == trace::EventKind::deviceMemory;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const bool counter = series.kind == trace::EventKind::counter;
            // Memory events without a length are instants, which other events would hide.
            const bool instant = memory && events.duration[i] == 0;
            begin();
            m_out += counter   ? "{\"ph\":\"C\",\"cat\":\""
                     : instant ? "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\""
                               : "{\"ph\":\"X\",\"cat\":\"";
            m_out += categoryOf(series.kind);
            m_out += "\",\"name\":";
            m_out += m_events.quoted({events.name[i]});
            appendPlace(place);
            m_out += ",\"ts\":";
            appendMicroseconds(m_out, events.start[i] + m_offset);
            if (!counter && !instant) {
                m_out += ",\"dur\":";
                appendMicroseconds(m_out, events.duration[i]);
            }
            m_out += ",\"args\":";
            if (counter) {
                m_out += "{\"value\":";
                trace::appendSample(m_out, {trace::valueAt(events.value, i), decimals});
                m_out += "}}";
            } else {
                m_events.appendArguments(m_out, series, i);
                m_out += '}';
            }
            writeArrows(series, i, place);
            if (const Status flushed = flush(); !flushed)
                return flushed;
        }
        return {};
    }

    void writeArrows(const trace::Series& series, std::size_t i, const TrackPlace& place)
    {
        const std::uint32_t id = trace::valueAt(series.events.correlation, i);
        const auto launch = id == 0 ? m_launches.end() : m_launches.find(id);
        // Work whose launch was not recorded has no arrow.
        if (launch == m_launches.end() || launch->second.second == kNoLaunch)
            return;
        if (trace::isDeviceWork(series.kind))
            writeArrow('f', id, place, series.events.start[i]);
        else if (launch->second == std::pair(place, series.events.start[i]))
            writeArrow('s', id, place, series.events.start[i]);
    }

    Status flush()
    {
        ++m_done;
        // The text is written in large pieces, and only then is it asked whether to stop.
        if (m_out.size() < kFlushBytes)
            return {};
        if (m_options.cancel.stop_requested())
            return stopped();
        if (m_options.progress)
            m_options.progress(static_cast<double>(m_done) / static_cast<double>(m_total));
        const Status written = m_file.write(m_out);
        m_out.clear();
        return written;
    }

    static constexpr std::int64_t kNoLaunch = INT64_MIN;

    const trace::Trace& m_trace;
    files::OutputFile& m_file;
    const trace::ExportOptions& m_options;
    EventWriter m_events;
    std::vector<TrackPlace> m_places;
    std::size_t m_total;
    std::size_t m_done = 0;
    std::int64_t m_offset = 0; ///< added to every time, so that none is negative
    std::unordered_map<std::uint32_t, std::pair<TrackPlace, std::int64_t>> m_launches;
    std::string m_out;
    bool m_any = false;
};

} // namespace

Status writeChromeTrace(const trace::Trace& trace, const std::filesystem::path& path,
                        const trace::ExportOptions& options)
{
    auto file = files::OutputFile::create(path);
    if (!file)
        return file.error();
    if (const Status written = ChromeWriter(trace, *file, options).write(); !written)
        return written;
    return file->commit();
}

} // namespace apertune::interchange
