// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace_views/trace_labels.h"

#include "core/analysis/kernel_name.h"
#include "core/trace/counter_unit.h"
#include "widgets/theme/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace apertune::trace_views {

using analysis::WorkClass;
using controls::FactList;
using timeline::GroupType;
using trace::EventKind;

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("apertune::trace_views", text);
}

QString directionWord(trace::CopyDirection direction)
{
    switch (direction) {
    case trace::CopyDirection::hostToDevice:
        return tr("host → device");
    case trace::CopyDirection::deviceToHost:
        return tr("device → host");
    case trace::CopyDirection::deviceToDevice:
        return tr("within the device");
    case trace::CopyDirection::hostToHost:
        return tr("within the host");
    case trace::CopyDirection::peerToPeer:
        return tr("device → device");
    case trace::CopyDirection::array:
        return tr("array");
    case trace::CopyDirection::unknown:
        break;
    }
    return {};
}

QString memoryWord(trace::MemoryKind kind)
{
    switch (kind) {
    case trace::MemoryKind::pageable:
        return tr("pageable");
    case trace::MemoryKind::pinned:
        return tr("pinned");
    case trace::MemoryKind::managed:
    case trace::MemoryKind::managedStatic:
        return tr("managed");
    case trace::MemoryKind::device:
    case trace::MemoryKind::deviceStatic:
        return tr("device");
    case trace::MemoryKind::array:
        return tr("array");
    case trace::MemoryKind::unknown:
        break;
    }
    return {};
}

template <typename T>
T valueOr(const std::vector<T>& column, std::size_t i)
{
    return column.empty() ? T{} : column[i];
}

QString sizes(const std::array<std::uint32_t, 3>& size)
{
    return QStringLiteral("%1 × %2 × %3").arg(size[0]).arg(size[1]).arg(size[2]);
}

void addKernelFacts(const trace::KernelDetail& detail, std::vector<FactList::Fact>& facts)
{
    if (detail.grid[0] == 0)
        return;
    facts.push_back({tr("Grid"), sizes(detail.grid), tr("Blocks of the launch.")});
    facts.push_back({tr("Block"), sizes(detail.block), tr("Threads of each block.")});
    if (detail.registersPerThread > 0)
        facts.push_back({tr("Registers"), tr("%1 a thread").arg(detail.registersPerThread)});
    const std::int64_t shared = std::int64_t{detail.staticSharedBytes} + detail.dynamicSharedBytes;
    if (shared > 0)
        facts.push_back({tr("Shared memory"), tr("%1 a block").arg(theme::bytes({shared}))});
    if (detail.recordedOccupancy > 0) // recorders write 0 where they do not know
        facts.push_back({tr("Occupancy, recorded"), theme::percent(static_cast<double>(detail.recordedOccupancy)),
                         tr("The recorder's own estimate: warps that fit on a multiprocessor at once, of those that it "
                            "can hold.")});
    if (detail.graph > 0)
        facts.push_back({tr("CUDA graph"), tr("%1, node %2").arg(detail.graph).arg(detail.graphNode),
                         tr("The captured graph that launched it, and which of its nodes it is.")});
}

QString synchronizationWord(trace::SynchronizationType type)
{
    switch (type) {
    case trace::SynchronizationType::event:
        return tr("the host, for an event");
    case trace::SynchronizationType::streamWait:
        return tr("a stream, for an event");
    case trace::SynchronizationType::stream:
        return tr("the host, for a stream");
    case trace::SynchronizationType::context:
        return tr("the host, for the whole device");
    case trace::SynchronizationType::unknown:
        break;
    }
    return {};
}

void addOperatorFacts(const trace::Trace& trace, const trace::OperatorDetail& detail,
                      std::vector<FactList::Fact>& facts)
{
    const auto add = [&](const QString& name, trace::StringId text, const QString& meaning) {
        if (const std::string_view value = trace.text(text); !value.empty())
            facts.push_back({name, theme::toQt(value), meaning});
    };
    add(tr("Inputs"), detail.inputShapes, tr("Shapes of the inputs."));
    add(tr("Types"), detail.inputTypes, tr("Element types of the inputs."));
    add(tr("Module"), detail.module, tr("The modules of the model around the operator."));
}

