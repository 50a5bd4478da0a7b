// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_parts.h"

#include "core/base/text.h"
#include "core/report/format.h"
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

/// The plot's scales; positions are in the coordinates of the picture.
class Scales
{
public:
    explicit Scales(const std::vector<const model::Trial*>& trials)
        : m_latency(latencyAxis(trials)), m_throughput(throughputAxis(trials))
    {
    }
    double x(double latencyNs) const
    {
        return kLeft + m_latency.position(latencyNs * kMsPerNs) * (kWidth - kLeft - kRight);
    }
    double y(double perSecond) const
    {
        return kHeight - kBottom - m_throughput.position(perSecond) * (kHeight - kTop - kBottom);
    }
    Point at(const model::Measurement& m) const { return {x(m.latencyNs.value), y(m.throughput.value)}; }
    const PlotAxis& latency() const { return m_latency; }
    const PlotAxis& throughput() const { return m_throughput; }

private:
    static PlotAxis latencyAxis(const std::vector<const model::Trial*>& trials)
    {
        double lo = trials.front()->measurement.latencyNs.lo;
        double hi = lo;
        for (const model::Trial* trial : trials) {
            lo = std::min(lo, trial->measurement.latencyNs.lo);
            hi = std::max(hi, trial->measurement.latencyNs.hi);
        }
        return PlotAxis::logarithmic(std::max(lo, 1.0) * kMsPerNs, std::max(hi, 1.0) * kMsPerNs);
    }
    static PlotAxis throughputAxis(const std::vector<const model::Trial*>& trials)
    {
        double hi = 0;
        for (const model::Trial* trial : trials)
            hi = std::max(hi, trial->measurement.throughput.hi);
        return PlotAxis::linear(hi);
    }
    PlotAxis m_latency;
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

/// A mark whose shape tells the precision, so that colour is not needed to tell them apart.
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
    for (const PlotAxis::Tick& tick : scales.latency().ticks()) {
        const double x = scales.x(tick.value / kMsPerNs);
        out += line("grid", {x, kTop}, {x, bottom});
        out += text("tick middle", {x, bottom + 18}, tick.label);
    }
    out += text("label middle", {(kLeft + kWidth - kRight) / 2, kHeight - 8}, "latency of a pass, ms (log)");
    out += "<text class=\"label middle\" transform=\"translate(14 " + tickNumber((kTop + bottom) / 2) +
           ") rotate(-90)\">throughput, samples/s</text>\n";
    return out;
}

std::string pointOf(const model::Trial& trial, const Scales& scales, const CellNames& names)
{
    const model::Measurement& m = trial.measurement;
    const Point at = scales.at(m);
    std::string out = "<g><title>" + escaped(toText(trial.id) + "  " + names.longName(trial)) + "\n" +
                      escaped(formatPlusMinus(m.latencyNs, kMsPerNs)) + " ms, " +
                      escaped(formatPlusMinus(m.throughput)) + " samples/s, n = " + std::to_string(m.blocks.size()) +
                      "</title>\n";
    out += line("interval", {scales.x(m.latencyNs.lo), at.y}, {scales.x(m.latencyNs.hi), at.y});
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
    std::vector<const model::Trial*> trials;
    for (const model::Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok && trial.measurement.latencyNs.value > 0)
            trials.push_back(&trial);
    if (trials.empty())
        return {};
    const Scales scales(trials);
    const CellNames names(snapshot);
    std::string out = "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 " + tickNumber(kWidth) + " " +
                      tickNumber(kHeight) +
                      "\" aria-label=\"Throughput against latency of every measured configuration; the table below has "
                      "the numbers\">\n" +
                      axes(scales);
    std::string path;
    for (const model::TrialId id : front)
        if (const model::Trial* trial = snapshot.find(id); trial && trial->state == model::TrialState::ok) {
            const Point at = scales.at(trial->measurement);
            // Steps: between two points only the better-known, slower one is proven.
            path += path.empty() ? "M" + tickNumber(at.x) + " " + tickNumber(at.y)
                                 : "H" + tickNumber(at.x) + "V" + tickNumber(at.y);
        }
    if (!path.empty())
        out += "<path class=\"front\" d=\"" + path + "\"/>\n";
    for (const model::Trial* trial : trials)
        out += pointOf(*trial, scales, names);
    const model::Trial* best = snapshot.recommended ? snapshot.find(snapshot.recommended->trial) : nullptr;
    if (best) {
        const Point at = scales.at(best->measurement);
        out += "<circle class=\"ring\" cx=\"" + tickNumber(at.x) + "\" cy=\"" + tickNumber(at.y) + "\" r=\"9\"/>\n";
    }
    return out + "</svg>\n" + legend(trials, !path.empty());
}

} // namespace apertune::report
