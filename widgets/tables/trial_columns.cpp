// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/trial_columns.h"

#include "core/base/units.h"
#include "widgets/controls/label.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>

namespace apertune::tables {
namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("TrialTable", text);
}

bool measured(const model::Trial& trial)
{
    return trial.state == model::TrialState::ok;
}

using Kind = TrialColumn::Kind;

/// The metric whose interval has a column. The interval of the throughput has the same relative width.
constexpr std::string_view kMetricWithInterval = "latency";

constexpr double kBytesPerMiB = 1 << 20;

QString metricTitle(const metrics::Metric& metric)
{
    return QCoreApplication::translate("Metrics", std::string(metric.title).c_str());
}

/// The title with its unit. Sizes are in MiB, throughput in the unit of the model.
QString metricHeading(const metrics::Metric& metric, const QString& throughputUnit)
{
    const QString unit = metric.unit == metrics::Unit::samplesPerSecond ? throughputUnit
                         : metric.unit == metrics::Unit::bytes          ? translated("MiB")
                                                               : theme::toQt(metrics::unitText(metric.unit, {}));
    return unit.isEmpty() ? metricTitle(metric) : metricTitle(metric) + QLatin1Char(' ') + unit;
}

metrics::Reading readingOf(const model::Trial& trial, const TrialColumn& column, const CellContext& context)
{
    return measured(trial) ? column.metric->read(trial.measurement, context.device) : metrics::Reading{};
}

QString metricText(const metrics::Metric& metric, const metrics::Reading& reading)
{
    if (!reading.value)
        return {};
    switch (metric.style) {
    case metrics::Style::significant:
    case metrics::Style::brief:
    case metrics::Style::interval:
        return theme::number(*reading.value);
    case metrics::Style::duration:
        return theme::duration(base::fromMilliseconds(*reading.value));
    case metrics::Style::bytes:
        return theme::mebibytes({static_cast<std::int64_t>(*reading.value)});
    case metrics::Style::similarity:
        return theme::toQt(metrics::similarityText(reading));
    case metrics::Style::agreement:
        return theme::percent(*reading.value);
    }
    return {};
}

QString switchesText(const model::Config& config, const CellContext& context)
{
    QStringList parts;
    for (const std::string& mark : model::switchMarks(config, context.device, context.given))
        parts << theme::toQt(mark);
    return parts.join(QLatin1Char(' '));
}

/// The flags of a measurement that make it doubtful; empty: none.
QString doubtWords(const model::Trial& trial)
{
    QStringList words;
    for (const model::TrialFlag flag : trial.measurement.flags) {
        if (flag != model::TrialFlag::confirmed) {
            std::string word(model::toString(flag));
            std::replace(word.begin(), word.end(), '_', ' ');
            words << QCoreApplication::translate("core", word.c_str());
        }
    }
    return words.join(QStringLiteral(", "));
}

} // namespace

const std::vector<TrialColumn>& trialColumns()
{
    static const std::vector<TrialColumn> columns = [] {
        std::vector<TrialColumn> all;
        for (const Kind kind : {Kind::mark, Kind::trial, Kind::baseline, Kind::device, Kind::engine, Kind::level,
                                Kind::precision, Kind::batch, Kind::threads, Kind::switches}) {
            all.push_back({kind});
        }
        // The columns of metrics come from the table of metrics, so a new one appears here by itself.
        for (const metrics::Metric& metric : metrics::all()) {
            if (metric.column != metrics::Column::none)
                all.push_back({Kind::metric, &metric});
            if (metric.key == kMetricWithInterval)
                all.push_back({Kind::interval, &metric});
        }
        all.push_back({Kind::state});
        return all;
    }();
    return columns;
}

int columnOf(TrialColumn::Kind kind)
{
    const auto& columns = trialColumns();
    const auto at = std::find_if(columns.begin(), columns.end(), [&](const TrialColumn& c) { return c.kind == kind; });
    return static_cast<int>(at - columns.begin());
}

int columnOf(std::string_view metric)
{
    const auto& columns = trialColumns();
    const auto at = std::find_if(columns.begin(), columns.end(), [&](const TrialColumn& c) {
        return c.kind == Kind::metric && c.metric->key == metric;
    });
    return static_cast<int>(at - columns.begin());
}

std::vector<int> inessentialColumns()
{
    std::vector<int> found;
    const auto& columns = trialColumns();
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].kind == Kind::switches ||
            (columns[i].kind == Kind::metric && columns[i].metric->column != metrics::Column::essential))
            found.push_back(static_cast<int>(i));
    return found;
}

QString columnTitle(const TrialColumn& column, const QString& throughputUnit)
{
    switch (column.kind) {
    case Kind::mark:
        return {};
    case Kind::trial:
        return translated("Trial");
    case Kind::baseline:
        return translated("Baseline");
    case Kind::device:
        return translated("Device");
    case Kind::engine:
        return translated("Engine");
    case Kind::level:
        return translated("Level");
    case Kind::precision:
        return translated("Precision");
    case Kind::batch:
        return translated("Batch");
    case Kind::threads:
        return translated("Threads");
    case Kind::switches:
        return translated("Switches");
    case Kind::metric:
        return metricHeading(*column.metric, throughputUnit);
    case Kind::interval:
        return translated("Interval");
    case Kind::state:
        return translated("State");
    }
    return {};
}

