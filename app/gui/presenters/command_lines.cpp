// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/command_lines.h"

#include "core/base/escape.h"
#include "core/search/defaults.h"
#include "core/search/grid.h"
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

template <typename T, typename Text>
void addAxis(QStringList& words, const char* option, const std::vector<T>& values, Text text)
{
    if (values.empty())
        return;
    QStringList parts;
    for (const T& value : values)
        parts << text(value);
    words << q(option) << parts.join(QLatin1Char(','));
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
    QStringList words{QStringLiteral("apertune"), QStringLiteral("tune"), shellQuoted(q(request.model.name))};
    const model::SearchSpace& space = request.space;
    if (space.backends != search::defaultBackends(space))
        addAxis(words, "--backends", space.backends, [](const std::string& name) { return q(name); });
    addAxis(words, "--levels", space.levels, [](auto level) { return q(model::toString(level)); });
    addAxis(words, "--precisions", space.precisions, [](auto precision) { return q(model::toString(precision)); });
    addAxis(words, "--batches", space.batches, [](int batch) {
        return batch == model::SearchSpace::kAutoBatch ? QStringLiteral("auto") : QString::number(batch);
    });
    if (space.memoryShare)
        words << QStringLiteral("--memory-share")
              << QString::number(100 * *space.memoryShare, 'g', 6) + QLatin1Char('%');
    addAxis(words, "--devices", space.devices, [](const std::string& device) { return q(device); });
    addAxis(words, "--threads", space.threads, [](int threads) { return QString::number(threads); });
    for (const auto& [name, values] : space.switches) {
        QStringList states;
        for (const bool on : values)
            states << (on ? QStringLiteral("on") : QStringLiteral("off"));
        words << QStringLiteral("--switch") << q(name) + QLatin1Char('=') + states.join(QLatin1Char(','));
    }
    if (!space.calibration.empty())
        words << QStringLiteral("--calibration") << shellQuoted(q(space.calibration));
    if (space.calibrationSamples != model::SearchSpace{}.calibrationSamples)
        words << QStringLiteral("--calibration-samples") << QString::number(space.calibrationSamples);
    if (space.emulated)
        words << QStringLiteral("--emulated");
    if (space.search)
        words << QStringLiteral("--search") << q(toString(*space.search));
    // Throughput is the default goal.
    if (const std::string objectives = model::objectivesText(request.goal); objectives != "throughput")
        words << QStringLiteral("--goal") << q(objectives);
    if (request.target != model::kDefaultTarget)
        words << QStringLiteral("--target") << QString::number(request.target * 100, 'g', 6) + QLatin1Char('%');
    QStringList bounds;
    const auto inMs = [](base::Nanoseconds time) {
        return QString::number(time.milliseconds(), 'g', 6) + QStringLiteral("ms");
    };
    if (request.goal.maxLatency)
        bounds << inMs(*request.goal.maxLatency);
    for (const auto& [percent, most] : request.goal.maxPercentiles)
        bounds << QStringLiteral("p%1=%2").arg(percent).arg(inMs(most));
    if (!bounds.isEmpty())
        words << QStringLiteral("--max-latency") << bounds.join(QLatin1Char(','));
    if (request.goal.maxMemory) {
        words << QStringLiteral("--max-memory")
              // The option takes whole mebibytes.
              << QString::number(request.goal.maxMemory->count >> 20) + QStringLiteral("MiB");
    }
    if (request.goal.maxEnergy)
        words << QStringLiteral("--max-energy") << QString::number(*request.goal.maxEnergy, 'g', 6) + QLatin1Char('J');
    if (request.goal.maxFirst)
        words << QStringLiteral("--max-first") << inMs(*request.goal.maxFirst);
    if (request.goal.minQuality != model::Goal{}.minQuality)
        words << QStringLiteral("--min-quality") << QString::number(request.goal.minQuality, 'g', 6);
    if (request.goal.maxRelError)
        words << QStringLiteral("--max-rel-error") << QString::number(*request.goal.maxRelError, 'g', 6);
    if (request.goal.maxAbsError)
        words << QStringLiteral("--max-abs-error") << QString::number(*request.goal.maxAbsError, 'g', 6);
    // Both kinds of budget have an option of their own.
    words << (request.budgetKind == model::BudgetKind::wall ? QStringLiteral("--budget")
                                                            : QStringLiteral("--measuring-budget"))
          << (request.budget.count == 0 ? QStringLiteral("0") : secondsText(request.budget));
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
