// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/difference_words.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::comparison {

using analysis::DifferenceKind;
using analysis::DifferencePart;
using analysis::DifferenceSide;
using analysis::DifferenceStep;
using analysis::NamedWork;
using analysis::TraceDifference;
using base::Message;

namespace {

/// The query for the gaps between the events that `from` selects (start_ns, end_ns, name), the longest first.
std::string gapQuery(const std::string& from)
{
    return "SELECT busy_until AS start_ns, start_ns - busy_until AS duration_ns, name AS next FROM (SELECT start_ns, "
           "name, MAX(end_ns) OVER (ORDER BY start_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS busy_until "
           "FROM (" +
           from + ")) WHERE start_ns > busy_until ORDER BY duration_ns DESC";
}

constexpr double kUsPerNs = 1e-3;
constexpr std::size_t kMostNames = 4; ///< names of a part that are shown; the rest is counted
constexpr int kShownName = 60;

int decimalsOf(const model::Interval& interval, double scale)
{
    return text::decimalsFor(interval.value * scale,
                             interval.confidence > 0 ? (interval.hi - interval.lo) / 2 * scale : 0);
}

} // namespace

DifferenceUnit::DifferenceUnit(const analysis::TraceDifference& d)
{
    const bool milliseconds = std::max(d.a.time.value, d.b.time.value) >= 10e6;
    name = milliseconds ? "ms" : "µs";
    scale = milliseconds ? base::kMsPerNs : kUsPerNs;
}

std::string changeText(const model::Interval& change, const DifferenceUnit& unit)
{
    const int decimals = decimalsOf(change, unit.scale);
    const std::string value = signedFigure(change.value * unit.scale, decimals);
    if (change.confidence <= 0)
        return value + " [?]";
    return value + " [" + signedFigure(change.lo * unit.scale, decimals) + ", " +
           signedFigure(change.hi * unit.scale, decimals) + "]";
}

std::string timeText(const model::Interval& time, const DifferenceUnit& unit)
{
    return text::formatGrouped(time.value * unit.scale, decimalsOf(time, unit.scale));
}

std::string worksText(const std::vector<analysis::NamedWork>& works)
{
    std::vector<std::string> names;
    double more = 0;
    for (const analysis::NamedWork& work : works) {
        // A single left-out name takes no more room than "1 more".
        if (names.size() == kMostNames && works.size() > kMostNames + 1) {
            more += work.count;
            continue;
        }
        const std::string count = countText(work.count);
        names.push_back(text::elide(work.name, kShownName) + (count == "1" ? "" : " ×" + count));
    }
    if (more > 0)
        names.push_back(countText(more) + " more");
    return base::join(names);
}