QStringList rawTitles(const TrialColumn& column)
{
    switch (column.kind) {
    case Kind::mark:
        return {translated("Mark")};
    case Kind::interval: {
        const QString heading = metricHeading(*column.metric, {});
        return {translated("%1, low").arg(heading), translated("%1, high").arg(heading)};
    }
    default:
        return {};
    }
}

QString columnToolTip(const TrialColumn& column)
{
    switch (column.kind) {
    case Kind::metric:
        return QCoreApplication::translate("Metrics", std::string(column.metric->definition).c_str());
    case Kind::interval:
        return translated("Half the distribution-free 95 % interval of the median, as a share of it; of a wide one "
                          "its ends");
    case Kind::baseline:
        return translated("Name of a trial that others are compared with; ★ without a name");
    case Kind::engine:
        return translated("Inference engine that runs the model; each has levels and switches of its own");
    case Kind::switches:
        return translated("Switches that differ from the level's own");
    case Kind::mark:
        return translated("✔ recommended, ◆ best trade-off");
    default:
        return {};
    }
}

bool isNumeric(const TrialColumn& column)
{
    return column.kind == Kind::batch || column.kind == Kind::threads || column.kind == Kind::metric ||
           column.kind == Kind::interval;
}

bool isAligned(const TrialColumn& column)
{
    return column.kind == Kind::metric && column.metric->style == metrics::Style::interval;
}

QString cellText(const model::Trial& trial, const TrialColumn& column, const CellContext& context)
{
    const model::Config& config = trial.config;
    switch (column.kind) {
    case Kind::mark:
        return {};
    case Kind::trial:
        return QLatin1Char('t') + QString::number(trial.id.value);
    case Kind::baseline:
        return context.baseline;
    case Kind::device:
        return theme::toQt(trial.device);
    case Kind::engine:
        return theme::toQt(config.backend);
    case Kind::level:
        return theme::toQt(std::string(model::toString(config.level)));
    case Kind::precision:
        return theme::toQt(std::string(model::toString(config.precision)));
    case Kind::batch:
        return QString::number(config.batch);
    case Kind::threads:
        return config.threads > 0 ? QString::number(config.threads) : QString();
    case Kind::switches:
        return switchesText(config, context);
    case Kind::metric:
        return metricText(*column.metric, readingOf(trial, column, context));
    case Kind::interval: {
        const auto interval = readingOf(trial, column, context).interval;
        if (!interval)
            return {};
        return interval->confidence > 0
                   ? theme::certainty(*interval, 1, theme::toQt(metrics::unitText(column.metric->unit, {})))
                   : theme::kAbsent;
    }
    case Kind::state:
        return stateText(trial);
    }
    return {};
}

QVariant cellValue(const model::Trial& trial, const TrialColumn& column, const CellContext& context)
{
    switch (column.kind) {
    case Kind::batch:
        return static_cast<double>(trial.config.batch);
    case Kind::threads:
        return trial.config.threads > 0 ? QVariant(static_cast<double>(trial.config.threads)) : QVariant();
    case Kind::metric: {
        const auto value = readingOf(trial, column, context).value;
        return !value                                        ? QVariant()
               : column.metric->unit == metrics::Unit::bytes ? QVariant(*value / kBytesPerMiB)
                                                             : QVariant(*value);
    }
    case Kind::interval: {
        const auto interval = readingOf(trial, column, context).interval;
        return interval && interval->confidence > 0 ? QVariant(QVariantList{interval->lo, interval->hi}) : QVariant();
    }
    default:
        return cellText(trial, column, context);
    }
}

QVariant cellOrder(const model::Trial& trial, const TrialColumn& column, const CellContext& context)
{
    switch (column.kind) {
    case Kind::trial:
        return static_cast<double>(trial.id.value);
    case Kind::level: // the number of the level orders, and not its name
        return static_cast<double>(trial.config.level);
    case Kind::precision:
        return static_cast<double>(trial.config.precision);
    case Kind::interval: {
        const auto interval = readingOf(trial, column, context).interval;
        return interval && interval->confidence > 0 ? QVariant(interval->relativeHalfWidth()) : QVariant();
    }
    default:
        return cellValue(trial, column, context);
    }
}

