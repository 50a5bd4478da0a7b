// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/report/format.h"
#include "core/report/html_parts.h"
#include "core/report/plot_axis.h"

#include <algorithm>
#include <cmath>

namespace apertune::report {

namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 400;
constexpr double kLeft = 66;
constexpr double kRight = 16;
constexpr double kTop = 16;
constexpr double kBottom = 48;

struct Point
{
    double x = 0;
    double y = 0;
};

/// The scales of the plot. Positions are coordinates of the picture.
class Scales
{
public:
    /// REQUIRES: every trial has a value for the axis across.
    Scales(const model::StudySnapshot& snapshot, const std::vector<const model::Trial*>& trials, bool overMemory)
        : m_snapshot(snapshot), m_overMemory(overMemory), m_across(acrossAxis(trials)),
          m_throughput(throughputAxis(trials))
    {
    }
    /// The latency in ms, or the peak memory in MiB.
    model::Interval across(const model::Trial& trial) const
    {
        if (m_overMemory) {
            const double mib = static_cast<double>(peakOf(m_snapshot, trial)->count) / (1 << 20);
            return {mib, mib, mib, 0};
        }
        const model::Interval& ns = trial.measurement.latencyNs;
        return {ns.value * kMsPerNs, ns.lo * kMsPerNs, ns.hi * kMsPerNs, ns.confidence};
    }
    double x(double across) const { return kLeft + m_across.position(across) * (kWidth - kLeft - kRight); }
    double y(double perSecond) const
    {
        return kHeight - kBottom - m_throughput.position(perSecond) * (kHeight - kTop - kBottom);
    }
    Point at(const model::Trial& trial) const
    {
        return {x(across(trial).value), y(trial.measurement.throughput.value)};
    }
    const PlotAxis& across() const { return m_across; }
    const PlotAxis& throughput() const { return m_throughput; }
    const char* title() const { return m_overMemory ? "peak memory, MiB (log)" : "latency of a pass, ms (log)"; }

    static std::optional<base::Bytes> peakOf(const model::StudySnapshot& snapshot, const model::Trial& trial)
    {
        return metrics::memoryPeak(trial.measurement.memory, deviceType(snapshot, trial));
    }

private:
    PlotAxis acrossAxis(const std::vector<const model::Trial*>& trials) const
    {
        double lo = across(*trials.front()).lo;
        double hi = lo;
        for (const model::Trial* trial : trials) {
            lo = std::min(lo, across(*trial).lo);
            hi = std::max(hi, across(*trial).hi);
        }
        return PlotAxis::logarithmic(std::max(lo, kLeast), std::max(hi, kLeast));
    }
    static PlotAxis throughputAxis(const std::vector<const model::Trial*>& trials)
    {
        double hi = 0;
        for (const model::Trial* trial : trials)
            hi = std::max(hi, trial->measurement.throughput.hi);
        return PlotAxis::linear(hi);
    }