std::string spaced(std::string_view name)
{
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string signedFigure(double value, int decimals)
{
    const std::string text = text::formatGrouped(std::abs(value), decimals);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    return zero ? text : (value < 0 ? "−" : "+") + text;
}

std::string percentOf(double change, double of)
{
    const double share = of > 0 ? change / of : 0;
    return (share < 0 ? "−" : "+") + base::formatPercent(std::abs(share));
}

std::string countText(double count)
{
    return text::formatGrouped(count, std::abs(count - std::round(count)) < 0.05 ? 0 : 1);
}

std::string idleText(const std::optional<analysis::IdleCause>& cause, const std::optional<analysis::HostGap>& gap,
                     const TraceDifference& d)
{
    if (cause)
        return "idle: " + spaced(toString(*cause));
    if (gap)
        return spaced(toString(*gap));
    return d.a.onDevice && d.b.onDevice ? "work across the borders of iterations" : "outside the operators";
}

std::string kindText(DifferenceKind kind)
{
    return kind == DifferenceKind::sameWork ? "same work" : spaced(toString(kind));
}

std::string stepName(const DifferenceStep& step, const TraceDifference& d)
{
    return step.machine                        ? "equal work: clock, threads or load"
           : step.unrecorded                   ? "work that is not recorded"
           : step.kind == DifferenceKind::idle ? idleText(step.cause, step.gap, d)
                                               : spaced(toString(step.opClass)) + ": " + kindText(step.kind);
}

std::string partText(const DifferencePart& part, const TraceDifference& d)
{
    // Fused work has no operator inside, so it is named by its surroundings.
    if (part.unrecorded)
        return "inside " + worksText(part.a.empty() ? part.b : part.a) + ": no operator recorded";
    switch (part.kind) {
    case DifferenceKind::sameWork:
        return worksText(part.b);
    case DifferenceKind::removed:
        return worksText(part.a);
    case DifferenceKind::added:
        return worksText(part.b);
    case DifferenceKind::replaced:
        return worksText(part.a) + " → " + worksText(part.b);
    case DifferenceKind::idle:
        break;
    }
    return idleText(part.cause, part.gap, d);
}

std::string layerText(const analysis::DifferenceLayer& layer)
{
    const std::string a = worksText(layer.a);
    const std::string b = worksText(layer.b);
    return a == b ? a : a + " → " + b;
}

std::string sideText(const NamedDifference& named, const TraceName& name, const DifferenceSide& side)
{
    std::string text = name.name + (name.title.empty() || name.title == name.name ? "" : "  " + name.title) + ": ";
    text += side.source == analysis::IterationSource::none ? "the whole recording"
            // A recording without repeated iterations is one iteration.
            : side.source == analysis::IterationSource::period
                ? base::counted(static_cast<std::int64_t>(side.iterations), "repeated section")
                : base::counted(static_cast<std::int64_t>(side.iterations), "steady iteration");
    const DifferenceUnit unit(named.difference);
    text += ", " + text::formatPlusMinus(side.time, unit.scale) + " " + unit.name + " and " + countText(side.works) +
            (side.onDevice ? " pieces of device work" : " operators");
    if (side.onDevice) {
        const trace::DeviceProperties* device = name.trace->device(side.device);
        text += " on device " + std::to_string(side.device) +
                (device && !device->name.empty() ? " (" + device->name + ")" : "");
    }
    // Batches that differ are compared by the sample.
    return text + (named.perSample() ? " for each sample" : "");
}

std::string englishText(const Message& message)
{
    return base::printableLine(sentences::sentence(message));
}

std::string workQuery(const TraceName& name, const std::vector<NamedWork>& works)
{
    if (name.id == 0 || works.empty())
        return {};
    std::map<trace::EventKind, std::vector<std::string>> names;
    for (const NamedWork& work : works)
        for (const std::uint32_t recorded : work.recorded)
            // Names go into SQL text, where an apostrophe is doubled.
            names[work.kind].push_back("'" + base::replaced(name.trace->strings[recorded], "'", "''") + "'");
    std::vector<std::string> selects;
    for (const auto& [kind, quoted] : names) {
        // The views are those of `apertune workspace query`.
        const std::string view = kind == trace::EventKind::copy           ? "copy"
                                 : kind == trace::EventKind::memset       ? "fill"
                                 : kind == trace::EventKind::graphLaunch  ? "graph_launch"
                                 : kind == trace::EventKind::operatorCall ? "operator_call"
                                                                          : "kernel";
        selects.push_back("SELECT start_ns, duration_ns, name FROM " + view +
                          " WHERE trace_id = " + std::to_string(name.id) + " AND name IN (" + base::join(quoted) + ")");
    }
    return base::join(selects, " UNION ALL ");
}

std::string partQuery(const TraceName& name, const DifferencePart& part, const std::vector<NamedWork>& works,
                      const DifferenceSide& side)
{
    // Idle time has no events of its own; the gaps between others are asked for.
    if (part.kind != DifferenceKind::idle || name.id == 0)
        return workQuery(name, works);
    const std::string of = " WHERE trace_id = " + std::to_string(name.id);
    if (!side.onDevice)
        return gapQuery("SELECT start_ns, end_ns, name FROM operator_call" + of);
    std::vector<std::string> selects;
    for (const char* view : {"kernel", "copy", "fill", "graph_launch"})
        selects.push_back("SELECT start_ns, end_ns, name FROM " + std::string(view) + of +
                          " AND device = " + std::to_string(side.device));
    return gapQuery(base::join(selects, " UNION ALL "));
}

} // namespace apertune::comparison