QString reasonWord(model::ReasonKind kind)
{
    static const std::array<std::pair<model::ReasonKind, const char*>, 16> words{{
        {model::ReasonKind::outOfMemory, QT_TRANSLATE_NOOP("TrialTable", "out of memory")},
        {model::ReasonKind::crash, QT_TRANSLATE_NOOP("TrialTable", "crashed")},
        {model::ReasonKind::hang, QT_TRANSLATE_NOOP("TrialTable", "hung")},
        {model::ReasonKind::timeout, QT_TRANSLATE_NOOP("TrialTable", "timed out")},
        {model::ReasonKind::compileFailed, QT_TRANSLATE_NOOP("TrialTable", "compile failed")},
        {model::ReasonKind::modelThrew, QT_TRANSLATE_NOOP("TrialTable", "model threw")},
        {model::ReasonKind::badInput, QT_TRANSLATE_NOOP("TrialTable", "bad input")},
        {model::ReasonKind::unsupported, QT_TRANSLATE_NOOP("TrialTable", "unsupported")},
        {model::ReasonKind::notANumber, QT_TRANSLATE_NOOP("TrialTable", "NaN")},
        {model::ReasonKind::internal, QT_TRANSLATE_NOOP("TrialTable", "internal error")},
        {model::ReasonKind::impossible, QT_TRANSLATE_NOOP("TrialTable", "impossible")},
        {model::ReasonKind::budget, QT_TRANSLATE_NOOP("TrialTable", "budget spent")},
        {model::ReasonKind::tooSlow, QT_TRANSLATE_NOOP("TrialTable", "far too slow")},
        {model::ReasonKind::batchEdge, QT_TRANSLATE_NOOP("TrialTable", "beyond memory edge")},
        {model::ReasonKind::dominated, QT_TRANSLATE_NOOP("TrialTable", "dominated")},
        {model::ReasonKind::bisect, QT_TRANSLATE_NOOP("TrialTable", "not needed")},
    }};
    for (const auto& [key, word] : words)
        if (kind == key)
            return translated(word);
    return theme::toQt(std::string(model::toString(kind)));
}

QString stateText(const model::Trial& trial)
{
    const QString word = reasonWord(trial.reason.kind);
    const QString text = theme::fromCore(trial.reason.message);
    switch (trial.state) {
    case model::TrialState::queued:
        return translated("queued");
    case model::TrialState::leased:
    case model::TrialState::running:
        return translated("running");
    case model::TrialState::ok: {
        const QString doubts = doubtWords(trial);
        return doubts.isEmpty() ? translated("ok") : translated("ok, %1").arg(doubts);
    }
    case model::TrialState::failed:
        return text.isEmpty() ? word : translated("%1: %2").arg(word, text);
    case model::TrialState::pruned:
        return text.isEmpty() ? translated("skipped: %1").arg(word) : translated("skipped: %1").arg(text);
    case model::TrialState::cancelled:
        return translated("cancelled");
    }
    return {};
}

QString stateIcon(const model::Trial& trial)
{
    switch (trial.state) {
    case model::TrialState::queued:
        return QStringLiteral("clock");
    case model::TrialState::leased:
    case model::TrialState::running:
        return QStringLiteral("play");
    case model::TrialState::ok:
        return QStringLiteral("check");
    case model::TrialState::failed:
        return QStringLiteral("error");
    case model::TrialState::pruned:
    case model::TrialState::cancelled:
        return QStringLiteral("skipped");
    }
    return {};
}

int stateTone(const model::Trial& trial)
{
    using controls::Tone;
    switch (trial.state) {
    case model::TrialState::leased:
    case model::TrialState::running:
        return static_cast<int>(Tone::accent);
    case model::TrialState::ok:
        return static_cast<int>(doubtWords(trial).isEmpty() ? Tone::good : Tone::warn);
    case model::TrialState::failed:
        return static_cast<int>(Tone::bad);
    default:
        return static_cast<int>(Tone::tertiary);
    }
}

QString trialToolTip(const model::Trial& trial, const QString& name, model::DeviceType device,
                     const QString& throughputUnit)
{
    QStringList lines;
    lines << translated("t%1  %2 on %3").arg(trial.id.value).arg(name, theme::toQt(trial.device));
    if (!measured(trial)) {
        lines << stateText(trial);
        return lines.join(QLatin1Char('\n'));
    }
    const model::Measurement& m = trial.measurement;
    lines << translated("latency of a pass %1 ms %2, median of %3 blocks, %4 passes")
                 .arg(theme::number(m.latencyNs.value * base::kMsPerNs), theme::bounds(m.latencyNs, base::kMsPerNs))
                 .arg(m.blocks.size())
                 .arg(*metrics::find("iterations").read(m, device).value);
    lines << translated("throughput %1 %2 %3")
                 .arg(theme::number(m.throughput.value), throughputUnit, theme::bounds(m.throughput));
    if (m.quality) {
        lines << translated("cosine to O0 fp32 %1 over %2 samples")
                     .arg(theme::toQt(metrics::similarityText(metrics::find("cosine").read(m, device))))
                     .arg(m.quality->samples);
    }
    if (const QString doubts = doubtWords(trial); !doubts.isEmpty())
        lines << translated("note: %1").arg(doubts);
    return lines.join(QLatin1Char('\n'));
}

} // namespace apertune::tables
