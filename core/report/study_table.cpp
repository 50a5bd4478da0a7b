// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/study_table.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/model/imported.h"
#include "core/model/variant.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <algorithm>

namespace apertune::report {

namespace {

/// Trials without a number that share their state and reason.
struct Unmeasured
{
    std::string title;
    std::string reason;
    std::vector<std::string> configurations;
};

std::string stateText(const model::Measurement& m)
{
    std::vector<std::string> remarks = model::toStrings(m.flags);
    if (model::isDoubtful(m))
        remarks.insert(remarks.begin(), "doubtful");
    return remarks.empty() ? "ok" : "ok (" + base::join(remarks) + ")";
}

/// Where space is short, metrics that not every study has are left out first.
int rankOf(metrics::Column column)
{
    return column == metrics::Column::whereKnown ? 2 : column == metrics::Column::always ? 1 : 0;
}

/// Whether machines of several classes measured the trials, which then need a column for them.
bool hasSeveralMachines(const model::StudySnapshot& snapshot)
{
    return std::any_of(snapshot.trials.begin(), snapshot.trials.end(), [](const model::Trial& trial) {
        return trial.state == model::TrialState::ok && !trial.measurement.conditions.machine.empty();
    });
}

void addMeasured(text::TextTable& table, const model::StudySnapshot& snapshot, const text::ConfigurationNames& names,
                 const std::vector<const metrics::Metric*>& columns, const std::string& device)
{
    const bool severalMachines = hasSeveralMachines(snapshot);
    for (const model::Trial& trial : snapshot.trials) {
        if (trial.state != model::TrialState::ok || trial.device != device)
            continue;
        const model::Measurement& m = trial.measurement;
        const bool best = snapshot.recommended && snapshot.recommended->trial == trial.id;
        std::vector<std::string> configurations{(best ? "✔ " : "  ") + text::toText(trial.id)};
        if (names.severalEngines())
            configurations.push_back(trial.config.backend);
        configurations.push_back(names.besideEngine(trial));
        if (severalMachines)
            configurations.push_back(base::printableLine(model::machineOf(snapshot.study, trial)));
        for (const metrics::Metric* metric : columns)
            configurations.push_back(text::metricText(*metric, metric->read(m, text::deviceType(snapshot, trial))));
        configurations.push_back(stateText(m));
        table.addRow(std::move(configurations));
    }
}

std::vector<Unmeasured> unmeasured(const model::StudySnapshot& snapshot, const text::ConfigurationNames& names)
{
    std::vector<Unmeasured> groups;
    for (const model::Trial& trial : snapshot.trials) {
        if (trial.state == model::TrialState::ok)
            continue;
        std::string title(model::isFinal(trial.state) ? model::toString(trial.state) : "waiting");
        std::string reason = base::printableLine(text::reasonText(trial));
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const Unmeasured& g) { return g.title == title && g.reason == reason; });
        if (group == groups.end())
            group = groups.insert(groups.end(), {std::move(title), std::move(reason), {}});
        group->configurations.push_back(text::toText(trial.id) + " " + names.shortName(trial));
    }
    return groups;
}

/// Keeps the first of many names and the number of the others. The JSON document of the study has all of them.
std::vector<std::string> shortened(std::vector<std::string> configurations)
{
    constexpr std::size_t kMost = 12;
    if (configurations.size() > kMost) {
        const std::size_t more = configurations.size() - (kMost - 1);
        configurations.resize(kMost - 1);
        configurations.push_back("and " + std::to_string(more) + " more");
    }
    return configurations;
}

} // namespace

std::string studyTable(const model::StudySnapshot& snapshot, int width)
{
    const text::ConfigurationNames names(snapshot);
    std::string out;
    std::vector<text::TextTable::Column> columns{{"  Trial", text::Align::left}};
    if (names.severalEngines())
        columns.push_back({"Engine", text::Align::left});
    columns.push_back({"Configuration", text::Align::left, true});
    if (hasSeveralMachines(snapshot))
        columns.push_back({"Machine", text::Align::left, true});
    const std::vector<const metrics::Metric*> known = metrics::columnsOf(snapshot.trials);
    for (const metrics::Metric* metric : known)
        columns.push_back({metrics::heading(*metric, snapshot.study.model.rateUnit()), text::Align::right, false,
                           rankOf(metric->column)});
    columns.push_back({"State", text::Align::left, true});
    text::TextTable table(std::move(columns));
    std::vector<std::string> devices;
    for (const model::Trial& trial : snapshot.trials)
        if (std::find(devices.begin(), devices.end(), trial.device) == devices.end())
            devices.push_back(trial.device);
    for (const std::string& device : devices)
        addMeasured(table, snapshot, names, known, device);
    if (!table.empty())
        out += table.render(width);

    const auto groups = unmeasured(snapshot, names);
    if (!groups.empty())
        out += std::string(table.empty() ? "" : "\n") + "Not measured\n";
    for (const Unmeasured& group : groups) {
        const std::string count = std::to_string(group.configurations.size());
        out += "  " + text::wrap(group.title + " ×" + count + "  " + group.reason, width > 2 ? width - 2 : 0, 4) + '\n';
        out += "    " + text::wrapPieces(shortened(group.configurations), " · ", width > 4 ? width - 4 : 0, 4) + '\n';
    }
    if (const auto variant = model::variantSource(snapshot.study.model.source))
        out +=
            '\n' +
            text::wrap("A variant, " + model::toString(variant->variant) +
                           ": quality is measured against the outputs of " + base::printableLine(variant->base) + ".",
                       width, 0) +
            '\n';
    return out;
}

} // namespace apertune::report
