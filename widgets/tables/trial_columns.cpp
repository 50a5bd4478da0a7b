// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/trial_columns.h"

#include "widgets/controls/label.h"
#include "widgets/theme/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <array>

namespace apertune::tables {
namespace {

constexpr double kMsPerNs = 1e-6;

QString translated(const char* text)
{
    return QCoreApplication::translate("TrialTable", text);
}

bool measured(const model::Trial& trial)
{
    return trial.state == model::TrialState::ok;
}

QString qualityText(const model::Trial& trial)
{
    if (!measured(trial) || !trial.measurement.quality) {
        return {};
    }
    const model::Quality& quality = *trial.measurement.quality;
    return quality.nanCount > 0 ? translated("NaN") : QString::number(quality.cosine, 'f', 5);
}

QString switchesText(const model::Config& config, const CellContext& context)
{
    QStringList parts;
    for (const std::string& mark : model::switchMarks(config, context.device, context.given)) {
        parts << theme::toQt(mark);
    }
    return parts.join(QLatin1Char(' '));
}

/// What the measurement itself holds against it; empty: nothing.
QString doubtWords(const model::Trial& trial)
{
    QStringList words;
    for (const std::string& flag : trial.measurement.flags) {
        if (flag != "confirmed") {
            words << theme::toQt(flag).replace(QLatin1Char('_'), QLatin1Char(' '));
        }
    }
    return words.join(QStringLiteral(", "));
}

} // namespace

QString columnTitle(TrialColumn column, const QString& throughputUnit)
{
    switch (column) {
    case TrialColumn::mark:
        return {};
    case TrialColumn::trial:
        return translated("Trial");
    case TrialColumn::device:
        return translated("Device");
    case TrialColumn::engine:
        return translated("Engine");
    case TrialColumn::level:
        return translated("Level");
    case TrialColumn::precision:
        return translated("Precision");
    case TrialColumn::batch:
        return translated("Batch");
    case TrialColumn::threads:
        return translated("Threads");
    case TrialColumn::switches:
        return translated("Switches");
    case TrialColumn::latency:
        return translated("Latency ms/pass");
    case TrialColumn::spread:
        return translated("Interval");
    case TrialColumn::throughput:
        return translated("Throughput %1").arg(throughputUnit);
    case TrialColumn::memory:
        return translated("Memory MiB");
    case TrialColumn::quality:
        return translated("Quality");
    case TrialColumn::state:
        return translated("State");
    }
    return {};
}

QStringList rawTitles(TrialColumn column)
{
    switch (column) {
    case TrialColumn::mark:
        return {translated("Mark")};
    case TrialColumn::spread:
        return {translated("Latency ms/pass, low"), translated("Latency ms/pass, high")};
    default:
        return {};
    }
}

QString columnToolTip(TrialColumn column)
{
    switch (column) {
    case TrialColumn::latency:
        return translated("Median wall time of one forward pass over timing blocks");
    case TrialColumn::spread:
        return translated("Half the distribution-free 95 % interval of the median, as a share of it; of a wide one "
                          "its ends");
    case TrialColumn::throughput:
        return translated("Samples a second, from the same blocks");
    case TrialColumn::memory:
        return translated("Peak of the device on a GPU, of the process on a CPU");
    case TrialColumn::quality:
        return translated("Smallest cosine similarity to the O0 fp32 outputs on the same inputs; 1 is equal");
    case TrialColumn::engine:
        return translated("What runs the model; each engine has levels and switches of its own");
    case TrialColumn::switches:
        return translated("Switches that differ from the level's own");
    case TrialColumn::mark:
        return translated("★ recommended, ◆ best trade-off");
    default:
        return {};
    }
}

bool isNumeric(TrialColumn column)
{
    switch (column) {
    case TrialColumn::batch:
    case TrialColumn::threads:
    case TrialColumn::latency:
    case TrialColumn::spread:
    case TrialColumn::throughput:
    case TrialColumn::memory:
    case TrialColumn::quality:
        return true;
    default:
        return false;
    }
}

QString cellText(const model::Trial& trial, TrialColumn column, const CellContext& context)
{
    const model::Config& config = trial.config;
    const model::Measurement& m = trial.measurement;
    switch (column) {
    case TrialColumn::mark:
        return {};
    case TrialColumn::trial:
        return QLatin1Char('t') + QString::number(trial.id.value);
    case TrialColumn::device:
        return theme::toQt(trial.device);
    case TrialColumn::engine:
        return theme::toQt(config.backend);
    case TrialColumn::level:
        return theme::toQt(std::string(model::toString(config.level)));
    case TrialColumn::precision:
        return theme::toQt(std::string(model::toString(config.precision)));
    case TrialColumn::batch:
        return QString::number(config.batch);
    case TrialColumn::threads:
        return config.threads > 0 ? QString::number(config.threads) : QString();
    case TrialColumn::switches:
        return switchesText(config, context);
    case TrialColumn::latency:
        return measured(trial) ? theme::number(m.latencyNs.value * kMsPerNs) : QString();
    case TrialColumn::spread:
        if (!measured(trial)) {
            return {};
        }
        return m.latencyNs.confidence > 0 ? theme::certainty(m.latencyNs, kMsPerNs, translated("ms")) : theme::kAbsent;
    case TrialColumn::throughput:
        return measured(trial) ? theme::number(m.throughput.value) : QString();
    case TrialColumn::memory: {
        const auto peak = memoryPeak(m.memory, context.device);
        return measured(trial) && peak ? theme::count(peak->count >> 20) : QString();
    }
    case TrialColumn::quality:
        return qualityText(trial);
    case TrialColumn::state:
        return stateText(trial);
    }
    return {};
}

QVariant cellValue(const model::Trial& trial, TrialColumn column, const CellContext& context)
{
    const model::Measurement& m = trial.measurement;
    switch (column) {
    case TrialColumn::batch:
        return static_cast<double>(trial.config.batch);
    case TrialColumn::threads:
        return trial.config.threads > 0 ? QVariant(static_cast<double>(trial.config.threads)) : QVariant();
    case TrialColumn::latency:
        return measured(trial) ? QVariant(m.latencyNs.value * kMsPerNs) : QVariant();
    case TrialColumn::spread:
        return measured(trial) && m.latencyNs.confidence > 0
                   ? QVariant(QVariantList{m.latencyNs.lo * kMsPerNs, m.latencyNs.hi * kMsPerNs})
                   : QVariant();
    case TrialColumn::throughput:
        return measured(trial) ? QVariant(m.throughput.value) : QVariant();
    case TrialColumn::memory: {
        const auto peak = memoryPeak(m.memory, context.device);
        return measured(trial) && peak ? QVariant(static_cast<double>(peak->count) / (1 << 20)) : QVariant();
    }
    case TrialColumn::quality:
        return measured(trial) && m.quality ? QVariant(m.quality->cosine) : QVariant();
    default:
        return cellText(trial, column, context);
    }
}

QVariant cellOrder(const model::Trial& trial, TrialColumn column, const CellContext& context)
{
    switch (column) {
    case TrialColumn::trial:
        return static_cast<double>(trial.id.value);
    case TrialColumn::level:
        return static_cast<double>(trial.config.level);
    case TrialColumn::precision:
        return static_cast<double>(trial.config.precision);
    case TrialColumn::spread:
        return cellValue(trial, column, context).isValid() ? QVariant(trial.measurement.latencyNs.relativeHalfWidth())
                                                           : QVariant();
    default:
        return cellValue(trial, column, context);
    }
}

std::optional<base::Bytes> memoryPeak(const model::MemoryUse& memory, model::DeviceKind device)
{
    const auto& first = device == model::DeviceKind::cuda ? memory.devicePeak : memory.processPeak;
    return first ? first : memory.allocatorPeak;
}

QString reasonWord(const std::string& kind)
{
    static const std::array<std::pair<const char*, const char*>, 16> words{{
        {"oom", QT_TRANSLATE_NOOP("TrialTable", "out of memory")},
        {"crash", QT_TRANSLATE_NOOP("TrialTable", "crashed")},
        {"hang", QT_TRANSLATE_NOOP("TrialTable", "hung")},
        {"timeout", QT_TRANSLATE_NOOP("TrialTable", "timed out")},
        {"compile_failed", QT_TRANSLATE_NOOP("TrialTable", "compile failed")},
        {"model_threw", QT_TRANSLATE_NOOP("TrialTable", "model threw")},
        {"bad_input", QT_TRANSLATE_NOOP("TrialTable", "bad input")},
        {"unsupported", QT_TRANSLATE_NOOP("TrialTable", "unsupported")},
        {"nan", QT_TRANSLATE_NOOP("TrialTable", "NaN")},
        {"internal", QT_TRANSLATE_NOOP("TrialTable", "internal error")},
        {"impossible", QT_TRANSLATE_NOOP("TrialTable", "impossible")},
        {"budget", QT_TRANSLATE_NOOP("TrialTable", "budget spent")},
        {"too_slow", QT_TRANSLATE_NOOP("TrialTable", "far too slow")},
        {"batch_edge", QT_TRANSLATE_NOOP("TrialTable", "beyond memory edge")},
        {"dominated", QT_TRANSLATE_NOOP("TrialTable", "dominated")},
        {"bisect", QT_TRANSLATE_NOOP("TrialTable", "not needed")},
    }};
    for (const auto& [key, word] : words) {
        if (kind == key) {
            return translated(word);
        }
    }
    return theme::toQt(kind);
}

QString stateText(const model::Trial& trial)
{
    const QString word = reasonWord(trial.reason.kind);
    const QString text = theme::toQt(trial.reason.text);
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

QString trialToolTip(const model::Trial& trial, model::DeviceKind device, const QString& throughputUnit)
{
    QStringList lines;
    lines << translated("t%1  %2 on %3")
                 .arg(trial.id.value)
                 .arg(theme::toQt(model::shortName(trial.config, device, trial.config.threads > 0)),
                      theme::toQt(trial.device));
    if (!measured(trial)) {
        lines << stateText(trial);
        return lines.join(QLatin1Char('\n'));
    }
    const model::Measurement& m = trial.measurement;
    lines << translated("latency of a pass %1 ms %2, median of %3 blocks, %4 passes")
                 .arg(theme::number(m.latencyNs.value * kMsPerNs), theme::bounds(m.latencyNs, kMsPerNs))
                 .arg(m.blocks.size())
                 .arg(m.iterations.size());
    lines << translated("throughput %1 %2 %3")
                 .arg(theme::number(m.throughput.value), throughputUnit, theme::bounds(m.throughput));
    if (m.quality) {
        lines << translated("cosine to O0 fp32 %1 over %2 samples")
                     .arg(QString::number(m.quality->cosine, 'f', 6))
                     .arg(m.quality->samples);
    }
    if (const QString doubts = doubtWords(trial); !doubts.isEmpty()) {
        lines << translated("note: %1").arg(doubts);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace apertune::tables
