// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/study_csv.h"

#include "core/base/csv.h"
#include "core/base/text.h"
#include "core/metrics/metrics.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"

namespace apertune::report {

namespace {

constexpr std::string_view kBefore =
    "trial,ordinal,device,backend,level,precision,batch,threads,switches_on,state,reason,reason_text";
constexpr std::string_view kAfter = "not_in_effect,flags,started_utc,finished_utc,machine";

std::string header()
{
    std::string names(kBefore);
    for (const metrics::Metric& metric : metrics::all())
        if (!metric.csv.empty())
            names += "," + std::string(metric.csv);
    return names + "," + std::string(kAfter) + "\n";
}

void addNumber(base::CsvLine& line, const metrics::Metric& metric, const std::optional<double>& value)
{
    if (value && metrics::isWhole(metric.unit))
        line.count(static_cast<std::int64_t>(*value));
    else
        line.number(value);
}

/// Adds the fields of every metric; they stay empty when nothing was measured. The range of a small sample is no
/// interval, so its ends stay empty.
void addMetrics(base::CsvLine& line, const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    const bool measured = trial.state == model::TrialState::ok;
    for (const metrics::Metric& metric : metrics::all()) {
        if (metric.csv.empty())
            continue;
        const metrics::Reading reading =
            measured ? metric.read(trial.measurement, text::deviceType(snapshot, trial)) : metrics::Reading{};
        addNumber(line, metric, reading.value);
        if (metric.csv.find(',') == std::string_view::npos)
            continue;
        const bool known = reading.interval && reading.interval->confidence > 0;
        addNumber(line, metric, known ? std::optional(reading.interval->lo) : std::nullopt);
        addNumber(line, metric, known ? std::optional(reading.interval->hi) : std::nullopt);
    }
}

void addFlags(base::CsvLine& line, const model::Trial& trial)
{
    if (trial.state != model::TrialState::ok) {
        line.empty().empty();
        return;
    }
    std::vector<std::string> missing;
    for (const model::Applied& applied : trial.measurement.applied)
        if (applied.state == model::AppliedState::requestedNotInEffect)
            missing.push_back(applied.name);
    line.text(base::join(missing, " ")).text(base::join(model::toStrings(trial.measurement.flags), " "));
}

} // namespace

std::string studyCsv(const model::StudySnapshot& snapshot)
{
    std::string out = header();
    for (const model::Trial& trial : snapshot.trials) {
        std::vector<std::string> on;
        for (const auto& [name, value] : trial.config.switches)
            if (value)
                on.push_back(name);
        base::CsvLine line;
        line.text(text::toText(trial.id)).count(trial.ordinal).text(trial.device).text(trial.config.backend);
        line.text(model::toString(trial.config.level)).text(model::toString(trial.config.precision));
        line.count(trial.config.batch).count(trial.config.threads).text(base::join(on, " "));
        line.text(model::toString(trial.state))
            .text(model::toString(trial.reason.kind))
            .text(sentences::sentence(trial.reason.message));
        addMetrics(line, snapshot, trial);
        addFlags(line, trial);
        line.text(trial.startedUtc).text(trial.finishedUtc).text(trial.measurement.conditions.machine);
        out += line.take();
    }
    return out;
}

} // namespace apertune::report
