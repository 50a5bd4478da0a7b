// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_tradeoff.h"

#include "core/base/units.h"
#include "core/report/plot_axis.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

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
        return {ns.value * base::kMsPerNs, ns.lo * base::kMsPerNs, ns.hi * base::kMsPerNs, ns.confidence};
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
        return metrics::memoryPeak(trial.measurement.memory, text::deviceType(snapshot, trial));
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
    std::string text = text::formatGrouped(value, 1);
    if (text.ends_with(".0"))
        text.resize(text.size() - 2);
    return text;
}

base::Json lineValues(Point a, Point b)
{
    return {{"x1", tickNumber(a.x)}, {"y1", tickNumber(a.y)}, {"x2", tickNumber(b.x)}, {"y2", tickNumber(b.y)}};
}

/// The corners of a precision's mark around (0, 0); a circle has none. The shape shows the precision, so that colour is
/// not needed to tell them apart.
std::vector<Point> cornersOf(model::Precision precision)
{
    switch (precision) {
    case model::Precision::fp32:
        return {};
    case model::Precision::tf32:
        return {{-4.5, -4.5}, {4.5, -4.5}, {0, 5}};
    case model::Precision::bf16:
        return {{0, -5.5}, {5.5, 0}, {0, 5.5}, {-5.5, 0}};
    case model::Precision::fp16:
        return {{0, -5}, {5, 4.5}, {-5, 4.5}};
    case model::Precision::fp8:
        return {{-5, -2.5}, {0, -5.5}, {5, -2.5}, {5, 2.5}, {0, 5.5}, {-5, 2.5}};
    case model::Precision::int8:
        break;
    }
    return {{-4.2, -4.2}, {4.2, -4.2}, {4.2, 4.2}, {-4.2, 4.2}};
}

/// Values of resources/report/mark.mustache.
base::Json markValues(model::Precision precision, Point at)
{
    std::string points;
    for (const Point corner : cornersOf(precision))
        points += (points.empty() ? "" : " ") + tickNumber(at.x + corner.x) + "," + tickNumber(at.y + corner.y);
    const bool circle = points.empty();
    return {{"precision", model::toString(precision)},
            {"circle", circle},
            {"corners", circle ? base::Json() : base::Json(std::move(points))},
            {"x", tickNumber(at.x)},
            {"y", tickNumber(at.y)}};
}

/// A line of the grid with the label of its tick.
base::Json gridValues(Point from, Point to, const char* anchor, Point at, const std::string& label)
{
    base::Json values = lineValues(from, to);
    values.update({{"anchor", anchor}, {"x", tickNumber(at.x)}, {"y", tickNumber(at.y)}, {"label", label}});
    return values;
}

base::Json grid(const Scales& scales)
{
    base::Json lines = base::Json::array();
    const double bottom = kHeight - kBottom;
    for (const PlotAxis::Tick& tick : scales.throughput().ticks()) {
        const double y = scales.y(tick.value);
        lines.push_back(gridValues({kLeft, y}, {kWidth - kRight, y}, "end", {kLeft - 8, y + 4}, tick.label));
    }
    for (const PlotAxis::Tick& tick : scales.across().ticks()) {
        const double x = scales.x(tick.value);
        lines.push_back(gridValues({x, kTop}, {x, bottom}, "middle", {x, bottom + 18}, tick.label));
    }
    return lines;
}

base::Json pointValues(const model::Trial& trial, const Scales& scales, const text::ConfigurationNames& names,
                       base::RateUnit rate)
{
    const model::Measurement& m = trial.measurement;
    const Point at = scales.at(trial);
    const model::Interval across = scales.across(trial);
    base::Json values = markValues(trial.config.precision, at);
    values["name"] = text::toText(trial.id) + "  " + names.longName(trial);
    values["figures"] = text::formatPlusMinus(m.latencyNs, base::kMsPerNs) + " ms, " +
                        text::formatPlusMinus(m.throughput) + " " + std::string(base::toString(rate)) +
                        ", n = " + std::to_string(m.blocks.size());
    values["intervals"] = {lineValues({scales.x(across.lo), at.y}, {scales.x(across.hi), at.y}),
                           lineValues({at.x, scales.y(m.throughput.lo)}, {at.x, scales.y(m.throughput.hi)})};
    return values;
}

/// A mark for each precision of the plot.
base::Json legendValues(const std::vector<const model::Trial*>& trials)
{
    base::Json marks = base::Json::array();
    for (const model::Precision precision : model::kAllPrecisions)
        if (std::any_of(trials.begin(), trials.end(),
                        [&](const model::Trial* t) { return t->config.precision == precision; }))
            marks.push_back(markValues(precision, {}));
    return marks;
}

/// The front as a path; null when none of its trials is in the plot.
base::Json frontPath(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front,
                     const std::vector<const model::Trial*>& trials, const Scales& scales)
{
    std::vector<const model::Trial*> steps;
    for (const model::TrialId id : front)
        if (const model::Trial* trial = snapshot.find(id);
            trial && std::find(trials.begin(), trials.end(), trial) != trials.end())
            steps.push_back(trial);
    std::stable_sort(steps.begin(), steps.end(), [&](const model::Trial* a, const model::Trial* b) {
        return scales.across(*a).value < scales.across(*b).value;
    });
    std::string path;
    for (const model::Trial* trial : steps) {
        const Point at = scales.at(*trial);
        // Drawn in steps: between two points only the slower one is proven to be possible.
        path += path.empty() ? "M" + tickNumber(at.x) + " " + tickNumber(at.y)
                             : "H" + tickNumber(at.x) + "V" + tickNumber(at.y);
    }
    return path.empty() ? base::Json() : base::Json(std::move(path));
}

} // namespace

base::Json tradeoffValues(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front)
{
    const model::TradeoffAxis axis = model::tradeoffAxis(snapshot.study.goal);
    const bool overMemory = axis.objective == model::Objective::memory;
    std::vector<const model::Trial*> trials;
    for (const model::Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok && trial.measurement.latencyNs.value > 0 &&
            (!overMemory || Scales::peakOf(snapshot, trial)))
            trials.push_back(&trial);
    if (trials.empty())
        return {};
    const Scales scales(snapshot, trials, overMemory);
    const text::ConfigurationNames names(snapshot);
    base::Json points = base::Json::array();
    for (const model::Trial* trial : trials)
        points.push_back(pointValues(*trial, scales, names, snapshot.study.model.rateUnit()));
    base::Json ring;
    const model::Trial* best = snapshot.recommended ? snapshot.find(snapshot.recommended->trial) : nullptr;
    if (best && std::find(trials.begin(), trials.end(), best) != trials.end())
        ring = {{"x", tickNumber(scales.at(*best).x)}, {"y", tickNumber(scales.at(*best).y)}};
    return {{"against", overMemory ? "peak memory" : "latency"},
            {"unit", base::toString(snapshot.study.model.rateUnit())},
            {"width", tickNumber(kWidth)},
            {"height", tickNumber(kHeight)},
            {"grid", grid(scales)},
            {"title", scales.title()},
            {"titleX", tickNumber((kLeft + kWidth - kRight) / 2)},
            {"titleY", tickNumber(kHeight - 8)},
            {"centreY", tickNumber((kTop + kHeight - kBottom) / 2)},
            {"front", axis.line ? frontPath(snapshot, front, trials, scales) : base::Json()},
            {"points", std::move(points)},
            {"recommended", std::move(ring)},
            {"precisions", legendValues(trials)}};
}

} // namespace apertune::report
