// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/trial_view.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/tradeoffs_view.h"
#include "app/gui/presenters/translate.h"
#include "core/base/text.h"
#include "core/comparison/break_even.h"
#include "core/metrics/metrics.h"
#include "core/model/imported.h"
#include "core/stats/block_stats.h"
#include "core/text/format.h"
#include "widgets/tables/trial_columns.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QCoreApplication>
#include <QObject>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace apertune::gui {
namespace {

using controls::FactList;
using controls::Tone;
using tables::TextTableModel;

TextTableModel::Cell askedCell(const model::Applied& applied, const model::Config& config)
{
    const auto asked = config.switches.find(applied.name);
    if (asked == config.switches.end()) {
        const bool isPrecision = applied.name == model::Applied::kPrecision;
        return {isPrecision ? theme::toQt(std::string(model::toString(config.precision))) : theme::kAbsent,
                {},
                isPrecision ? Tone::text : Tone::tertiary};
    }
    return {asked->second ? QObject::tr("on") : QObject::tr("off"), {}, asked->second ? Tone::text : Tone::tertiary};
}

/// Sorts switches in effect first, then those that were requested but are not in effect.
int placeOf(model::AppliedState state)
{
    switch (state) {
    case model::AppliedState::on:
        return 0;
    case model::AppliedState::requestedNotInEffect:
        return 1;
    case model::AppliedState::off:
        return 2;
    case model::AppliedState::notApplicable:
        break;
    }
    return 3;
}

TextTableModel::Row switchRow(const model::Applied& applied, const model::Config& config)
{
    TextTableModel::Row row;
    TextTableModel::Cell effect;
    switch (applied.state) {
    case model::AppliedState::on:
        effect = {QObject::tr("on"), {}, Tone::good, QStringLiteral("check")};
        break;
    case model::AppliedState::off:
        effect = {QObject::tr("off"), {}, Tone::tertiary, QStringLiteral("skipped")};
        break;
    case model::AppliedState::requestedNotInEffect:
        effect = {QObject::tr("asked, not in effect"), {}, Tone::warn, QStringLiteral("warning")};
        break;
    case model::AppliedState::notApplicable:
        effect = {QObject::tr("not applicable"), {}, Tone::tertiary, QStringLiteral("skipped")};
        break;
    }
    effect.order = placeOf(applied.state);
    row.cells = {{theme::toQt(applied.name)},
                 askedCell(applied, config),
                 effect,
                 {applied.evidence.empty() ? theme::kAbsent : theme::toQt(applied.evidence), {}, Tone::secondary}};
    for (const model::SwitchInfo& info : model::switchCatalogue()) {
        if (info.name == applied.name) {
            row.toolTip = fromCore(info.summary);
            if (!applied.evidence.empty())
                row.toolTip += QObject::tr("\nEvidence: %1").arg(theme::toQt(applied.evidence));
        }
    }
    return row;
}

std::vector<TextTableModel::Row> switchRows(const model::Trial& trial)
{
    std::vector<TextTableModel::Row> rows;
    for (const model::Applied& applied : trial.measurement.applied)
        rows.push_back(switchRow(applied, trial.config));
    // A trial that was not run has no evidence, so its wishes are shown.
    if (rows.empty()) {
        for (const auto& [name, on] : trial.config.switches) {
            rows.push_back({{{theme::toQt(name)},
                             {on ? QObject::tr("on") : QObject::tr("off"), {}, on ? Tone::text : Tone::tertiary},
                             {QObject::tr("not run"), {}, Tone::tertiary},
                             {theme::kAbsent, {}, Tone::tertiary}}});
        }
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.cells[2].order.toInt() < b.cells[2].order.toInt(); });
    return rows;
}

/// What makes the facts of a trial's metrics.
struct FactContext
{
    const model::Measurement& measurement;
    model::DeviceType device;
    base::RateUnit rate;
    bool isStated = false; ///< another tool's file states statistics alone
};

