// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/perfetto/tracks.h"

namespace apertune::interchange::perfetto {

namespace {

struct TrackField
{
    enum : std::uint32_t { id = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8, fixedName = 10 };
};

/// Fields of the descriptors of processes and of threads.
struct OwnerField
{
    enum : std::uint32_t { process = 1, thread = 2, threadName = 5, processName = 6 };
};

struct CounterField
{
    enum : std::uint32_t { type = 1, unit = 3, factor = 4, incremental = 5, unitName = 6 };
};

const char* nameOfType(std::uint64_t type)
{
    return type == 1 ? "thread time" : type == 2 ? "instructions" : "";
}

const char* nameOfUnit(std::uint64_t unit)
{
    return unit == 1 ? "ns" : unit == 3 ? "B" : "";
}

/// Reads the id of a process or a thread. The format has signed ids, but a negative one is damaged.
std::int64_t ownerOf(Message& message)
{
    const std::int64_t id = integerOf(message);
    return id < 0 ? -1 : id;
}

} // namespace

std::uint32_t Tracks::number(std::uint64_t id)
{
    const auto [at, added] = m_numbers.try_emplace(id, static_cast<std::uint32_t>(m_tracks.size()));
    if (added)
        m_tracks.emplace_back();
    return at->second;
}

void Tracks::describe(Message descriptor)
{
    std::uint64_t id = 0;
    for (Message fields = descriptor; fields.next();)
        if (fields.tag() == TrackField::id)
            id = numberOf(fields);
        else
            fields.skip();
    Track& track = m_tracks[number(id)];
    std::string processName;
    std::string threadName;
    const auto readOwner = [&](std::string_view owner, bool isThread) {
        for (Message fields = messageOf(owner); fields.next();)
            switch (fields.tag()) {
            case OwnerField::process:
                track.process = ownerOf(fields);
                break;
            case OwnerField::thread: // in the descriptor of a process, the field has another meaning
                if (const std::int64_t number = ownerOf(fields); isThread)
                    track.thread = number;
                break;
            case OwnerField::threadName:
                threadName = bytesOf(fields);
                break;
            case OwnerField::processName:
                processName = bytesOf(fields);
                break;
            default:
                fields.skip();
            }
    };
    while (descriptor.next())
        switch (descriptor.tag()) {
        case TrackField::name:
        case TrackField::fixedName:
            track.name = bytesOf(descriptor);
            break;
        case TrackField::parent:
            track.parent = numberOf(descriptor);
            break;
        case TrackField::process:
            readOwner(bytesOf(descriptor), false);
            break;
        case TrackField::thread:
            readOwner(bytesOf(descriptor), true);
            break;
        case TrackField::counter:
            describeCounter(messageOf(bytesOf(descriptor)), track);
            break;
        default:
            descriptor.skip();
        }
    if (track.thread >= 0 && !(threadName.empty() && track.name.empty()))
        m_threads[{track.process, track.thread}] = threadName.empty() ? track.name : threadName;
    else if (track.thread < 0 && track.process >= 0 && !(processName.empty() && track.name.empty()))
        m_processes[track.process] = processName.empty() ? track.name : processName;
}

void Tracks::describeCounter(Message descriptor, Track& track)
{
    track.counter = true;
    while (descriptor.next())
        switch (descriptor.tag()) {
        case CounterField::type:
            if (const std::uint64_t type = numberOf(descriptor); track.name.empty()) {
                track.name = nameOfType(type);
                track.unit = nameOfUnit(type);
            }
            break;
        case CounterField::unit:
            track.unit = nameOfUnit(numberOf(descriptor));
            break;
        case CounterField::unitName:
            track.unit = bytesOf(descriptor);
            break;
        case CounterField::factor:
            track.factor = static_cast<double>(integerOf(descriptor));
            break;
        case CounterField::incremental:
            track.incremental = numberOf(descriptor) != 0;
            break;
        default:
            descriptor.skip();
        }
    if (track.factor == 0)
        track.factor = 1;
}

const Place& Tracks::place(std::uint32_t number)
{
    constexpr int kDeepest = 16; // hostile tracks may be their own parents
    Track& track = m_tracks[number];
    if (std::exchange(track.placed, true))
        return track.place;
    Place& place = track.place;
    const Track* at = &track;
    for (int depth = 0; place.process < 0 && depth < kDeepest; ++depth) {
        place.process = at->process;
        place.thread = place.thread < 0 ? at->thread : place.thread;
        const auto parent = m_numbers.find(at->parent);
        if (at->parent == 0 || parent == m_numbers.end())
            break;
        at = &m_tracks[parent->second];
    }
    place.unit = track.unit;
    place.label = track.name.empty() ? "track" : track.name;
    if (track.counter) {
        if (place.thread >= 0)
            place.label += " (" + std::to_string(place.thread) + ")";
        return place;
    }
    if (track.thread >= 0)
        return place;
    // A track below a thread may overlap the thread's own events, so it is no part of the thread's track.
    place.thread = -1;
    if (const int same = ++m_labels[{place.process, place.label}]; same > 1)
        place.label += " (" + std::to_string(same) + ")";
    return place;
}

} // namespace apertune::interchange::perfetto
