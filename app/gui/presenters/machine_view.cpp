// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/machine_view.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/translate.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QObject>

#include <algorithm>

namespace apertune::gui {

using controls::FactList;
using controls::Tone;

namespace {

/// How many layers of the sandbox hold models here; those that do not stand in the tooltip with the reason.
FactList::Fact sandboxFact(const std::vector<model::Capability>& layers)
{
    qsizetype active = 0;
    QStringList others;
    for (const model::Capability& layer : layers) {
        active += layer.available ? 1 : 0;
        if (!layer.available)
            others << theme::toQt(layer.name) + QStringLiteral(": ") + theme::fromCore(layer.reason);
    }
    return {QObject::tr("sandbox"), QObject::tr("%1 of %2 layers").arg(active).arg(layers.size()),
            others.isEmpty() ? QObject::tr("The sandbox keeps the code of models from your files and your network.")
                             : others.join(QLatin1Char('\n'))};
}

} // namespace

std::vector<FactList::Fact> machineFacts(const Machine& machine)
{
    std::vector<FactList::Fact> facts;
    for (const model::Device& device : machine.devices) {
        QString value = theme::toQt(device.name.empty() ? std::string("–") : device.name);
        QStringList more;
        if (!device.type.isCpu()) {
            if (device.memory.count > 0)
                more << theme::bytes(device.memory);
            if (!device.driver.empty())
                more << QObject::tr("driver %1").arg(theme::toQt(device.driver));
            if (device.computeMajor > 0)
                more << QObject::tr("compute %1.%2").arg(device.computeMajor).arg(device.computeMinor);
        } else {
            more << theme::counted(device.cores, QObject::tr("core"), QObject::tr("cores"))
                 << theme::counted(device.threads, QObject::tr("thread"), QObject::tr("threads"))
                 << theme::bytes(device.memory);
        }
        facts.push_back({theme::toQt(device.id), value, value, Tone::text,
                         device.type.isCpu() ? QStringLiteral("cpu") : QStringLiteral("gpu")});
        facts.push_back({{}, more.join(QStringLiteral(" · ")), {}, Tone::secondary});
        if (!device.isa.empty()) {
            QStringList isa;
            for (const std::string& flag : device.isa)
                isa << theme::toQt(flag);
            facts.push_back({{},
                             isa.join(QStringLiteral(", ")),
                             QObject::tr("Instruction sets that matter for inference."),
                             Tone::secondary});
        }
    }
    if (!machine.environment.os.empty()) {
        facts.push_back(
            {QObject::tr("system"), theme::toQt(machine.environment.os), theme::toQt(machine.environment.kernel)});
    }
    for (const auto& [name, value] : machine.environment.settings) {
        // The kernel writes its switches as digits.
        const bool isSwitch = name == "multithreading";
        facts.push_back({isSwitch ? QObject::tr("hyper-threading") : theme::toQt(name),
                         isSwitch && value == "0"   ? QObject::tr("off")
                         : isSwitch && value == "1" ? QObject::tr("on")
                                                    : theme::toQt(value),
                         isSwitch
                             ? QObject::tr("Two threads on one core (SMT). Off: each thread has a core of its own.")
                             : QString()});
    }
    if (!machine.sandbox.empty())
        facts.push_back(sandboxFact(machine.sandbox));
    return facts;
}

std::vector<FactList::Fact> capabilityFacts(const Machine& machine)
{
    std::vector<FactList::Fact> facts;
    for (const model::Capability& capability : machine.capabilities) {
        const QString remedy = theme::fromCore(capability.remedy);
        facts.push_back({fromCore(capability.name),
                         capability.available ? QObject::tr("available") : theme::fromCore(capability.reason),
                         remedy.isEmpty() ? QString() : QObject::tr("To make it possible: %1").arg(remedy),
                         capability.available ? Tone::good : Tone::tertiary,
                         capability.available ? QStringLiteral("check") : QStringLiteral("skipped")});
    }
    return facts;
}

std::vector<EngineRow> engineRows(const Machine& machine)
{
    std::vector<EngineRow> rows;
    for (const worker::EngineState& engine : machine.engineStates) {
        EngineRow row{engine, theme::toQt(engine.title)};
        if (engine.missing) {
            const bool canBeAdded = worker::canBeAdded(engine);
            row.state = canBeAdded ? QObject::tr("not installed") : QObject::tr("not available");
            row.tone = Tone::tertiary;
            row.toolTip = theme::fromCore(base::sentencesOf({engine.missing->message, engine.missing->hint}));
            row.change = canBeAdded ? EngineRow::Change::add : EngineRow::Change::none;
        } else {
            row.state = engine.version.empty() ? QObject::tr("installed") : theme::toQt(engine.version);
            if (engine.added)
                row.state = QObject::tr("%1 · %2, added here").arg(row.state, theme::bytes(engine.size));
            row.toolTip = engine.folder.empty() ? QObject::tr("It is found by the system's loader.")
                                                : theme::fileToQt(engine.folder);
            row.change = engine.added ? EngineRow::Change::remove : EngineRow::Change::none;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

bool hasEngine(const Machine& machine)
{
    return std::any_of(machine.engineStates.begin(), machine.engineStates.end(),
                       [](const worker::EngineState& engine) { return !engine.missing; });
}

namespace {

/// The reason why this machine lacks a capability; empty: it has it, or the probe has not run.
QString whyNot(const Machine& machine, std::string_view name)
{
    for (const model::Capability& capability : machine.capabilities) {
        if (capability.name == name)
            return theme::fromCore(base::sentencesOf({capability.reason, capability.remedy}));
    }
    return {};
}

} // namespace

QString whyNoCounters(const Machine& machine, const model::Trial& trial)
{
    if (!model::typeOfDevice(trial.device).isNvidiaGpu()) {
        return QObject::tr("Hardware counters are read on an NVIDIA GPU, and this trial ran on %1.")
            .arg(theme::toQt(trial.device));
    }
    return whyNot(machine, "hardware counters");
}

QString whyNoGraphs(const Machine& machine, const model::Trial& trial)
{
    if (!model::typeOfDevice(trial.device).isNvidiaGpu()) {
        return QObject::tr("CUDA graphs are recorded on an NVIDIA GPU, and this trial ran on %1.")
            .arg(theme::toQt(trial.device));
    }
    for (const model::Applied& applied : trial.measurement.applied) {
        if (applied.name == "cuda_graph" && applied.state != model::AppliedState::on) {
            return QObject::tr("This trial launches no CUDA graph: %1")
                .arg(applied.evidence.empty() ? QObject::tr("the switch cuda_graph is off.")
                                              : theme::toQt(applied.evidence));
        }
    }
    return whyNot(machine, "kernel trace");
}

namespace {

QString purposeWord(model::StudyPurpose purpose)
{
    switch (purpose) {
    case model::StudyPurpose::tuning:
        return QObject::tr("tuning");
    case model::StudyPurpose::verification:
        return QObject::tr("verification");
    case model::StudyPurpose::claim:
        return QObject::tr("claim");
    case model::StudyPurpose::memory:
        return QObject::tr("memory");
    case model::StudyPurpose::imported:
        return QObject::tr("imported");
    }
    return {};
}

} // namespace

std::vector<tables::TextTableModel::Row> studyRows(const std::vector<store::StudySummary>& studies,
                                                   const QDateTime& now, const std::filesystem::path& file)
{
    std::vector<tables::TextTableModel::Row> rows;
    for (const store::StudySummary& study : studies) {
        tables::TextTableModel::Row row;
        row.key = study.id.value;
        row.command = showStudyCommand(study.id, file);
        tables::TextTableModel::Cell state;
        switch (study.state) {
        case model::StudyState::running:
            state = {QObject::tr("running, %1 to go").arg(study.remaining), {}, Tone::accent, QStringLiteral("play")};
            break;
        case model::StudyState::interrupted:
            state = {
                QObject::tr("interrupted, %1 to go").arg(study.remaining), {}, Tone::warn, QStringLiteral("warning")};
            break;
        case model::StudyState::finished:
            state = {QObject::tr("finished"), {}, Tone::good, QStringLiteral("check")};
            break;
        }
        if (study.damaged)
            state = {QObject::tr("damaged"), {}, Tone::bad, QStringLiteral("warning")};
        const QDateTime created = theme::parseUtc(study.createdUtc);
        row.cells = {{theme::toQt(study.name)},
                     {QString::number(study.trials), study.trials},
                     {QString::number(study.ok), study.ok},
                     {QString::number(study.failed), study.failed, study.failed > 0 ? Tone::bad : Tone::tertiary},
                     {purposeWord(study.purpose), {}, Tone::secondary},
                     {theme::relativeTime(created, now), theme::toQt(study.createdUtc), Tone::secondary},
                     state};
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace apertune::gui