/// The groups of metrics of the two lists of facts, in their order.
constexpr std::array kTimingGroups{metrics::FactGroup::latency, metrics::FactGroup::throughput,
                                   metrics::FactGroup::percentiles, metrics::FactGroup::deviceTime,
                                   metrics::FactGroup::start};
constexpr std::array kMemoryGroups{metrics::FactGroup::memory, metrics::FactGroup::energy, metrics::FactGroup::quality};

QString translated(std::string_view text)
{
    return QCoreApplication::translate("Metrics", std::string(text).c_str());
}

QString metricValue(const metrics::Metric& metric, const metrics::Reading& reading, base::RateUnit rate)
{
    const double value = *reading.value;
    const std::string_view word = metrics::unitText(metric.unit, rate);
    const QString unit = word.empty() ? QString() : translated(word);
    const auto withUnit = [&unit](const QString& number) {
        return unit.isEmpty() ? number : QObject::tr("%1 %2").arg(number, unit);
    };
    switch (metric.style) {
    case metrics::Style::significant:
        return metrics::isWhole(metric.unit) ? theme::count(std::llround(value)) : withUnit(theme::number(value));
    case metrics::Style::brief:
        return withUnit(theme::number(value, 3));
    case metrics::Style::interval:
        return QObject::tr("%1 %2").arg(withUnit(theme::number(value)), theme::certainty(*reading.interval, 1, unit));
    case metrics::Style::duration:
        return theme::duration(base::fromMilliseconds(value));
    case metrics::Style::bytes:
        return theme::bytes({std::llround(value)});
    case metrics::Style::similarity:
        return theme::toQt(metrics::similarityText(reading));
    case metrics::Style::agreement:
        return theme::fromCore(text::agreementMessage(value, static_cast<std::int64_t>(reading.samples)));
    }
    return {};
}

QString basisWord(metrics::Basis basis, qint64 n)
{
    switch (basis) {
    case metrics::Basis::none:
        break;
    case metrics::Basis::blocks:
        return theme::counted(n, QObject::tr("block"), QObject::tr("blocks"));
    case metrics::Basis::passes:
        return theme::counted(n, QObject::tr("pass"), QObject::tr("passes"));
    case metrics::Basis::processes:
        return theme::counted(n, QObject::tr("process"), QObject::tr("processes"));
    case metrics::Basis::stretches:
        return theme::counted(n, QObject::tr("stretch"), QObject::tr("stretches"));
    case metrics::Basis::samples:
        return theme::counted(n, QObject::tr("sample"), QObject::tr("samples"));
    }
    return {};
}

/// The samples behind a value and its interval, as a line of the tool tip; empty where they are unknown.
QString basisText(const metrics::Metric& metric, const metrics::Reading& reading, const FactContext& of)
{
    if (of.isStated && reading.samples == 0)
        return QObject::tr("As the file states it.");
    const QString samples = basisWord(metric.basis, static_cast<qint64>(reading.samples));
    if (samples.isEmpty() || reading.samples == 0)
        return {};
    if (!reading.interval)
        return QObject::tr("Over %1.").arg(samples);
    return reading.interval->confidence > 0
               ? QObject::tr("Over %1, interval %2.").arg(samples, theme::bounds(*reading.interval))
               : QObject::tr("Over %1, too few for an interval.").arg(samples);
}

/// A percentile needs enough passes, so its absence has a reason.
FactList::Fact absentPercentile(const metrics::Metric& metric, const metrics::Reading& reading, const FactContext& of)
{
    const QString name = translated(metric.name);
    if (of.isStated)
        return {name, theme::kAbsent, QObject::tr("The file does not state it."), Tone::tertiary};
    return {name, QObject::tr("needs %1 passes").arg(stats::samplesForPercentile(metric.percentile)),
            QObject::tr("Only %1 were timed.").arg(reading.samples), Tone::tertiary};
}

