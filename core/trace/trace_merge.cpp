// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_merge.h"

#include <algorithm>
#include <utility>

namespace apertune::trace {

namespace {

/// Maps the rows of one list to rows of the other trace.
struct Renaming
{
    std::vector<StringId> strings;
    std::vector<std::uint32_t> kernels, copies, synchronizations, operators, memory, notes;

    const std::vector<std::uint32_t>* of(EventKind kind) const
    {
        switch (kind) {
        case EventKind::kernel:
        case EventKind::graphLaunch:
            return &kernels;
        case EventKind::copy:
        case EventKind::memset:
            return &copies;
        case EventKind::synchronization:
            return &synchronizations;
        case EventKind::operatorCall:
            return &operators;
        case EventKind::deviceMemory:
        case EventKind::tensorMemory:
            return &memory;
        case EventKind::compilation:
        case EventKind::overhead:
            return &notes;
        default:
            return nullptr;
        }
    }
};

/// Adds the texts and details of `more`. A row that refers to texts gets their new ids before it is compared.
Renaming rename(TraceBuilder& into, const Trace& more)
{
    Renaming names;
    for (const std::string& text : more.strings)
        names.strings.push_back(into.intern(text));
    const auto text = [&](StringId& id) { id = names.strings[id.value]; };
    for (const KernelDetail& detail : more.details.kernels)
        names.kernels.push_back(into.detail(detail));
    for (const CopyDetail& detail : more.details.copies)
        names.copies.push_back(into.detail(detail));
    for (const SynchronizationDetail& detail : more.details.synchronizations)
        names.synchronizations.push_back(into.detail(detail));
    for (OperatorDetail detail : more.details.operators) {
        for (StringId* id :
             {&detail.inputShapes, &detail.inputStrides, &detail.inputTypes, &detail.module, &detail.collective})
            text(*id);
        names.operators.push_back(into.detail(detail));
    }
    for (MemoryDetail detail : more.details.memory) {
        text(detail.owner);
        names.memory.push_back(into.detail(detail));
    }
    for (NoteDetail detail : more.details.notes) {
        text(detail.note);
        names.notes.push_back(into.detail(detail));
    }
    return names;
}

} // namespace

void append(TraceBuilder& into, Trace more)
{
    const bool comparable = into.head().originMonotonic != 0 && more.originMonotonic != 0;
    const std::int64_t shift = comparable ? more.originMonotonic - into.head().originMonotonic : 0;
    const Renaming names = rename(into, more);
    for (Series& s : more.series) {
        EventColumns& e = s.events;
        for (std::int64_t& start : e.start)
            start += shift;
        for (std::uint32_t& name : e.name)
            name = names.strings[name].value;
        if (const auto* details = names.of(s.kind))
            for (std::uint32_t& detail : e.detail)
                detail = (*details)[detail];
        EventColumns& target = into.columns(into.track(more.tracks[s.track.value]), s.kind);
        // A series that is new here takes over the columns without a copy.
        if (target.empty())
            target = std::move(e);
        else
            target.append({e.start, e.duration, e.name, e.correlation, e.link, e.detail, e.value, e.address});
    }
    for (Loss& loss : more.losses) {
        loss.time.count += shift;
        into.addLoss(std::move(loss));
    }
    std::vector<DeviceProperties>& devices = into.head().devices;
    for (DeviceProperties& device : more.devices)
        if (std::none_of(devices.begin(), devices.end(), [&](const DeviceProperties& d) { return d.id == device.id; }))
            devices.push_back(std::move(device));
}

} // namespace apertune::trace