void addCopyFacts(const trace::CopyDetail& detail, std::int64_t bytes, std::int64_t duration,
                  std::vector<FactList::Fact>& facts)
{
    const QString direction = directionWord(detail.direction);
    if (!direction.isEmpty())
        facts.push_back({tr("Direction"), direction});
    if (detail.source != trace::MemoryKind::unknown || detail.target != trace::MemoryKind::unknown) {
        const bool slow = detail.source == trace::MemoryKind::pageable || detail.target == trace::MemoryKind::pageable;
        facts.push_back({tr("Memory"), tr("%1 → %2").arg(memoryWord(detail.source), memoryWord(detail.target)),
                         tr("Pageable host memory is copied through a buffer of the driver; pinned memory is not."),
                         slow ? controls::Tone::warn : controls::Tone::text,
                         slow ? QStringLiteral("warning") : QString()});
    }
    if (bytes > 0) {
        facts.push_back({tr("Size"), theme::bytes({bytes})});
        if (duration > 0)
            facts.push_back({tr("Rate"), rateWord(bytes, duration)});
    }
}

} // namespace

QString kindWord(EventKind kind)
{
    switch (kind) {
    case EventKind::kernel:
        return tr("kernels");
    case EventKind::copy:
        return tr("copies");
    case EventKind::memset:
        return tr("fills");
    case EventKind::runtimeCall:
        return tr("CUDA calls");
    case EventKind::driverCall:
        return tr("driver calls");
    case EventKind::synchronization:
        return tr("waits");
    case EventKind::graphLaunch:
        return tr("graphs");
    case EventKind::operatorCall:
        return tr("operators");
    case EventKind::range:
        return tr("ranges");
    case EventKind::deviceRange:
        return tr("device ranges");
    case EventKind::deviceMemory:
        return tr("device memory");
    case EventKind::tensorMemory:
        return tr("tensors");
    case EventKind::compilation:
        return tr("compilation");
    case EventKind::overhead:
        return tr("recorder");
    case EventKind::counter:
        return {};
    case EventKind::scriptCall:
        return tr("Python calls");
    case EventKind::profilerRange:
        return tr("metric ranges");
    case EventKind::other:
        break;
    }
    return tr("other");
}

QString classWord(WorkClass workClass)
{
    switch (workClass) {
    case WorkClass::matrix:
        return tr("matrix product");
    case WorkClass::convolution:
        return tr("convolution");
    case WorkClass::attention:
        return tr("attention");
    case WorkClass::normalization:
        return tr("normalization");
    case WorkClass::elementwise:
        return tr("elementwise");
    case WorkClass::reduction:
        return tr("reduction");
    case WorkClass::copy:
        return tr("copy");
    case WorkClass::fill:
        return tr("fill");
    case WorkClass::launch:
        return tr("launch");
    case WorkClass::wait:
        return tr("wait");
    case WorkClass::allocation:
        return tr("allocation");
    case WorkClass::call:
        return tr("call");
    case WorkClass::annotation:
        return tr("named range");
    case WorkClass::recorder:
        return tr("recorder");
    case WorkClass::communication:
        return tr("communication");
    case WorkClass::other:
        break;
    }
    return tr("other work");
}

QString classDefinition(WorkClass workClass)
{
    switch (workClass) {
    case WorkClass::matrix:
        return tr("Multiplies matrices: linear layers, projections.");
    case WorkClass::convolution:
        return tr("Convolves, also where it is computed as a matrix product.");
    case WorkClass::attention:
        return tr("Fused attention.");
    case WorkClass::normalization:
        return tr("Normalizes: batch, layer or group norm. Bound by memory unless fused.");
    case WorkClass::elementwise:
        return tr("One result for each element: activations, additions, casts. Bound by memory unless fused.");
    case WorkClass::reduction:
        return tr("Many elements to one: sums, means, pooling, softmax.");
    case WorkClass::copy:
        return tr("Moves data, between host and device or to another layout.");
    case WorkClass::fill:
        return tr("Sets memory to a value.");
    case WorkClass::launch:
        return tr("The host hands work to the device.");
    case WorkClass::wait:
        return tr("The host or a stream waits for the device.");
    case WorkClass::allocation:
        return tr("Gets or frees memory.");
    case WorkClass::call:
        return tr("A call on the host.");
    case WorkClass::annotation:
        return tr("An interval that the program named.");
    case WorkClass::recorder:
        return tr("Compilation and the recorder's own cost: not part of the model's time.");
    case WorkClass::communication:
        return tr("Exchanges data between devices: all-reduce, send, receive.");
    case WorkClass::other:
        break;
    }
    return tr("Work whose name belongs to no known class.");
}

