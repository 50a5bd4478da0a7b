// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/trend_view.h"

#include "app/gui/presenters/translate.h"
#include "core/base/units.h"
#include "core/text/format.h"
#include "widgets/plots/axis_labels.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace apertune::gui {

using comparison::Trend;
using comparison::TrendPoint;
using comparison::TrendStep;
using controls::Tone;
using tables::TextTableModel;

namespace {

/// Sorts of trials, which the plot draws apart.
enum class PointState { usable, busy, throttled, unsure };

PointState stateOf(const TrendPoint& point)
{
    return point.busy                       ? PointState::busy
           : point.throttled                ? PointState::throttled
           : point.latencyNs.confidence > 0 ? PointState::usable
                                            : PointState::unsure;
}

QString stateWord(PointState state)
{
    switch (state) {
    case PointState::busy:
        return tr("busy");
    case PointState::throttled:
        return tr("slow clock");
    case PointState::unsure:
        return tr("no interval");
    case PointState::usable:
        break;
    }
    return {};
}

QString trialWord(model::TrialId trial)
{
    return QStringLiteral("t%1").arg(trial.value);
}

/// "2026-11-27 23:20", in the time of this machine.
QString timeWord(const TrendPoint& point)
{
    return theme::parseUtc(point.when).toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

/// The shown name of what a version is of. Engines keep theirs.
QString versionWord(const std::string& name)
{
    return name == "os"       ? tr("system")
           : name == "kernel" ? tr("kernel")
           : name == "driver" ? tr("driver")
                              : theme::toQt(name);
}

QString signedPercent(double share)
{
    return (share < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + theme::number(std::abs(share) * 100, 2) +
           QStringLiteral(" %");
}

QString ratioWord(const model::Interval& ratio)
{
    return QStringLiteral("%1 [%2, %3]")
        .arg(signedPercent(ratio.value - 1), signedPercent(ratio.lo - 1), signedPercent(ratio.hi - 1));
}

/// "libtorch 2.1 → 2.2; driver 550 → 570"
QString changesWord(const std::vector<comparison::Difference>& changed)
{
    QStringList texts;
    for (const comparison::Difference& d : changed) {
        const auto shown = [](const base::Message& value) {
            const QString text = theme::fromCore(value);
            return text.isEmpty() ? theme::kAbsent : text;
        };
        const QString title = d.name == "os" ? versionWord(d.name) : theme::fromCore(d.title);
        texts << QStringLiteral("%1 %2 → %3").arg(title, shown(d.a), shown(d.b));
    }
    return texts.join(QStringLiteral("; "));
}

QString causeWord(const TrendStep& step)
{
    if (step.changed.empty())
        return tr("Nothing that is recorded changed.");
    return (step.changed.size() == 1 ? tr("The only recorded change: %1.") : tr("Changed together: %1."))
        .arg(changesWord(step.changed));
}

/// The step that a trial begins, or null.
const TrendStep* stepAt(const Trend& trend, model::TrialId trial)
{
    const auto step =
        std::find_if(trend.steps.begin(), trend.steps.end(), [trial](const TrendStep& s) { return s.after == trial; });
    return step == trend.steps.end() ? nullptr : &*step;
}

/// The versions of a trial that differ from those of the trial before, "libtorch 2.2"; all of the first one.
QStringList changedVersions(const Trend& trend, std::size_t index, bool names)
{
    QStringList texts;
    for (const auto& version : trend.points[index].versions) {
        const auto* before = index > 0 ? &trend.points[index - 1].versions : nullptr;
        if (!before || std::find(before->begin(), before->end(), version) == before->end())
            texts << (names ? versionWord(version.first)
                            : versionWord(version.first) + QLatin1Char(' ') + theme::toQt(version.second));
    }
    return texts;
}

/// A trial's name, sorted by its number.
TextTableModel::Cell trialCell(model::TrialId trial)
{
    TextTableModel::Cell cell{trialWord(trial)};
    cell.order = QVariant(static_cast<qlonglong>(trial.value));
    return cell;
}

TextTableModel::Cell latencyCell(const model::Interval& latency)
{
    return {theme::number(latency.value * base::kMsPerNs), QVariant(latency.value * base::kMsPerNs)};
}

TextTableModel::Cell certaintyCell(const model::Interval& latency)
{
    const QString text = theme::certainty(latency, base::kMsPerNs, tr("ms"));
    if (latency.confidence <= 0)
        return {text, {}, Tone::secondary};
    return {text,
            QVariant(QVariantList{latency.lo * base::kMsPerNs, latency.hi * base::kMsPerNs}),
            Tone::secondary,
            {},
            -1,
            {},
            QVariant(latency.relativeHalfWidth())};
}

/// An empty series of points; its name and its shape tell the sort of its trials.
plots::ChartSeries seriesOf(PointState state)
{
    plots::ChartSeries series;
    series.name = stateWord(state);
    const theme::Tokens& t = theme::current();
    switch (state) {
    case PointState::busy:
        series.color = t.warn;
        series.shape = theme::Shape::triangle;
        break;
    case PointState::throttled:
        series.color = t.warn;
        series.shape = theme::Shape::diamond;
        break;
    case PointState::unsure:
        series.color = t.text2;
        series.shape = theme::Shape::square;
        break;
    case PointState::usable:
        series.name = tr("undisturbed");
        series.color = t.accent;
        series.solid = true;
        break;
    }
    return series;
}

void addPoint(plots::ChartSeries& series, double at, const TrendPoint& point)
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    const bool known = point.latencyNs.confidence > 0;
    series.x.push_back(at);
    series.y.push_back(point.latencyNs.value * base::kMsPerNs);
    series.yLo.push_back(known ? point.latencyNs.lo * base::kMsPerNs : none);
    series.yHi.push_back(known ? point.latencyNs.hi * base::kMsPerNs : none);
    series.ids.push_back(point.trial.value);
    series.labels.push_back(trialWord(point.trial));
}

} // namespace

std::vector<TextTableModel::Column> trendColumns()
{
    return {{tr("Model"), false, {}, true},
            {tr("Configuration"), false, {}, true},
            {tr("Device")},
            {tr("Trials"), true, tr("Trials of this configuration in all studies of the workspace")},
            {tr("Newest"), false, tr("The trial that was measured last")},
            {tr("Latency ms"), true, tr("Time of a pass of the newest trial")},
            {tr("Interval"),
             true,
             tr("That of the newest trial, at 95 %"),
             false,
             {tr("Latency lo (ms)"), tr("Latency hi (ms)")}},
            {tr("Steps"), true,
             tr("Places where the latency changed by more than the noise floor, the spread and the intervals explain")},
            {tr("Newest step"), false, tr("Change of the time there, and everything recorded that changed with it")}};
}

std::shared_ptr<const TrendsView> makeTrendsView(std::vector<Trend> trends)
{
    auto view = std::make_shared<TrendsView>();
    view->trends = std::move(trends);
    for (const Trend& trend : view->trends) {
        view->severalModels = view->severalModels || trend.model != view->trends.front().model;
        view->severalDevices = view->severalDevices || trend.device != view->trends.front().device;
        const TrendPoint& newest = trend.points.back();
        const TrendStep* step = trend.newestStep();
        TextTableModel::Row row;
        row.key = static_cast<qint64>(view->rows.size()) + 1;
        row.cells = {{theme::toQt(trend.model)},
                     {theme::toQt(trend.label)},
                     {theme::toQt(trend.device)},
                     {theme::count(static_cast<qint64>(trend.points.size())),
                      QVariant(static_cast<qlonglong>(trend.points.size()))},
                     trialCell(newest.trial),
                     latencyCell(newest.latencyNs),
                     certaintyCell(newest.latencyNs),
                     {theme::count(static_cast<qint64>(trend.steps.size())),
                      QVariant(static_cast<qlonglong>(trend.steps.size()))},
                     {}};
        if (step) {
            QString text = QStringLiteral("%1 %2").arg(trialWord(step->after), signedPercent(step->ratio.value - 1));
            if (trend.newest)
                text = tr("%1 (one trial)").arg(text);
            if (!step->changed.empty())
                text = QStringLiteral("%1: %2").arg(text, changesWord(step->changed));
            row.cells.back() = {text,
                                {},
                                step->ratio.value > 1 ? Tone::bad : Tone::good,
                                step->ratio.value > 1 ? QStringLiteral("slower") : QStringLiteral("faster")};
        }
        view->rows.push_back(std::move(row));
    }
    return view;
}

std::vector<TextTableModel::Column> trendPointColumns()
{
    return {{tr("Trial")},
            {tr("When"), false, tr("The trial's end")},
            {tr("Latency ms"), true},
            {tr("Interval"), true, tr("At 95 %"), false, {tr("Latency lo (ms)"), tr("Latency hi (ms)")}},
            {tr("n"), true, tr("Timing blocks")},
            {tr("Others"),
             true,
             tr("Share of the processors' time that other programs took"),
             false,
             {tr("Others (share)")}},
            {tr("Remark"), false, tr("Why the trial makes no step; or the step that it begins")},
            {tr("Versions that changed"), false, tr("Against the trial before; all of the first one")}};
}

std::vector<TextTableModel::Row> trendPointRows(const Trend& trend)
{
    std::vector<TextTableModel::Row> rows;
    for (std::size_t i = 0; i < trend.points.size(); ++i) {
        const TrendPoint& point = trend.points[i];
        TextTableModel::Row row;
        row.key = point.trial.value;
        row.cells = {
            trialCell(point.trial),
            {timeWord(point)},
            latencyCell(point.latencyNs),
            certaintyCell(point.latencyNs),
            {theme::count(static_cast<qint64>(point.samples)), QVariant(static_cast<qlonglong>(point.samples))},
            {theme::percent(point.othersLoad, 2), QVariant(point.othersLoad), point.busy ? Tone::warn : Tone::text},
            {stateWord(stateOf(point)), {}, Tone::secondary},
            {changedVersions(trend, i, false).join(QStringLiteral("; "))}};
        if (const TrendStep* step = stepAt(trend, point.trial))
            row.cells[static_cast<std::size_t>(TrendPointColumn::remark)] = {
                tr("step %1").arg(signedPercent(step->ratio.value - 1)),
                {},
                step->ratio.value > 1 ? Tone::bad : Tone::good,
                step->ratio.value > 1 ? QStringLiteral("slower") : QStringLiteral("faster")};
        rows.push_back(std::move(row));
    }
    return rows;
}

plots::ChartContent trendChart(const Trend& trend)
{
    constexpr std::size_t kMostTicks = 12;
    plots::ChartContent content;
    const std::size_t count = trend.points.size();
    content.x = {tr("Trials in the order of time"), false, 0.4, static_cast<double>(count) + 0.6, {}, false};
    // Names of more trials would overlap.
    const std::size_t every = (count + kMostTicks - 1) / kMostTicks;
    double least = std::numeric_limits<double>::max();
    double most = 0;
    std::vector<plots::ChartSeries> all;
    // In the order of the enumeration, because a point finds its series by its state.
    for (const PointState state : {PointState::usable, PointState::busy, PointState::throttled, PointState::unsure})
        all.push_back(seriesOf(state));
    const theme::Tokens& t = theme::current();
    for (std::size_t i = 0; i < count; ++i) {
        const TrendPoint& point = trend.points[i];
        const auto at = static_cast<double>(i + 1);
        if (i % every == 0)
            content.x.ticks.push_back({at, trialWord(point.trial)});
        addPoint(all[static_cast<std::size_t>(stateOf(point))], at, point);
        const bool known = point.latencyNs.confidence > 0;
        least = std::min(least, (known ? point.latencyNs.lo : point.latencyNs.value) * base::kMsPerNs);
        most = std::max(most, (known ? point.latencyNs.hi : point.latencyNs.value) * base::kMsPerNs);
        // The sentence of a step names what changed there, so one rule is enough.
        if (const TrendStep* step = stepAt(trend, point.trial))
            content.rules.push_back({Qt::Vertical, at - 0.5, step->ratio.value > 1 ? t.bad : t.good, false,
                                     signedPercent(step->ratio.value - 1)});
        else if (const QStringList versions = changedVersions(trend, i, true); i > 0 && !versions.isEmpty())
            content.rules.push_back({Qt::Vertical, at - 0.5, t.text3, true, versions.join(QStringLiteral(", "))});
    }
    content.y = plots::linearAxis(tr("Latency (ms)"), plots::linearRange(least, most, false, 0.12), 5);
    for (plots::ChartSeries& series : all)
        if (!series.x.empty())
            content.series.push_back(std::move(series));
    return content;
}

QString trendToolTip(const Trend& trend, model::TrialId trial)
{
    for (std::size_t i = 0; i < trend.points.size(); ++i) {
        const TrendPoint& point = trend.points[i];
        if (point.trial != trial)
            continue;
        QStringList lines{tr("%1, %2").arg(trialWord(point.trial), timeWord(point)),
                          tr("%1 ms, %2, n = %3")
                              .arg(theme::number(point.latencyNs.value * base::kMsPerNs),
                                   theme::certainty(point.latencyNs, base::kMsPerNs, tr("ms")))
                              .arg(point.samples),
                          tr("other programs: %1").arg(theme::percent(point.othersLoad, 2)), stateWord(stateOf(point)),
                          changedVersions(trend, i, false).join(QStringLiteral("; "))};
        lines.removeAll(QString());
        return lines.join(QLatin1Char('\n'));
    }
    return {};
}

std::vector<TrendSentence> trendSentences(const Trend& trend)
{
    std::vector<TrendSentence> sentences;
    for (const TrendStep& step : trend.steps)
        sentences.push_back(
            {(step.ratio.value > 1 ? tr("Step at trial %1, %2 of the time: slower than %3 and the trials of "
                                        "its level. %4")
                                   : tr("Step at trial %1, %2 of the time: faster than %3 and the trials of "
                                        "its level. %4"))
                 .arg(trialWord(step.after), ratioWord(step.ratio), trialWord(step.before), causeWord(step)),
             step.before, step.after});
    if (trend.newest)
        sentences.push_back(
            {tr("The newest trial %1 alone differs: %2 of the time. One trial is no step; sweep again "
                "before you trust it. %3")
                 .arg(trialWord(trend.newest->after), ratioWord(trend.newest->ratio), causeWord(*trend.newest)),
             trend.newest->before, trend.newest->after});
    if (sentences.empty())
        sentences.push_back({tr("No step found.")});
    std::size_t usable = 0, busy = 0, slow = 0, unsure = 0;
    for (const TrendPoint& point : trend.points) {
        const PointState state = stateOf(point);
        ++(state == PointState::usable      ? usable
           : state == PointState::busy      ? busy
           : state == PointState::throttled ? slow
                                            : unsure);
    }
    if (busy > 0)
        sentences.push_back({tr("Busy trials (%1) make no step: other programs disturbed them.").arg(busy)});
    if (slow > 0)
        sentences.push_back({tr("Trials at a slow clock (%1) make no step: the clock was held down.").arg(slow)});
    if (unsure > 0)
        sentences.push_back(
            {tr("Trials without an interval (%1) make no step: they have too few samples.").arg(unsure)});
    if (usable < 2 * stats::kStepValues)
        sentences.push_back(
            {tr("A step needs at least %1 undisturbed trials with an interval on each side. The Compare "
                "page shows the difference of two trials.")
                 .arg(stats::kStepValues)});
    else if (trend.spread > 0)
        sentences.push_back(
            {tr("The trials spread by %1 % around their level.").arg(theme::number(trend.spread * 100, 2))});
    return sentences;
}

} // namespace apertune::gui
