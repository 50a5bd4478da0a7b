// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/csv/csv_export.h"

#include "core/base/escape.h"
#include "core/interchange/chrome/errors.h"
#include "core/interchange/chrome/event_writer.h"
#include "core/interchange/files/output_file.h"
#include "core/trace/counter_unit.h"

#include <algorithm>

namespace apertune::interchange {

using base::Error;
using base::ErrorCode;
using base::Status;
using namespace chrome;

namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 20;
constexpr const char* kHeader = "kind,start_ns,duration_ns,name,track,process,thread,device,context,stream,correlation,"
                                "link,value,unit,address,details\n";

/// Appends a comma and the id, or only the comma when the id does not apply.
void appendId(std::string& out, std::int64_t id)
{
    out += ',';
    if (id != -1)
        appendNumber(out, id);
}

void appendLine(std::string& out, const trace::Trace& trace, const trace::Series& series, std::size_t i,
                EventWriter& writer, std::string& details)
{
    const trace::Event event = series.events.at(i);
    const trace::Track& track = trace.track(series);
    out += toString(series.kind);
    out += ',';
    appendNumber(out, event.start.count);
    out += ',';
    appendNumber(out, event.duration.count);
    out += ',';
    out += base::csvField(trace.text(event.name));
    out += ',';
    out += base::csvField(track.label);
    for (const std::int64_t id : {track.process, track.thread, track.device, track.context, track.stream})
        appendId(out, id);
    out += ',';
    appendNumber(out, event.correlation);
    out += ',';
    appendNumber(out, event.link);
    out += ',';
    const trace::CounterUnit unit = trace::readCounterUnit(track.unit);
    trace::appendSample(out, {event.value, unit.decimals});
    out += ',';
    out += base::csvField(unit.unit);
    out += ',';
    appendNumber(out, event.address);
    out += ',';
    details.clear();
    writer.appendArguments(details, series, i);
    out += base::csvField(details);
    out += '\n';
}

} // namespace

Status writeTraceCsv(const trace::Trace& trace, const std::filesystem::path& path, const trace::ExportOptions& options)
{
    auto file = files::OutputFile::create(path);
    if (!file)
        return file.error();
    EventWriter writer(trace);
    std::string out = kHeader;
    std::string details;
    const auto total = static_cast<double>(std::max<std::size_t>(1, trace.eventCount()));
    std::size_t done = 0;
    for (const trace::Series& series : trace.series) {
        for (std::size_t i = 0; i < series.events.size(); ++i) {
            appendLine(out, trace, series, i, writer, details);
            ++done;
            if (out.size() < kFlushBytes)
                continue;
            if (options.cancel.stop_requested())
                break;
            if (options.progress)
                options.progress(static_cast<double>(done) / total);
            if (const Status written = file->write(out); !written)
                return written;
            out.clear();
        }
    }
    if (options.cancel.stop_requested())
        return Error{ErrorCode::cancelled, base::message<chrome::errors::kExportStopped>()};
    if (const Status written = file->write(out); !written)
        return written;
    return file->commit();
}

} // namespace apertune::interchange