QString groupLabel(const timeline::Timeline& timeline, std::size_t index)
{
    const timeline::TimelineGroup& group = timeline.groups()[index];
    const trace::Trace& trace = timeline.trace();
    if (group.type == GroupType::memory)
        return tr("Memory");
    if (group.type == GroupType::counters)
        return tr("Counters");
    if (group.type == GroupType::device) {
        const trace::DeviceProperties* device = trace.device(group.id);
        const QString number = group.id < 0 ? tr("GPU") : tr("GPU %1").arg(group.id);
        return device && !device->name.empty() ? tr("%1 · %2").arg(number, theme::toQt(device->name)) : number;
    }
    return group.id < 0 ? tr("CPU") : tr("CPU · process %1").arg(group.id);
}

QString rowLabel(const timeline::Timeline& timeline, std::size_t index)
{
    const timeline::TimelineRow& row = timeline.rows()[index];
    const trace::Track& track = timeline.trace().tracks[row.track.value];
    QString label = theme::toQt(track.label);
    if (label.isEmpty()) {
        if (track.type == trace::TrackType::stream)
            label = tr("stream %1").arg(track.stream);
        else if (track.type == trace::TrackType::hostThread)
            label = tr("thread %1").arg(track.thread);
        else if (track.type == trace::TrackType::device)
            label = tr("GPU %1").arg(track.device);
        else
            label = tr("process %1").arg(track.process);
    }
    QString kind = track.type == trace::TrackType::counter ? QString() : kindWord(row.kind);
    // One thread may free what another allocated. With several threads, none of the curves shows the memory in use.
    const auto alike = std::count_if(timeline.rows().begin(), timeline.rows().end(),
                                     [&row](const timeline::TimelineRow& other) { return other.kind == row.kind; });
    if (!row.total.empty() && alike > 1)
        kind = tr("net %1").arg(kind);
    return kind.isEmpty() ? label : tr("%1 · %2").arg(label, kind);
}

QString shortName(std::string_view full)
{
    QString name = theme::toQt(full.substr(0, 600)).trimmed();
    if (name.startsWith(QLatin1String("void ")))
        name.remove(0, 5);
    name.replace(QLatin1String("(anonymous namespace)::"), QString());
    QString flat; // without template and call arguments, at any depth
    int depth = 0;
    for (qsizetype i = 0; i < name.size(); ++i) {
        const QChar c = name.at(i);
        const bool opens = (c == QLatin1Char('<') || c == QLatin1Char('(')) && !flat.isEmpty();
        if (opens)
            ++depth;
        else if (depth > 0 && (c == QLatin1Char(')') || (c == QLatin1Char('>') && name.at(i - 1) != QLatin1Char('-'))))
            --depth;
        else if (depth == 0)
            flat += c;
    }
    flat = flat.trimmed();
    const qsizetype scope = flat.lastIndexOf(QLatin1String("::"));
    const QString last = scope >= 0 ? flat.mid(scope + 2) : flat;
    return last.isEmpty() ? name : last;
}

QString displayName(trace::EventKind kind, std::string_view full)
{
    if (full.empty())
        return tr("(no name)");
    return trace::isDeviceWork(kind) ? theme::toQt(analysis::kernelName(full)) : shortName(full);
}

QString rateWord(std::int64_t bytes, std::int64_t nanoseconds)
{
    const double rate = static_cast<double>(bytes) / (static_cast<double>(nanoseconds) * 1e-9);
    if (rate >= 1e9)
        return tr("%1 GB/s").arg(theme::number(rate / 1e9, 3));
    if (rate >= 1e6)
        return tr("%1 MB/s").arg(theme::number(rate / 1e6, 3));
    return tr("%1 kB/s").arg(theme::number(rate / 1e3, 3));
}

QString timeWord(std::int64_t nanoseconds)
{
    const auto value = static_cast<double>(nanoseconds);
    const double size = std::abs(value);
    if (size >= 1e9)
        return tr("%1 s").arg(theme::number(value / 1e9));
    if (size >= 1e6)
        return tr("%1 ms").arg(theme::number(value / 1e6));
    if (size >= 1e3)
        return tr("%1 µs").arg(theme::number(value / 1e3));
    return tr("%1 ns").arg(nanoseconds);
}

bool isBytes(const timeline::Timeline& timeline, const timeline::TimelineRow& row)
{
    return !row.total.empty() || timeline.trace().tracks[row.track.value].unit == "B";
}

QString curveValue(const timeline::Timeline& timeline, const timeline::TimelineRow& row, double value)
{
    const trace::Track& track = timeline.trace().tracks[row.track.value];
    if (isBytes(timeline, row))
        return theme::bytes({static_cast<std::int64_t>(std::clamp(value, -9e18, 9e18))});
    const trace::CounterUnit unit = trace::readCounterUnit(track.unit);
    const QString number = theme::number(value * unit.factor(), 4);
    const QString name = theme::toQt(std::string(unit.unit == "1/s" ? "/s" : unit.unit));
    return name.isEmpty() ? number : tr("%1 %2").arg(number, name);
}

