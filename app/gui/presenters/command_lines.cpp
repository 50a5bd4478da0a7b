// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/command_lines.h"

#include "core/base/escape.h"
#include "core/search/grid.h"
#include "core/sweeps/sweep_file.h"
#include "core/sweeps/sweep_of.h"
#include "core/text/format.h"
#include "widgets/theme/format.h"

#include <QStringList>

namespace apertune::gui {
namespace {

QString q(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString assembled(const QStringList& words, const std::filesystem::path& file)
{
    return words.join(QLatin1Char(' ')) + q(text::storeOption(file));
}

QString secondsText(base::Nanoseconds time)
{
    return QString::number(time.seconds(), 'g', 6) + QLatin1Char('s');
}

} // namespace

QString shellQuoted(const QString& word)
{
    return q(base::shellQuoted(word.toStdString()));
}

QString measureCommand(const model::Study& study, const model::Trial& trial, const std::filesystem::path& file)
{
    const model::Config& config = trial.config;
    const model::DeviceType type = model::typeOfDevice(trial.device);
    QStringList words{QStringLiteral("apertune"),
                      QStringLiteral("tune"),
                      shellQuoted(q(study.model.name)),
                      QStringLiteral("--devices"),
                      q(trial.device),
                      QStringLiteral("--levels"),
                      q(model::toString(config.level)),
                      QStringLiteral("--precisions"),
                      q(model::toString(config.precision)),
                      QStringLiteral("--batches"),
                      QString::number(config.batch)};
    // Options with the default value are left out, so that the line stays short.
    if (config.backend != model::Config{}.backend)
        words << QStringLiteral("--backends") << q(config.backend);
    if (config.threads > 0)
        words << QStringLiteral("--threads") << QString::number(config.threads);
    // A level's own switches need no option; only those that differ are named.
    const model::SwitchMap own = model::expandLevel(config.level, config.precision, type);
    for (const auto& [name, on] : config.switches) {
        const auto found = own.find(name);
        if ((found != own.end() && found->second) != on)
            words << QStringLiteral("--switch") << q(name) + (on ? QStringLiteral("=on") : QStringLiteral("=off"));
    }
    return assembled(words, file);
}

QString showStudyCommand(model::StudyId study, const std::filesystem::path& file)
{
    return assembled({QStringLiteral("apertune"), QStringLiteral("show"), QStringLiteral("s%1").arg(study.value)},
                     file);
}

QString studyFindingsCommand(model::StudyId study, const std::filesystem::path& file)
{
    return assembled({QStringLiteral("apertune"), QStringLiteral("study"), QStringLiteral("findings"),
                      QStringLiteral("s%1").arg(study.value)},
                     file);
}

QString trendCommand(model::TrialId trial, const std::filesystem::path& file)
{
    return assembled({QStringLiteral("apertune"), QStringLiteral("trend"), QStringLiteral("t%1").arg(trial.value)},
                     file);
}

QString effectsCommand(model::StudyId study, const std::filesystem::path& file)
{
    return assembled({QStringLiteral("apertune"), QStringLiteral("study"), QStringLiteral("effects"),
                      QStringLiteral("s%1").arg(study.value)},
                     file);
}

QString claimsCommand(const ClaimsCommand& options, const std::filesystem::path& file)
{
    QStringList words{QStringLiteral("apertune"), QStringLiteral("claims")};
    if (options.measure)
        words << QStringLiteral("--measure");
    for (const auto& [option, value] :
         {std::pair("--claim", &options.claim), {"--topic", &options.topic}, {"--state", &options.state}})
        if (!value->empty())
            words << q(option) << shellQuoted(q(*value));
    if (options.budget)
        words << QStringLiteral("--budget") << secondsText(*options.budget);
    return assembled(words, file);
}

QString compareCommand(const QStringList& sides, const std::filesystem::path& file)
{
    QStringList words{QStringLiteral("apertune"), QStringLiteral("compare")};
    for (const QString& side : sides)
        words << shellQuoted(side);
    return assembled(words, file);
}

QString whatIfCommand(std::int64_t trace, const QStringList& changes, bool verify, const std::filesystem::path& file)
{
    QStringList words{QStringLiteral("apertune"), QStringLiteral("trace"), QStringLiteral("whatif"),
                      QStringLiteral("tr%1").arg(trace)};
    for (const QString& change : changes)
        words << shellQuoted(change);
    if (verify)
        words << QStringLiteral("--verify");
    return assembled(words, file);
}

QString exportCommand(model::TrialId trial, const QString& target, const QString& dir, bool allBatches,
                      const std::filesystem::path& file)
{
    QStringList words{QStringLiteral("apertune"),
                      QStringLiteral("export"),
                      QStringLiteral("t%1").arg(trial.value),
                      QStringLiteral("--target"),
                      target,
                      QStringLiteral("--out"),
                      shellQuoted(dir)};
    if (allBatches)
        words << QStringLiteral("--all-batches");
    return assembled(words, file);
}

QString scenarioCommand(model::TrialId trial, const workload::Scenario& scenario, const std::filesystem::path& file)
{
    const workload::Scenario usual = workload::defaultScenario(scenario.kind);
    QStringList words{QStringLiteral("apertune"), QStringLiteral("load"), QStringLiteral("t%1").arg(trial.value),
                      QStringLiteral("--scenario"), q(toString(scenario.kind))};
    // Only what differs from the scenario's defaults is written.
    const auto addTime = [&](const char* option, base::Nanoseconds time, base::Nanoseconds otherwise) {
        if (time != otherwise)
            words << q(option) << QString::number(time.milliseconds(), 'g', 9) + QStringLiteral("ms");
    };
    const auto addNumber = [&](const char* option, double number, double otherwise) {
        if (number != otherwise)
            words << q(option) << QString::number(number, 'g', 9);
    };
    using workload::ScenarioKind;
    if (scenario.kind == ScenarioKind::server) {
        addTime("--max-latency", scenario.bound, usual.bound);
        addNumber("--rate", scenario.rate, usual.rate);
    }
    if (scenario.kind == ScenarioKind::multiStream)
        addNumber("--samples", scenario.samples, usual.samples);
    if (scenario.kind == ScenarioKind::camera) {
        addNumber("--cameras", scenario.cameras, usual.cameras);
        addNumber("--fps", scenario.fps, usual.fps);
        addTime("--deadline", scenario.deadline, usual.deadline);
    }
    addTime("--duration", scenario.duration, usual.duration);
    // The option takes per cent.
    addNumber("--percentile", scenario.percentile * 100, usual.percentile * 100);
    return assembled(words, file);
}

QString queryCommand(const std::string& sql, const std::filesystem::path& file)
{
    return assembled(
        {QStringLiteral("apertune"), QStringLiteral("workspace"), QStringLiteral("query"), shellQuoted(q(sql))}, file);
}

QString tuneCommand(const study::StudyRequest& request, const std::filesystem::path& file)
{
    QStringList words{QStringLiteral("apertune"), QStringLiteral("tune")};
    for (const std::string& word : sweeps::commandWords(sweeps::sweepOf(
             {request.model.name, request.goal, request.space, request.budget, request.budgetKind, request.target})))
        words << shellQuoted(q(word));
    return assembled(words, file);
}

study::StudyRequest autoTuneRequest(const model::ModelRef& model, base::Nanoseconds budget,
                                    const std::filesystem::path& file)
{
    study::StudyRequest request;
    request.model = model;
    request.budget = budget;
    request.commandLine = theme::toStd(tuneCommand(request, file));
    return request;
}

} // namespace apertune::gui
