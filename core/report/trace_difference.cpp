// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_difference.h"

#include "core/analysis/indexed_trace.h"
#include "core/base/csv.h"
#include "core/base/escape.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/report/documents.h"
#include "core/report/errors.h"
#include "core/report/format.h"
#include "core/report/mustache.h"
#include "core/report/reasons.h"
#include "core/report/text_table.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>
#include <report_templates.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::report {

using analysis::DifferenceKind;
using analysis::DifferencePart;
using analysis::DifferenceSide;
using analysis::DifferenceStep;
using analysis::NamedWork;
using analysis::TraceDifference;
using base::Json;
using base::Message;

namespace {

constexpr double kUsPerNs = 1e-3;
constexpr std::size_t kMostNames = 4;   ///< names of a part that are shown; the rest is counted
constexpr double kLittle = 0.3;         ///< share of A's work with a counterpart below which the programs may differ
constexpr double kMuchUnrecorded = 0.1; ///< share of an iteration
constexpr double kEqualMachines = 0.01; ///< how far equal work may differ on machines that run equally fast
constexpr int kShownName = 60;
constexpr int kBarWidth = 24;

std::string spaced(std::string_view name)
{
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string signedFigure(double value, int decimals)
{
    const std::string text = formatGrouped(std::abs(value), decimals);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    return zero ? text : (value < 0 ? "−" : "+") + text;
}

int decimalsOf(const model::Interval& interval, double scale)
{
    return decimalsFor(interval.value * scale, interval.confidence > 0 ? (interval.hi - interval.lo) / 2 * scale : 0);
}

bool isEmpty(const analysis::IndexedTrace& trace)
{
    return trace.index.work.empty() && trace.forest.nodes.empty();
}

/// A whole number without decimals; a mean over iterations that differ with one.
std::string countText(double count)
{
    return formatGrouped(count, std::abs(count - std::round(count)) < 0.05 ? 0 : 1);
}

bool surelyDiffers(const model::Interval& change)
{
    return change.confidence > 0 && (change.lo > 0 || change.hi < 0);
}

std::string causeText(const std::optional<analysis::IdleCause>& cause, const TraceDifference& d)
{
    if (cause)
        return "idle: " + spaced(toString(*cause));
    return d.a.onDevice && d.b.onDevice ? "work across the borders of iterations" : "outside the operators";
}

std::string kindText(DifferenceKind kind)
{
    return kind == DifferenceKind::sameWork ? "same work" : spaced(toString(kind));
}

std::string stepName(const DifferenceStep& step, const TraceDifference& d)
{
    return step.unrecorded                     ? "work that is not recorded"
           : step.kind == DifferenceKind::idle ? causeText(step.cause, d)
                                               : spaced(toString(step.opClass)) + ": " + kindText(step.kind);
}

std::string partText(const DifferencePart& part, const TraceDifference& d)
{
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
    return causeText(part.cause, d);
}

std::string sideText(const NamedDifference& named, const TraceName& name, const DifferenceSide& side)
{
    std::string text = name.name + (name.title.empty() || name.title == name.name ? "" : "  " + name.title) + ": ";
    text += side.source == analysis::IterationSource::none ? "the whole recording"
            : side.source == analysis::IterationSource::period
                ? base::counted(static_cast<std::int64_t>(side.iterations), "repeated section")
                : base::counted(static_cast<std::int64_t>(side.iterations), "steady iteration");
    const DifferenceUnit unit(named.difference);
    text += ", " + formatPlusMinus(side.time, unit.scale) + " " + unit.name + " and " + countText(side.works) +
            (side.onDevice ? " pieces of device work" : " operators");
    if (side.onDevice) {
        const trace::DeviceProperties* device = name.trace->device(side.device);
        text += " on device " + std::to_string(side.device) +
                (device && !device->name.empty() ? " (" + device->name + ")" : "");
    }
    return text + (named.perSample() ? " for each sample" : "");
}

std::string percentOf(double change, double of)
{
    const double share = of > 0 ? change / of : 0;
    return (share < 0 ? "−" : "+") + base::formatPercent(std::abs(share));
}

/// The difference of the times without recording, where Apertune measured both.
std::optional<model::Interval> bareChange(const NamedDifference& named)
{
    const auto& a = named.a.trace->cost;
    const auto& b = named.b.trace->cost;
    if (!a || !b || named.perSample())
        return std::nullopt;
    const model::Interval& time = a->bareNs;
    return analysis::sumOfIndependent(b->bareNs, {-time.value, -time.hi, -time.lo, time.confidence});
}

/// What recording itself adds to the difference, and whether it turns the result round.
void addBare(const NamedDifference& named, std::vector<Message>& sentences)
{
    const TraceDifference& d = named.difference;
    const std::optional<model::Interval> bare = bareChange(named);
    if (!bare)
        return;
    const DifferenceUnit unit(d);
    if (surelyDiffers(d.change) && surelyDiffers(*bare) && (d.change.value < 0) != (bare->value < 0))
        sentences.push_back(base::message<reasons::kRecordingTurnsItRound>(bare->value < 0 ? "B" : "A"));
    const model::Interval rest =
        analysis::sumOfIndependent(d.change, {-bare->value, -bare->hi, -bare->lo, bare->confidence});
    sentences.push_back(
        base::message<reasons::kWithoutRecording>(changeText(*bare, unit), changeText(rest, unit), unit.name));
}

/// Says where the parts of the two sides may not be of the same work.
void addDoubts(const TraceDifference& d, std::vector<Message>& sentences)
{
    const auto unrecorded = [](const DifferenceSide& side) {
        return side.time.value > 0 ? side.unrecorded / side.time.value : 0;
    };
    for (const auto& [name, side] : {std::pair("A", &d.a), std::pair("B", &d.b)})
        if (unrecorded(*side) > kMuchUnrecorded)
            sentences.push_back(base::message<reasons::kOutsideOperators>(name, base::Share{unrecorded(*side)}));
    if (d.matchedShare < kLittle && d.a.works > 0 && d.b.works > 0 &&
        std::max(unrecorded(d.a), unrecorded(d.b)) <= kMuchUnrecorded)
        sentences.push_back(base::message<reasons::kLittleInCommon>(base::Share{d.matchedShare}));
    if (d.a.onDevice != d.b.onDevice)
        sentences.push_back(base::message<reasons::kHostAgainstDevice>());
    using analysis::IterationSource;
    if (d.a.source == IterationSource::period || d.b.source == IterationSource::period)
        sentences.push_back(base::message<reasons::kSectionsForIterations>());
    if ((d.a.source == IterationSource::none) != (d.b.source == IterationSource::none))
        sentences.push_back(base::message<reasons::kWholeAgainstIterations>());
}

std::string englishText(const Message& message)
{
    return base::printableLine(sentences::sentence(message));
}

/// The query for the events of a part in a trace of the workspace; empty for idle time and for files.
std::string queryOf(const TraceName& name, const std::vector<NamedWork>& works)
{
    if (name.id == 0 || works.empty())
        return {};
    std::map<trace::EventKind, std::vector<std::string>> names;
    for (const NamedWork& work : works)
        for (const std::uint32_t recorded : work.recorded)
            names[work.kind].push_back("'" + base::replaced(name.trace->strings[recorded], "'", "''") + "'");
    std::vector<std::string> selects;
    for (const auto& [kind, quoted] : names) {
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

Json worksJson(const TraceName& name, const std::vector<NamedWork>& works)
{
    Json all = Json::array();
    for (const NamedWork& work : works) {
        Json recorded = Json::array();
        for (const std::uint32_t id : work.recorded)
            recorded.push_back(name.trace->strings[id]);
        all.push_back({{"name", work.name},
                       {"class", toString(work.opClass)},
                       {"count", work.count},
                       {"recorded", std::move(recorded)}});
    }
    return all;
}

Json sideJson(const TraceName& name, const DifferenceSide& side)
{
    return {{"trace", name.name},
            {"title", name.title},
            {"device", side.onDevice ? Json(side.device) : Json(nullptr)},
            {"iterations_by", toString(side.source)},
            {"iterations", side.iterations},
            {"works", side.works},
            {"unrecorded_ms", side.unrecorded * kMsPerNs},
            {"time_ms", intervalJson("value", side.time, kMsPerNs)}};
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

/// A bar from the middle: to the left what B saves, to the right what it takes longer.
std::string bar(double change, double largest)
{
    const int cells = largest > 0 ? static_cast<int>(std::lround(std::abs(change) / largest * kBarWidth)) : 0;
    std::string blocks;
    for (int i = 0; i < cells; ++i)
        blocks += change < 0 ? "▒" : "█";
    return blocks;
}

} // namespace

base::Result<NamedDifference> compareTraces(const TraceName& a, double batchA, const TraceName& b, double batchB)
{
    std::optional<analysis::IndexedTrace> readA;
    std::optional<analysis::IndexedTrace> readB;
    base::runInParallel({[&] { readA.emplace(*a.trace); }, [&] { readB.emplace(*b.trace); }});
    for (const auto& [name, read] : {std::pair(&a, &*readA), std::pair(&b, &*readB)})
        if (isEmpty(*read))
            return base::Error{base::ErrorCode::unsupported,
                               base::message<errors::kNothingToCompare>(name->name),
                               {},
                               base::message<errors::kCompareRecordedWork>()};
    NamedDifference named{{}, a, b, batchA, batchB};
    const auto side = [&named](const analysis::IndexedTrace& read, double batch) {
        return analysis::ComparedTrace{read.index, read.forest, read.iterations, named.perSample() ? batch : 1};
    };
    named.difference = analysis::compareTraces(side(*readA, batchA), side(*readB, batchB));
    return named;
}

DifferenceUnit::DifferenceUnit(const TraceDifference& d)
{
    const bool milliseconds = std::max(d.a.time.value, d.b.time.value) >= 10e6;
    name = milliseconds ? "ms" : "µs";
    scale = milliseconds ? kMsPerNs : kUsPerNs;
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
    return formatGrouped(time.value * unit.scale, decimalsOf(time, unit.scale));
}

std::string worksText(const std::vector<NamedWork>& works)
{
    std::vector<std::string> names;
    double more = 0;
    for (const NamedWork& work : works) {
        if (names.size() == kMostNames && works.size() > kMostNames + 1) {
            more += work.count;
            continue;
        }
        const std::string count = countText(work.count);
        names.push_back(elide(work.name, kShownName) + (count == "1" ? "" : " ×" + count));
    }
    if (more > 0)
        names.push_back(countText(more) + " more");
    return base::join(names);
}

std::vector<Message> differenceSentences(const NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    const DifferenceUnit unit(d);
    const std::string a = formatPlusMinus(d.a.time, unit.scale) + " " + unit.name;
    const std::string b = formatPlusMinus(d.b.time, unit.scale) + " " + unit.name;
    const std::string change = changeText(d.change, unit) + " " + unit.name;
    const std::string percent = percentOf(d.change.value, d.a.time.value);
    std::vector<Message> sentences{named.perSample() ? base::message<reasons::kSampleChange>(b, a, change, percent)
                                                     : base::message<reasons::kIterationChange>(b, a, change, percent)};
    if (named.perSample())
        sentences.push_back(base::message<reasons::kPerSample>(base::formatSignificant(named.batchA, 6),
                                                               base::formatSignificant(named.batchB, 6)));
    if (d.change.confidence <= 0 && d.change.value != 0)
        sentences.push_back(base::message<reasons::kOneIteration>());
    else if (d.change.confidence > 0 && !surelyDiffers(d.change))
        sentences.push_back(base::message<reasons::kRecordingsCannotTell>());
    if (d.sameWorkRatio) {
        const model::Interval& ratio = *d.sameWorkRatio;
        const bool equal = ratio.lo <= 1 + kEqualMachines && ratio.hi >= 1 - kEqualMachines;
        sentences.push_back(equal ? base::message<reasons::kSameMachine>(formatRatio(ratio))
                                  : base::message<reasons::kOtherMachine>(formatRatio(ratio)));
    }
    addDoubts(d, sentences);
    addBare(named, sentences);
    if (d.change.confidence > 0)
        sentences.push_back(base::message<reasons::kWithinEachRecording>());
    return sentences;
}

Json traceDifferenceDocument(const NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    Json sentences = Json::array();
    for (const Message& sentence : differenceSentences(named))
        sentences.push_back(englishText(sentence));
    Json steps = Json::array();
    for (const DifferenceStep& step : differenceSteps(d))
        steps.push_back({{"name", stepName(step, d)}, {"change_ms", intervalJson("value", step.change, kMsPerNs)}});
    Json parts = Json::array();
    double sum = 0;
    for (const DifferencePart& part : d.parts) {
        sum += part.change.value;
        parts.push_back({{"kind", toString(part.kind)},
                         {"class", part.kind == DifferenceKind::idle ? Json(nullptr) : Json(toString(part.opClass))},
                         {"cause", part.cause ? Json(toString(*part.cause)) : Json(nullptr)},
                         {"operator", textOrNull(part.origin)},
                         {"unrecorded", part.unrecorded},
                         {"places", part.places},
                         {"a", worksJson(named.a, part.a)},
                         {"b", worksJson(named.b, part.b)},
                         {"a_ms", intervalJson("value", part.timeA, kMsPerNs)},
                         {"b_ms", intervalJson("value", part.timeB, kMsPerNs)},
                         {"change_ms", intervalJson("value", part.change, kMsPerNs)},
                         {"query_a", textOrNull(queryOf(named.a, part.a))},
                         {"query_b", textOrNull(queryOf(named.b, part.b))}});
    }
    return {{"schema", "apertune.trace-comparison/1"},
            {"a", sideJson(named.a, d.a)},
            {"b", sideJson(named.b, d.b)},
            {"per_sample", named.perSample()},
            {"change_ms", intervalJson("value", d.change, kMsPerNs)},
            {"rest_ms", (d.change.value - sum) * kMsPerNs},
            {"matched_share", d.matchedShare},
            {"same_work_ratio", d.sameWorkRatio ? intervalJson("value", *d.sameWorkRatio) : Json(nullptr)},
            {"steps", std::move(steps)},
            {"parts", std::move(parts)},
            {"sentences", std::move(sentences)}};
}

std::string traceDifferenceText(const NamedDifference& named, std::size_t rows, int width)
{
    const TraceDifference& d = named.difference;
    const DifferenceUnit unit(d);
    std::string text = wrap("A: " + sideText(named, named.a, d.a), width, 3) + "\n" +
                       wrap("B: " + sideText(named, named.b, d.b), width, 3) + "\n\n";
    for (const Message& sentence : differenceSentences(named))
        text += wrap(englishText(sentence), width, 0) + "\n";

    const std::vector<DifferenceStep> steps = differenceSteps(d);
    TextTable waterfall({{"From A to B", Align::left, true}, {unit.name, Align::right}, {"▒ saved, █ added"}});
    waterfall.addRow({"A", timeText(d.a.time, unit), ""});
    double rest = d.change.value;
    const double largest = steps.empty() ? 0 : std::abs(steps.front().change.value);
    for (std::size_t i = 0; i < steps.size() && i < rows; ++i) {
        rest -= steps[i].change.value;
        waterfall.addRow(
            {stepName(steps[i], d), changeText(steps[i].change, unit), bar(steps[i].change.value, largest)});
    }
    if (steps.size() > rows)
        waterfall.addRow({std::to_string(steps.size() - rows) + " more (--rows)",
                          signedFigure(rest * unit.scale, decimalsFor(rest * unit.scale, 0)), ""});
    waterfall.addRow({"B", timeText(d.b.time, unit), ""});
    text += "\n" + waterfall.render(width) + "\n";

    TextTable table({{std::string("Change ") + unit.name, Align::right},
                     {"A", Align::right},
                     {"B", Align::right},
                     {"Kind"},
                     {"Operator", Align::left, true},
                     {"Work of an iteration", Align::left, true}});
    for (std::size_t i = 0; i < d.parts.size() && i < rows; ++i) {
        const DifferencePart& part = d.parts[i];
        table.addRow({changeText(part.change, unit), timeText(part.timeA, unit), timeText(part.timeB, unit),
                      kindText(part.kind), part.origin, partText(part, d)});
    }
    text += table.render(width);
    if (d.parts.size() > rows) {
        double others = 0;
        for (std::size_t i = rows; i < d.parts.size(); ++i)
            others += d.parts[i].change.value;
        text += "… and " + std::to_string(d.parts.size() - rows) + " more (--rows), together " +
                signedFigure(others * unit.scale, decimalsFor(others * unit.scale, 0)) + " " + unit.name + "\n";
    }
    return text;
}

std::string traceDifferenceCsv(const NamedDifference& named)
{
    std::string text = "kind,class,cause,operator,places,a,b,a_ms,b_ms,change_ms,change_ms_lo,change_ms_hi\n";
    for (const DifferencePart& part : named.difference.parts) {
        const bool idle = part.kind == DifferenceKind::idle;
        const bool known = part.change.confidence > 0;
        base::CsvLine line;
        line.text(toString(part.kind)).text(idle ? std::string_view() : toString(part.opClass));
        line.text(part.cause ? toString(*part.cause) : std::string_view()).text(part.origin).count(part.places);
        line.text(worksText(part.a)).text(worksText(part.b));
        line.number(part.timeA.value * kMsPerNs).number(part.timeB.value * kMsPerNs);
        line.number(part.change.value * kMsPerNs);
        line.number(known ? std::optional(part.change.lo * kMsPerNs) : std::nullopt);
        line.number(known ? std::optional(part.change.hi * kMsPerNs) : std::nullopt);
        text += line.take();
    }
    return text;
}

std::string traceDifferenceHtml(const NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    const DifferenceUnit unit(d);
    const std::vector<DifferenceStep> steps = differenceSteps(d);
    // The plot spans all levels that the bars reach; each bar begins where the one before it ended.
    double level = d.a.time.value;
    double low = std::min(d.a.time.value, d.b.time.value);
    double high = std::max(d.a.time.value, d.b.time.value);
    for (const DifferenceStep& step : steps) {
        level += step.change.value;
        low = std::min(low, level);
        high = std::max(high, level);
    }
    low = std::max(0.0, low - (high - low) * 0.25);
    const auto place = [&](double value) { return high > low ? (value - low) / (high - low) * 100 : 0; };
    const auto barJson = [&](const std::string& name, const std::string& value, double from, double to,
                             const char* style) {
        const double left = place(std::min(from, to));
        return Json{{"name", name},
                    {"value", value},
                    {"left", base::formatSignificant(left, 5)},
                    {"width", base::formatSignificant(std::max(place(std::max(from, to)) - left, 0.15), 5)},
                    {"style", style}};
    };
    Json bars = Json::array({barJson("A", timeText(d.a.time, unit), low, d.a.time.value, "whole")});
    level = d.a.time.value;
    for (const DifferenceStep& step : steps) {
        bars.push_back(barJson(stepName(step, d), changeText(step.change, unit), level, level + step.change.value,
                               step.change.value < 0 ? "less" : "more"));
        level += step.change.value;
    }
    bars.push_back(barJson("B", timeText(d.b.time, unit), low, d.b.time.value, "whole"));

    Json parts = Json::array();
    for (const DifferencePart& part : d.parts)
        parts.push_back({{"change", changeText(part.change, unit)},
                         {"a", timeText(part.timeA, unit)},
                         {"b", timeText(part.timeB, unit)},
                         {"kind", kindText(part.kind)},
                         {"class", part.kind == DifferenceKind::idle ? std::string() : spaced(toString(part.opClass))},
                         {"operator", part.origin},
                         {"work", partText(part, d)}});
    const std::vector<Message> sentences = differenceSentences(named);
    Json remarks = Json::array();
    for (std::size_t k = 1; k < sentences.size(); ++k)
        remarks.push_back(englishText(sentences[k]));
    const Json values{
        {"title", named.a.name + " against " + named.b.name},
        {"sides", Json::array({"A: " + sideText(named, named.a, d.a), "B: " + sideText(named, named.b, d.b)})},
        {"headline", englishText(sentences.front())},
        {"remarks", std::move(remarks)},
        {"unit", unit.name},
        {"bars", std::move(bars)},
        {"parts", std::move(parts)}};
    return filled("{{>difference.mustache}}", values, Escape::html, templates::kReport);
}

} // namespace apertune::report