/// Returns who measured the energy, and over what.
FactList::Fact energySource(const model::Energy& energy)
{
    const model::EnergyStretch total = energy.total();
    return {QObject::tr("energy measured by"),
            energy.source == model::EnergySource::packages ? QObject::tr("the processor packages")
                                                           : QObject::tr("the GPU"),
            QObject::tr("Over %1 passes in %2. It took %3 W before the model was loaded.")
                .arg(total.passes)
                .arg(theme::duration(total.time), theme::number(energy.idleWatts, 3))};
}

/// The facts of the metrics in these groups. The table of core/metrics says which there are.
std::vector<FactList::Fact> metricFacts(std::span<const metrics::FactGroup> groups, const FactContext& of)
{
    std::vector<FactList::Fact> facts;
    for (const metrics::FactGroup group : groups) {
        if (group == metrics::FactGroup::quality && !of.measurement.quality) {
            facts.push_back({QObject::tr("quality"), QObject::tr("nothing to compare with"), {}, Tone::warn});
            continue;
        }
        const std::size_t before = facts.size();
        for (const metrics::Metric& metric : metrics::all()) {
            if (metric.group != group || metric.name.empty())
                continue;
            const metrics::Reading reading = metric.read(of.measurement, of.device);
            if (!reading.value && metric.percentile > 0)
                facts.push_back(absentPercentile(metric, reading, of));
            if (!reading.value)
                continue;
            const QString basis = basisText(metric, reading, of);
            facts.push_back({translated(metric.name), metricValue(metric, reading, of.rate),
                             translated(metric.definition) + (basis.isEmpty() ? QString() : QLatin1Char('\n') + basis),
                             reading.nonFinite > 0 ? Tone::bad : Tone::text});
        }
        if (group == metrics::FactGroup::energy && facts.size() > before)
            facts.push_back(energySource(*of.measurement.conditions.energy));
    }
    return facts;
}

std::vector<FactList::Fact> environmentFacts(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    const model::Environment& environment = snapshot.study.environment;
    std::vector<FactList::Fact> facts;
    if (const std::string& machine = trial.measurement.conditions.machine; !machine.empty())
        facts.push_back({QObject::tr("machine"), theme::toQt(machine), {}});
    if (const model::Device* device = snapshot.deviceOf(trial)) {
        facts.push_back({QObject::tr("device"), theme::toQt(device->name.empty() ? device->id : device->name),
                         theme::toQt(base::join(device->isa))});
        if (!device->driver.empty())
            facts.push_back({QObject::tr("driver"), theme::toQt(device->driver), {}});
    }
    if (trial.config.threads > 0)
        facts.push_back({QObject::tr("threads"), QString::number(trial.config.threads), {}});
    for (const auto& [name, version] : environment.engines)
        if (!version.empty()) // one that is not installed has none
            facts.push_back({theme::toQt(name), theme::toQt(version), {}});
    // Another tool tells nothing of the machine.
    if (!model::isImported(snapshot.study)) {
        facts.push_back({QObject::tr("system"), theme::toQt(environment.os), theme::toQt(environment.kernel)});
        facts.push_back({QObject::tr("load"), theme::number(environment.loadAverage, 2),
                         QObject::tr("One-minute load average when the study began.")});
    }
    QStringList others;
    for (const auto& [name, value] : environment.settings)
        // The governor is a fact of every measurement; other variables matter only to those who set them.
        if (name == "governor")
            facts.push_back({QObject::tr("governor"), theme::toQt(value), {}});
        else
            others << theme::toQt(name) + QLatin1Char('=') + theme::toQt(value);
    if (!others.isEmpty())
        facts.push_back({QObject::tr("variables"), others.join(QStringLiteral(" ")), others.join(QLatin1Char('\n'))});
    if (const auto& layers = trial.measurement.conditions.sandbox)
        facts.push_back({QObject::tr("sandbox"),
                         layers->empty() ? QObject::tr("none")
                                         : theme::counted(static_cast<std::int64_t>(layers->size()),
                                                          QObject::tr("layer"), QObject::tr("layers")),
                         layers->empty()
                             ? QObject::tr("The model ran with all rights of the user.")
                             : QObject::tr("Sandbox of the model's code: %1").arg(theme::toQt(base::join(*layers))),
                         layers->empty() ? Tone::warn : Tone::text});
    if (trial.attempt > 0)
        facts.push_back({QObject::tr("attempt"), QString::number(trial.attempt + 1), {}, Tone::warn});
    return facts;
}

} // namespace

