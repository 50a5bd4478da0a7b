// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/interchange/trace_text.h"

#include "core/base/temporary_dir.h"
#include "core/interchange/chrome/event_writer.h"
#include "core/sentences/sentences.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace apertune::interchange::test {

namespace {

std::string trackText(const trace::Track& t)
{
    std::string text = "track " + std::to_string(static_cast<int>(t.type)) + " \"" + t.label + "\"";
    const auto id = [&text](const char* name, std::int64_t value) {
        if (value != -1)
            text += std::string(" ") + name + "=" + std::to_string(value);
    };
    id("process", t.process);
    id("thread", t.thread);
    id("device", t.device);
    id("context", t.context);
    id("stream", t.stream);
    return text + (t.unit.empty() ? "" : " unit=" + t.unit) + "\n";
}

std::string intervalText(const model::Interval& interval)
{
    std::string text = "[";
    for (const double number : {interval.value, interval.lo, interval.hi, interval.confidence}) {
        interchange::chrome::appendNumber(text, number);
        text += ' ';
    }
    return text + "] ";
}

std::string deviceText(const trace::DeviceProperties& d)
{
    std::string text = "device " + std::to_string(d.id) + " \"" + d.name + "\"";
    for (const std::int64_t value :
         {std::int64_t{d.computeMajor}, std::int64_t{d.computeMinor}, std::int64_t{d.multiprocessors},
          std::int64_t{d.warpSize}, std::int64_t{d.maxThreadsPerBlock}, std::int64_t{d.maxThreadsPerMultiprocessor},
          std::int64_t{d.registersPerMultiprocessor}, d.sharedBytesPerBlock, d.sharedBytesPerMultiprocessor,
          d.totalMemory, d.memoryBandwidth, d.linkBandwidth})
        text += " " + std::to_string(value);
    return text + "\n";
}

} // namespace

std::string traceText(const trace::Trace& trace)
{
    std::string text = trace.name + " from " + trace.source + " (" + trace.recorderVersion + ") epoch " +
                       std::to_string(trace.originEpoch) + " monotonic " + std::to_string(trace.originMonotonic) + "\n";
    for (const trace::DeviceProperties& device : trace.devices)
        text += deviceText(device);
    for (const trace::Loss& loss : trace.losses)
        text += "loss " + std::to_string(loss.count) + " " + std::string(toString(loss.kind)) + " severity " +
                std::to_string(static_cast<int>(loss.severity)) + " at " + std::to_string(loss.time.count) + ": " +
                sentences::sentence(loss.reason) + "\n";
    if (trace.cost)
        text += "cost " + intervalText(trace.cost->bareNs) + intervalText(trace.cost->tracedNs) +
                intervalText(trace.cost->ratio) + std::to_string(trace.cost->bareIterations) + " " +
                std::to_string(trace.cost->tracedIterations) + "\n";
    interchange::chrome::EventWriter writer(trace);
    for (std::size_t t = 0; t < trace.tracks.size(); ++t) {
        text += trackText(trace.tracks[t]);
        for (const trace::Series& series : trace.series) {
            if (series.track.value != t)
                continue;
            for (std::size_t i = 0; i < series.events.size(); ++i) {
                const trace::Event event = series.events.at(i);
                text += "  " + std::to_string(event.start.count) + " +" + std::to_string(event.duration.count) + " " +
                        std::string(toString(series.kind)) + " " + std::string(trace.text(event.name)) + " ";
                writer.appendArguments(text, series, i);
                text += "\n";
            }
        }
    }
    return text;
}

base::Result<trace::Trace> importText(std::string_view json, const trace::ImportOptions& options)
{
    const auto dir = base::TemporaryDir::create("import");
    if (!dir)
        return dir.error();
    const std::filesystem::path file = dir->path() / "trace.json";
    std::ofstream(file, std::ios::binary) << json;
    auto trace = importKineto(file, options);
    if (trace)
        return trace;
    base::Error error = trace.error();
    error.context.clear();
    return error;
}

std::string packed(std::string_view text)
{
    z_stream stream{};
    ::deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(text.size() + 1024, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    ::deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    return out;
}

std::string packedZstd(std::string_view text)
{
    ZSTD_CCtx* const context = ::ZSTD_createCCtx();
    ::ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    std::string out(::ZSTD_compressBound(text.size()), '\0');
    out.resize(::ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
    ::ZSTD_freeCCtx(context);
    return out;
}

std::vector<std::filesystem::path> realTraces()
{
    std::vector<std::filesystem::path> files;
    const char* const folder = std::getenv("APERTUNE_TRACES");
    if (!folder)
        return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().string().ends_with(".json.gz") || entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace apertune::interchange::test
