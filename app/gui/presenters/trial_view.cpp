// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/trial_view.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/tradeoffs_view.h"
#include "app/gui/presenters/translate.h"
#include "core/base/text.h"
#include "core/metrics/metrics.h"
#include "core/model/imported.h"
#include "core/report/break_even.h"
#include "core/report/format.h"
#include "core/stats/block_stats.h"
#include "widgets/tables/trial_columns.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QObject>

#include <algorithm>
#include <array>
#include <cmath>

namespace apertune::gui {
namespace {

using controls::FactList;
using controls::Tone;
using tables::TextTableModel;

QString milliseconds(double ns)
{
    return QObject::tr("%1 ms").arg(theme::number(ns * 1e-6));
}

TextTableModel::Cell askedCell(const model::Applied& applied, const model::Config& config)
{
    const auto asked = config.switches.find(applied.name);
    if (asked == config.switches.end()) {
        const bool isPrecision = applied.name == "precision";
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

void addStart(std::vector<FactList::Fact>& facts, std::string_view metric, const QString& name, const QString& what,
              const model::Measurement& m)
{
    if (const metrics::Reading reading = metrics::find(metric).read(m, {}); reading.interval)
        facts.push_back({name,
                         QObject::tr("%1 ms %2")
                             .arg(theme::number(reading.interval->value),
                                  theme::certainty(*reading.interval, 1, QObject::tr("ms"))),
                         what.arg(reading.samples)});
}

void addEnergy(std::vector<FactList::Fact>& facts, const model::Measurement& m)
{
    if (!m.conditions.energy)
        return;
    const model::EnergyStretch total = m.conditions.energy->total();
    const QString source = m.conditions.energy->source == model::EnergySource::packages
                               ? QObject::tr("the processor packages")
                               : QObject::tr("the GPU");
    const auto add = [&](std::string_view metric, const QString& name, const QString& what) {
        if (const metrics::Reading reading = metrics::find(metric).read(m, {}); reading.interval)
            facts.push_back({name,
                             QObject::tr("%1 mJ %2")
                                 .arg(theme::number(reading.interval->value),
                                      theme::certainty(*reading.interval, 1, QObject::tr("mJ"))),
                             what});
    };
    add("energy", QObject::tr("energy of a sample"),
        QObject::tr("Everything that %1 took over %2 passes in %3, over the samples.")
            .arg(source)
            .arg(total.passes)
            .arg(theme::duration(total.time)));
    add("energy_above_idle", QObject::tr("above idle"),
        QObject::tr("Without the %1 W that %2 took before the model was loaded.")
            .arg(theme::number(m.conditions.energy->idleWatts, 3), source));
}

std::vector<FactList::Fact> timingFacts(const model::Measurement& m, bool imported)
{
    std::vector<FactList::Fact> facts;
    const bool isStated = imported && m.blocks.empty();
    facts.push_back(
        {isStated ? QObject::tr("latency") : QObject::tr("median"),
         milliseconds(m.latencyNs.value) + QLatin1Char(' ') + theme::certainty(m.latencyNs, 1e-6, QObject::tr("ms")),
         isStated ? QObject::tr("As the file states it.")
         : m.latencyNs.confidence > 0
             ? QObject::tr("Median over %1 blocks, distribution-free interval %2 ms.")
                   .arg(m.blocks.size())
                   .arg(theme::bounds(m.latencyNs, 1e-6))
             : QObject::tr("Median over %1 blocks, too few for an interval.").arg(m.blocks.size())});
    for (const metrics::Metric& metric : metrics::all()) {
        // The median has a line of its own, with its interval.
        if (!(metric.percentile > 0.5))
            continue;
        const metrics::Reading reading = metric.read(m, {});
        const QString name = theme::toQt(std::string(metric.key));
        facts.push_back(
            reading.value ? FactList::Fact{name, QObject::tr("%1 ms").arg(theme::number(*reading.value)),
                                           QObject::tr("Of %1 passes.").arg(reading.samples)}
            : isStated
                ? FactList::Fact{name, theme::kAbsent, QObject::tr("The file does not state it."), Tone::tertiary}
                : FactList::Fact{name,
                                 QObject::tr("needs %1 passes").arg(stats::samplesForPercentile(metric.percentile)),
                                 QObject::tr("Only %1 were timed.").arg(reading.samples), Tone::tertiary});
    }
    if (m.deviceNs) {
        facts.push_back({QObject::tr("on the device"), milliseconds(*m.deviceNs),
                         QObject::tr("Median device time of a pass, by the device's own clock.")});
    }
    const auto known = [](base::Nanoseconds time) { return time.count > 0 ? theme::duration(time) : theme::kAbsent; };
    facts.push_back({QObject::tr("load"), known(m.load), QObject::tr("From the artifact to a ready model.")});
    facts.push_back({QObject::tr("first pass"), known(m.first), {}});
    addStart(facts, "cold_start", QObject::tr("cold start"),
             QObject::tr("Load and first pass in %1 fresh processes, with the model's files out of the page cache."),
             m);
    addStart(facts, "warm_start", QObject::tr("warm start"),
             QObject::tr("Load and first pass in %1 fresh processes, with the model's files in the page cache."), m);
    facts.push_back(
        {QObject::tr("warm-up"),
         m.warmupIterations > 0
             ? QObject::tr("%1, %2").arg(theme::duration(m.warmup),
                                         theme::counted(m.warmupIterations, QObject::tr("pass"), QObject::tr("passes")))
             : theme::kAbsent,
         QObject::tr("Until two groups of passes agreed within 2 %.")});
    if (m.compile) {
        facts.push_back({QObject::tr("compile"), theme::duration(*m.compile),
                         QObject::tr("Ahead of time, once; packages are cached.")});
    }
    return facts;
}

std::vector<FactList::Fact> memoryFacts(const model::Measurement& m)
{
    std::vector<FactList::Fact> facts;
    const auto add = [&](const QString& name, const std::optional<base::Bytes>& value, const QString& what) {
        if (value)
            facts.push_back({name, theme::bytes(*value), what});
    };
    add(QObject::tr("process peak"), m.memory.processPeak, QObject::tr("Largest resident memory of the worker."));
    add(QObject::tr("tensors peak"), m.memory.allocatorPeak, QObject::tr("Largest total of the tensor allocator."));
    add(QObject::tr("device peak"), m.memory.devicePeak, QObject::tr("Device memory of the whole process."));
    addEnergy(facts, m);
    if (!m.quality) {
        facts.push_back({QObject::tr("quality"), QObject::tr("nothing to compare with"), {}, Tone::warn});
        return facts;
    }
    const model::Quality& quality = *m.quality;
    facts.push_back({QObject::tr("cosine"), theme::toQt(metrics::similarityText(metrics::find("cosine").read(m, {}))),
                     QObject::tr("Smallest over the compared outputs, against O0 fp32.")});
    facts.push_back(
        {QObject::tr("largest difference"),
         QObject::tr("%1 (%2 relative)").arg(theme::number(quality.maxAbs, 3), theme::number(quality.maxRel, 3)),
         QObject::tr("Absolute, and relative to the output's largest magnitude.")});
    if (quality.top1Agreement) {
        facts.push_back({QObject::tr("top-1 agreement"),
                         theme::fromCore(report::agreementMessage(*quality.top1Agreement, quality.samples)),
                         {}});
    }
    if (quality.top5Agreement) {
        facts.push_back({QObject::tr("top-5 agreement"),
                         theme::fromCore(report::agreementMessage(*quality.top5Agreement, quality.samples)),
                         {}});
    }
    facts.push_back(
        {QObject::tr("NaN or Inf"), theme::count(quality.nanCount), {}, quality.nanCount > 0 ? Tone::bad : Tone::text});
    facts.push_back(
        {QObject::tr("compared"), theme::counted(quality.samples, QObject::tr("sample"), QObject::tr("samples")), {}});
    return facts;
}

std::vector<FactList::Fact> environmentFacts(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    const model::Environment& environment = snapshot.study.environment;
    std::vector<FactList::Fact> facts;
    if (const model::Device* device = snapshot.device(trial.device)) {
        facts.push_back({QObject::tr("device"), theme::toQt(device->name.empty() ? device->id : device->name),
                         theme::toQt(base::join(device->isa))});
        if (!device->driver.empty())
            facts.push_back({QObject::tr("driver"), theme::toQt(device->driver), {}});
    }
    if (trial.config.threads > 0)
        facts.push_back({QObject::tr("threads"), QString::number(trial.config.threads), {}});
    for (const auto& [name, version] : environment.engines)
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
    const bool best = snapshot.recommended && snapshot.recommended->trial == trial.id;
    if (best)
        facts << QObject::tr("✔ recommended");
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
        view.figures = trialFigures(snapshot, trial, best, file);
        view.timing = timingFacts(trial.measurement, view.imported);
        if (const auto won = report::breakEven(snapshot, trial)) {
            const std::optional<double> passes = won->shownPasses();
            view.timing.push_back(
                {QObject::tr("break-even"),
                 passes             ? QObject::tr("%1 passes").arg(theme::count(std::llround(*passes)))
                 : won->neverPays() ? QObject::tr("never")
                                    : QObject::tr("perhaps never"),
                 QObject::tr("Compiling %1.").arg(theme::fromCore(report::breakEvenMessage(snapshot, trial)))});
        }
        view.memoryAndQuality = memoryFacts(trial.measurement);
        QStringList flags;
        // To have been confirmed is no warning.
        for (const model::TrialFlag flag : trial.measurement.flags)
            if (flag != model::TrialFlag::confirmed)
                flags << flagText(flag);
        if (const base::Message modes = report::modesMessage(trial.measurement); !modes.empty())
            flags << QObject::tr("two modes: %1").arg(theme::fromCore(modes));
        if (model::isDoubtful(trial.measurement))
            flags << QObject::tr("values of the imported file contradict each other or could not be read");
        view.warning = flags.join(QStringLiteral("; "));
    } else {
        view.failureTitle =
            model::isFinal(trial.state) ? tables::reasonWord(trial.reason.kind) : tables::stateText(trial);
        view.failureText = theme::fromCore(trial.reason);
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