std::optional<double> curveValueAt(const timeline::Timeline& timeline, const timeline::TimelineRow& row,
                                   std::int64_t time)
{
    const trace::EventColumns& c = timeline.columns(row);
    const auto at = std::upper_bound(c.start.begin(), c.start.end(), time);
    if (at == c.start.begin())
        return std::nullopt;
    const auto i = static_cast<std::size_t>(at - c.start.begin()) - 1;
    return static_cast<double>(row.total.empty() ? valueOr(c.value, i) : row.total[i]);
}

QString eventToolTip(const timeline::Timeline& timeline, timeline::EventRef event)
{
    const timeline::TimelineRow& row = timeline.rows()[event.row];
    const trace::TimeRange range = timeline.rangeOf(event);
    const WorkClass workClass = timeline.classOf(row, event.event);
    QString name = theme::toQt(timeline.nameOf(event));
    if (name.size() > 220)
        name = name.left(219) + QChar(0x2026);
    return tr("%1\n%2, begins at %3\n%4: %5")
        .arg(name.isEmpty() ? kindWord(row.kind) : name, timeWord(range.length()), timeWord(range.start),
             classWord(workClass), classDefinition(workClass));
}

std::vector<FactList::Fact> eventFacts(const timeline::Timeline& timeline, timeline::EventRef event,
                                       const std::vector<timeline::EventRef>& partners)
{
    const timeline::TimelineRow& row = timeline.rows()[event.row];
    const trace::EventColumns& c = timeline.columns(row);
    const trace::Trace& trace = timeline.trace();
    const trace::TimeRange range = timeline.rangeOf(event);
    const WorkClass workClass = timeline.classOf(row, event.event);
    std::vector<FactList::Fact> facts;
    facts.push_back({tr("Duration"), timeWord(range.length())});
    facts.push_back({tr("Begins at"), timeWord(range.start), tr("After the start of the recording.")});
    facts.push_back({tr("Class"), classWord(workClass), classDefinition(workClass)});
    facts.push_back({tr("Row"), rowLabel(timeline, event.row)});
    const std::uint32_t detail = valueOr(c.detail, event.event);
    const std::int64_t value = valueOr(c.value, event.event);
    if (row.kind == EventKind::kernel && detail < trace.details.kernels.size())
        addKernelFacts(trace.details.kernels[detail], facts);
    if ((row.kind == EventKind::copy || row.kind == EventKind::memset) && detail < trace.details.copies.size())
        addCopyFacts(trace.details.copies[detail], value, range.length(), facts);
    if (row.kind == EventKind::operatorCall && detail < trace.details.operators.size())
        addOperatorFacts(trace, trace.details.operators[detail], facts);
    if (row.kind == EventKind::synchronization && detail < trace.details.synchronizations.size())
        if (const QString who = synchronizationWord(trace.details.synchronizations[detail].type); !who.isEmpty())
            facts.push_back({tr("Waits"), who, tr("Who waits, and for what.")});
    if ((row.kind == EventKind::compilation || row.kind == EventKind::overhead) && detail < trace.details.notes.size())
        if (const std::string_view note = trace.text(trace.details.notes[detail].note); !note.empty())
            facts.push_back({tr("Note"), theme::toQt(note)});
    if ((row.kind == EventKind::runtimeCall || row.kind == EventKind::driverCall) && value != 0)
        facts.push_back({tr("Result"), tr("error %1").arg(value), tr("Error code that the call returned."),
                         controls::Tone::warn, QStringLiteral("warning")});
    if (partners.size() > 1) {
        facts.push_back({tr("Caused"), tr("%1 pieces of device work").arg(partners.size())});
    } else if (partners.size() == 1) {
        const trace::TimeRange other = timeline.rangeOf(partners.front());
        const bool device = trace::isDeviceWork(row.kind);
        facts.push_back({device ? tr("Launched by") : tr("Launched"), shortName(timeline.nameOf(partners.front()))});
        const std::int64_t delay = device ? range.start - other.start : other.start - range.start;
        facts.push_back({tr("Launch to start"), timeWord(delay),
                         tr("From the begin of the call to the begin of the work on the device: launch cost and the "
                            "time spent in the queue.")});
    }
    return facts;
}

} // namespace apertune::trace_views
