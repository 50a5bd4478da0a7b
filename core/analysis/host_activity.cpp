// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/host_activity.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace apertune::analysis {

namespace {

constexpr std::int64_t kRoundedClock = 1'000; // files with whole microseconds
// A range that takes nine tenths of a function is reported instead of it.
constexpr std::int64_t kTenths = 10;
constexpr std::int64_t kNearlyAll = 9;

/// Recognizes "<built-in function next>" and "<method 'acquire' of '_thread.lock' objects>".
bool isBuiltin(std::string_view function)
{
    return function.starts_with("<built-in ") || function.starts_with("<method ");
}

/// Recognizes ranges that mark the recorder's own steps. Their names do not explain the program.
bool marksAStep(std::string_view range)
{
    return range.starts_with("ProfilerStep") || range.starts_with("iteration ");
}

/// The part of an activity that lies in a pause.
struct Piece
{
    std::size_t pause = 0;
    TimeRange whole; ///< time of the activity
    TimeRange time;
    std::uint32_t name = 0;
    std::uint32_t caller = 0;
    bool ofScript = false;
    bool opens = false; ///< the name is uninformative, so the activities within this one are reported
};

/// A function of the script that is running.
struct Frame
{
    TimeRange time;
    std::uint32_t name = 0;
};

std::vector<Piece> piecesIn(const trace::Trace& trace, const std::vector<Pause>& pauses,
                            std::vector<std::uint32_t>& around)
{
    std::vector<Piece> pieces;
    for (const trace::Series& series : trace.series) {
        const bool ofScript = series.kind == trace::EventKind::scriptCall;
        if (!ofScript && series.kind != trace::EventKind::operatorCall && series.kind != trace::EventKind::range)
            continue;
        const auto ofTrack = std::equal_range(pauses.begin(), pauses.end(), Pause{series.track, {}},
                                              [](const Pause& a, const Pause& b) { return a.track < b.track; });
        const auto first = ofTrack.first;
        const auto last = ofTrack.second;
        if (first == last)
            continue;
        const trace::EventColumns& e = series.events;
        std::vector<Frame> open;
        auto settled = first;
        const auto settle = [&](std::int64_t until) {
            for (; settled != last && settled->time.end <= until; ++settled) {
                while (!open.empty() && open.back().time.end <= settled->time.end - kRoundedClock)
                    open.pop_back();
                const std::int64_t start = settled->time.start + kRoundedClock;
                const auto inside = std::partition_point(open.begin(), open.end(),
                                                         [start](const Frame& f) { return f.time.start <= start; });
                if (inside != open.begin())
                    around[static_cast<std::size_t>(settled - pauses.begin())] = std::prev(inside)->name;
            }
        };
        for (std::size_t i = 0; i < e.size(); ++i) {
            const TimeRange whole{e.start[i], e.end(i)};
            const std::string_view name = trace.strings[e.name[i]];
            const bool builtin = ofScript && isBuiltin(name);
            std::uint32_t caller = 0;
            if (ofScript) {
                settle(whole.start);
                while (!open.empty() && open.back().time.end <= whole.start)
                    open.pop_back();
                if (builtin && !open.empty())
                    caller = open.back().name;
                if (!builtin)
                    open.push_back({whole, e.name[i]});
            }
            const std::int64_t end = whole.end - kRoundedClock;
            const auto pause = std::partition_point(first, last, [end](const Pause& p) { return p.time.end < end; });
            if (pause == last || end <= pause->time.start || (!ofScript && marksAStep(name)))
                continue;
            const TimeRange part = intersection(whole, pause->time);
            if (part.length() > 0)
                pieces.push_back({static_cast<std::size_t>(pause - pauses.begin()), whole, part, e.name[i], caller,
                                  ofScript, builtin || whole.start + kRoundedClock < pause->since});
        }
        if (ofScript)
            settle(std::prev(last)->time.end);
    }
    // The outermost come first.
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
        if (a.pause != b.pause)
            return a.pause < b.pause;
        return a.whole.start != b.whole.start ? a.whole.start < b.whole.start : a.whole.end > b.whole.end;
    });
    return pieces;
}

/// Returns the range or operator that takes nearly all of a function, otherwise the function.
/// REQUIRES: the pieces that the function contains follow it.
const Piece& bestNameOf(const std::vector<Piece>& pieces, std::size_t function)
{
    const Piece& outer = pieces[function];
    for (std::size_t i = function + 1; outer.ofScript && i < pieces.size(); ++i) {
        const Piece& inner = pieces[i];
        if (inner.pause != outer.pause || inner.time.start >= outer.time.end)
            break;
        if (!inner.ofScript && kTenths * inner.time.length() >= kNearlyAll * outer.time.length())
            return inner;
    }
    return outer;
}

} // namespace

std::vector<HostBusy> activitiesDuring(const trace::Trace& trace, std::vector<Pause> pauses)
{
    std::sort(pauses.begin(), pauses.end(), [](const Pause& a, const Pause& b) {
        return a.track != b.track ? a.track < b.track : a.time.end < b.time.end;
    });
    std::vector<std::uint32_t> around(pauses.size());
    const std::vector<Piece> pieces = piecesIn(trace, pauses, around);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> byName;
    std::vector<std::int64_t> rest; // unexplained time of each pause
    for (const Pause& pause : pauses)
        rest.push_back(pause.time.length());
    struct Opened
    {
        const Piece* piece;
        std::int64_t rest;
    };
    std::vector<Opened> opened; // the pieces around the current one, whose rest is not known yet
    const auto close = [&](const Piece* before) {
        while (!opened.empty() && (!before || before->pause != opened.back().piece->pause ||
                                   before->time.start >= opened.back().piece->time.end)) {
            const Piece& piece = *opened.back().piece;
            byName[{piece.name, piece.caller}] += std::max<std::int64_t>(0, opened.back().rest);
            opened.pop_back();
        }
    };
    std::size_t pause = pauses.size();
    std::int64_t reached = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        close(&piece);
        if (piece.pause != pause)
            reached = piece.time.start;
        pause = piece.pause;
        const std::int64_t length = piece.time.end - std::max(reached, piece.time.start);
        if (length <= 0)
            continue; // it is within an activity that was reported
        (opened.empty() ? rest[pause] : opened.back().rest) -= length;
        if (piece.opens) {
            opened.push_back({&piece, length});
            continue;
        }
        reached = piece.time.end;
        byName[{bestNameOf(pieces, i).name, 0}] += length;
    }
    close(nullptr);
    for (std::size_t i = 0; i < pauses.size(); ++i)
        if (around[i] != 0)
            byName[{around[i], 0}] += std::max<std::int64_t>(0, rest[i]);
    std::vector<HostBusy> busy;
    for (const auto& [names, time] : byName)
        if (time > 0)
            busy.push_back({names.first, names.second, time});
    std::stable_sort(busy.begin(), busy.end(), [](const HostBusy& a, const HostBusy& b) { return a.time > b.time; });
    return busy;
}

} // namespace apertune::analysis