QString flagText(model::TrialFlag flag)
{
    static const std::array<std::pair<model::TrialFlag, const char*>, 12> texts{{
        {model::TrialFlag::notConverged, QT_TR_NOOP("the interval is still wider than asked for")},
        {model::TrialFlag::contended, QT_TR_NOOP("other programs took processor time from the blocks")},
        {model::TrialFlag::neverSteady, QT_TR_NOOP("the warm-up never became steady")},
        {model::TrialFlag::bimodal, QT_TR_NOOP("the blocks fall into two groups, so one median describes neither")},
        {model::TrialFlag::drift, QT_TR_NOOP("the first and the last blocks differ")},
        {model::TrialFlag::machineDrift, QT_TR_NOOP("the machine itself had another speed than when the study began")},
        {model::TrialFlag::qualityUnavailable, QT_TR_NOOP("there were no outputs to compare with")},
        {model::TrialFlag::precisionNotInEffect, QT_TR_NOOP("the engine computed in another precision than asked for")},
        {model::TrialFlag::belowQualityBound, QT_TR_NOOP("the outputs agree less with O0 fp32 than the goal asks for")},
        {model::TrialFlag::throttled, QT_TR_NOOP("the clock was throttled")},
        {model::TrialFlag::sharedGpu, QT_TR_NOOP("another process used the GPU")},
        {model::TrialFlag::confirmed, QT_TR_NOOP("measured again, interleaved with its baseline")},
    }};
    for (const auto& [name, text] : texts)
        if (flag == name)
            return QObject::tr(text);
    return theme::toQt(std::string(model::toString(flag))).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString reasonAdvice(model::ReasonKind kind)
{
    static const std::array<std::pair<model::ReasonKind, const char*>, 12> texts{{
        {model::ReasonKind::damaged,
         QT_TR_NOOP("Its data in the workspace cannot be read. Restore a copy, or measure it again.")},
        {model::ReasonKind::outOfMemory, QT_TR_NOOP("Try a smaller batch, or a 16-bit precision.")},
        {model::ReasonKind::crash,
         QT_TR_NOOP("The worker died; the sweep went on in a fresh one. The log below names the signal.")},
        {model::ReasonKind::hang,
         QT_TR_NOOP("The worker stopped answering and was ended. Try the configuration alone with fewer threads.")},
        {model::ReasonKind::timeout,
         QT_TR_NOOP("The configuration took longer than its limit. Give the sweep a larger budget.")},
        {model::ReasonKind::compileFailed,
         QT_TR_NOOP("The compiler gave up on this model. Level O2 needs no compiler.")},
        {model::ReasonKind::modelThrew, QT_TR_NOOP("The model itself raised an error with this configuration.")},
        {model::ReasonKind::impossible, QT_TR_NOOP("This machine or model cannot do it; nothing was run.")},
        {model::ReasonKind::budget, QT_TR_NOOP("The budget left no time for it. Resume with a larger budget.")},
        {model::ReasonKind::tooSlow,
         QT_TR_NOOP("Two passes showed it to be far slower than O0 fp32; measuring it was not worth it.")},
        {model::ReasonKind::batchEdge,
         QT_TR_NOOP("A smaller batch of the same configuration group already ran out of memory.")},
        {model::ReasonKind::notANumber,
         QT_TR_NOOP("The outputs hold NaN or Inf values; such a configuration is never recommended.")},
    }};
    for (const auto& [name, text] : texts)
        if (kind == name)
            return QObject::tr(text);
    return {};
}

TrialView makeTrialView(const model::StudySnapshot& snapshot, const model::Trial& trial,
                        const std::filesystem::path& file)
{
    TrialView view;
    view.title = configurationName(snapshot, trial);
    QStringList facts{QStringLiteral("t%1").arg(trial.id.value), theme::toQt(snapshot.study.name),
                      theme::toQt(trial.device)};
    if (trial.config.threads > 0)
        facts << theme::counted(trial.config.threads, QObject::tr("thread"), QObject::tr("threads"));
    const model::Recommendation* leading = snapshot.leading();
    if (leading && leading->trial != trial.id)
        leading = nullptr;
    if (leading)
        facts << (snapshot.recommended ? QObject::tr("✔ recommended") : QObject::tr("not confirmed"));
    view.facts = facts.join(QStringLiteral(" · "));
    view.measured = trial.state == model::TrialState::ok;
    view.imported = model::isImported(snapshot.study);
    if (view.imported) {
        for (const model::Applied& fact : trial.measurement.applied)
            view.stated.push_back({{{theme::toQt(fact.name)}, {theme::toQt(fact.evidence), {}, Tone::secondary}}});
    } else {
        view.switches = switchRows(trial);
        view.command = measureCommand(snapshot.study, trial, file);
    }
    if (view.imported && trial.measurement.iterations.empty())
        view.noPasses = QObject::tr("The file states statistics alone, so there are no single passes to draw.");
    view.environment = environmentFacts(snapshot, trial);
    if (view.measured) {
        view.figures = trialFigures(snapshot, trial, leading, file);
        const FactContext of{trial.measurement, text::deviceType(snapshot, trial), snapshot.study.model.rateUnit(),
                             view.imported && trial.measurement.blocks.empty()};
        view.timing = metricFacts(kTimingGroups, of);
        if (const auto won = comparison::breakEven(snapshot, trial)) {
            const std::optional<double> passes = won->shownPasses();
            view.timing.push_back(
                {QObject::tr("break-even"),
                 passes             ? QObject::tr("%1 passes").arg(theme::count(std::llround(*passes)))
                 : won->neverPays() ? QObject::tr("never")
                                    : QObject::tr("perhaps never"),
                 QObject::tr("Compiling %1.").arg(theme::fromCore(comparison::breakEvenMessage(snapshot, trial)))});
        }
        view.memoryAndQuality = metricFacts(kMemoryGroups, of);
        QStringList flags;
        // To have been confirmed is no warning.
        for (const model::TrialFlag flag : trial.measurement.flags)
            if (flag != model::TrialFlag::confirmed)
                flags << flagText(flag);
        if (const base::Message modes = text::modesMessage(trial.measurement); !modes.empty())
            flags << QObject::tr("two modes: %1").arg(theme::fromCore(modes));
        if (model::isDoubtful(trial.measurement))
            flags << QObject::tr("values of the imported file contradict each other or could not be read");
        view.warning = flags.join(QStringLiteral("; "));
    } else {
        view.failureTitle =
            model::isFinal(trial.state) ? tables::reasonWord(trial.reason.kind) : tables::stateText(trial);
        view.failureText = theme::fromCore(trial.reason.message);
        // Advice is about runs of Apertune.
        view.failureAdvice = view.imported ? QString()
                             : model::isFinal(trial.state)
                                 ? reasonAdvice(trial.reason.kind)
                                 : QObject::tr("This configuration has not been measured yet.");
        view.failureDetail = theme::toQt(trial.reason.detail);
    }
    return view;
}

} // namespace apertune::gui