    static constexpr double kLeast = 1e-6;
    const model::StudySnapshot& m_snapshot;
    const bool m_overMemory;
    PlotAxis m_across;
    PlotAxis m_throughput;
};

std::string tickNumber(double value)
{
    std::string text = formatGrouped(value, 1);
    if (text.ends_with(".0"))
        text.resize(text.size() - 2);
    return text;
}

std::string line(const char* kind, Point a, Point b)
{
    return "<line class=\"" + std::string(kind) + "\" x1=\"" + tickNumber(a.x) + "\" y1=\"" + tickNumber(a.y) +
           "\" x2=\"" + tickNumber(b.x) + "\" y2=\"" + tickNumber(b.y) + "\"/>\n";
}

std::string text(const char* kind, Point at, const std::string& value)
{
    return "<text class=\"" + std::string(kind) + "\" x=\"" + tickNumber(at.x) + "\" y=\"" + tickNumber(at.y) + "\">" +
           escaped(value) + "</text>\n";
}

/// Returns a mark whose shape shows the precision, so that nobody has to tell colours apart.
std::string mark(model::Precision precision, Point at)
{
    const std::string kind = "class=\"mark " + std::string(model::toString(precision)) + "\"";
    const auto polygon = [&](std::initializer_list<Point> corners) {
        std::string points;
        for (const Point corner : corners)
            points += (points.empty() ? "" : " ") + tickNumber(at.x + corner.x) + "," + tickNumber(at.y + corner.y);
        return "<polygon " + kind + " points=\"" + points + "\"/>";
    };
    switch (precision) {
    case model::Precision::fp32:
        return "<circle " + kind + " cx=\"" + tickNumber(at.x) + "\" cy=\"" + tickNumber(at.y) + "\" r=\"4.5\"/>";
    case model::Precision::tf32:
        return polygon({{-4.5, -4.5}, {4.5, -4.5}, {0, 5}});
    case model::Precision::bf16:
        return polygon({{0, -5.5}, {5.5, 0}, {0, 5.5}, {-5.5, 0}});
    case model::Precision::fp16:
        return polygon({{0, -5}, {5, 4.5}, {-5, 4.5}});
    case model::Precision::fp8:
        return polygon({{-5, -2.5}, {0, -5.5}, {5, -2.5}, {5, 2.5}, {0, 5.5}, {-5, 2.5}});
    case model::Precision::int8:
        break;
    }
    return polygon({{-4.2, -4.2}, {4.2, -4.2}, {4.2, 4.2}, {-4.2, 4.2}});
}

std::string axes(const Scales& scales)
{
    std::string out;
    const double bottom = kHeight - kBottom;
    for (const PlotAxis::Tick& tick : scales.throughput().ticks()) {
        const double y = scales.y(tick.value);
        out += line("grid", {kLeft, y}, {kWidth - kRight, y});
        out += text("tick end", {kLeft - 8, y + 4}, tick.label);
    }
    for (const PlotAxis::Tick& tick : scales.across().ticks()) {
        const double x = scales.x(tick.value);
        out += line("grid", {x, kTop}, {x, bottom});
        out += text("tick middle", {x, bottom + 18}, tick.label);
    }
    out += text("label middle", {(kLeft + kWidth - kRight) / 2, kHeight - 8}, scales.title());
    out += "<text class=\"label middle\" transform=\"translate(14 " + tickNumber((kTop + bottom) / 2) +
           ") rotate(-90)\">throughput, samples/s</text>\n";
    return out;
}

std::string pointOf(const model::Trial& trial, const Scales& scales, const ConfigurationNames& names)
{
    const model::Measurement& m = trial.measurement;
    const Point at = scales.at(trial);
    const model::Interval across = scales.across(trial);
    std::string out = "<g><title>" + escaped(toText(trial.id) + "  " + names.longName(trial)) + "\n" +
                      escaped(formatPlusMinus(m.latencyNs, kMsPerNs)) + " ms, " +
                      escaped(formatPlusMinus(m.throughput)) + " samples/s, n = " + std::to_string(m.blocks.size()) +
                      "</title>\n";
    out += line("interval", {scales.x(across.lo), at.y}, {scales.x(across.hi), at.y});
    out += line("interval", {at.x, scales.y(m.throughput.lo)}, {at.x, scales.y(m.throughput.hi)});
    return out + mark(trial.config.precision, at) + "</g>\n";
}

std::string legend(const std::vector<const model::Trial*>& trials, bool withFront)
{
    std::string out = "<p class=\"legend\">";
    for (const model::Precision precision : model::kAllPrecisions)
        if (std::any_of(trials.begin(), trials.end(),
                        [&](const model::Trial* t) { return t->config.precision == precision; }))
            out += "<span><svg width=\"14\" height=\"14\" viewBox=\"-7 -7 14 14\" aria-hidden=\"true\">" +
                   mark(precision, {}) + "</svg> " + std::string(model::toString(precision)) + "</span> ";
    if (withFront)
        out +=
            "<span><svg width=\"22\" height=\"14\" viewBox=\"0 -7 22 14\" aria-hidden=\"true\"><line class=\"front\" "
            "x1=\"0\" y1=\"0\" x2=\"22\" y2=\"0\"/></svg> nothing measured is surely better in both</span> ";
    return out + "<span><svg width=\"18\" height=\"18\" viewBox=\"-9 -9 18 18\" aria-hidden=\"true\"><circle "
                 "class=\"ring\" cx=\"0\" cy=\"0\" r=\"8\"/></svg> recommended</span></p>\n";
}

} // namespace

std::string tradeOffPlot(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front)
{
    const model::TradeoffAxis axis = model::tradeoffAxis(snapshot.study.goal);
    const bool overMemory = axis.across == model::Objective::memory;
    std::vector<const model::Trial*> trials;
    for (const model::Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok && trial.measurement.latencyNs.value > 0 &&
            (!overMemory || Scales::peakOf(snapshot, trial)))
            trials.push_back(&trial);
    if (trials.empty())
        return {};
    const Scales scales(snapshot, trials, overMemory);
    const ConfigurationNames names(snapshot);
    std::string out = "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 " + tickNumber(kWidth) + " " +
                      tickNumber(kHeight) + "\" aria-label=\"Throughput against " +
                      (overMemory ? "peak memory" : "latency") +
                      " of every measured configuration; the table below has the numbers\">\n" + axes(scales);
    std::string path;
    std::vector<const model::Trial*> steps;
    for (const model::TrialId id : front)
        if (const model::Trial* trial = snapshot.find(id);
            axis.line && trial && std::find(trials.begin(), trials.end(), trial) != trials.end())
            steps.push_back(trial);
    std::stable_sort(steps.begin(), steps.end(), [&](const model::Trial* a, const model::Trial* b) {
        return scales.across(*a).value < scales.across(*b).value;
    });
    for (const model::Trial* trial : steps) {
        const Point at = scales.at(*trial);
        // Drawn in steps: between two points only the slower one is proven to be possible.
        path += path.empty() ? "M" + tickNumber(at.x) + " " + tickNumber(at.y)
                             : "H" + tickNumber(at.x) + "V" + tickNumber(at.y);
    }
    if (!path.empty())
        out += "<path class=\"front\" d=\"" + path + "\"/>\n";
    for (const model::Trial* trial : trials)
        out += pointOf(*trial, scales, names);
    const model::Trial* best = snapshot.recommended ? snapshot.find(snapshot.recommended->trial) : nullptr;
    if (best && std::find(trials.begin(), trials.end(), best) != trials.end()) {
        const Point at = scales.at(*best);
        out += "<circle class=\"ring\" cx=\"" + tickNumber(at.x) + "\" cy=\"" + tickNumber(at.y) + "\" r=\"9\"/>\n";
    }
    return out + "</svg>\n" + legend(trials, !path.empty());
}

} // namespace apertune::report
