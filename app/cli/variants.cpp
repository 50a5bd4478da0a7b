// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/variants.h"

#include "app/cli/importing.h"
#include "app/cli/study_series.h"
#include "core/metrics/metrics.h"
#include "core/model/base_model.h"
#include "core/model/model_manifest.h"
#include "core/report/documents.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace apertune::cli {

using base::Json;

namespace {

constexpr std::array<const char*, 5> kCompared{"latency", "throughput", "memory_peak", "cosine", "max_rel"};

/// The column of the memory in the tables below, which begin with three other columns.
constexpr std::size_t kMemoryColumn = 5;

/// The name of the study at a place: the model itself, then the variants in their order.
std::string nameAt(const Tune& options, std::size_t place)
{
    return place == 0 ? "base" : model::toString(options.variants[place - 1]);
}

const model::Trial* sameConfiguration(const model::StudySnapshot& snapshot, const model::Trial& wanted)
{
    const auto found = std::find_if(snapshot.trials.begin(), snapshot.trials.end(), [&](const model::Trial& trial) {
        return trial.state == model::TrialState::ok && trial.device == wanted.device && trial.config == wanted.config;
    });
    return found == snapshot.trials.end() ? nullptr : &*found;
}

/// The trials of one configuration that every study measured: the best of the model itself or, where some study lacks
/// that, the one of the highest throughput. Empty without one, and for a single study.
std::vector<const model::Trial*> commonTrials(const std::vector<model::StudySnapshot>& studies)
{
    std::vector<const model::Trial*> best;
    if (studies.size() < 2)
        return best;
    const model::Trial* leading = studies.front().leadingTrial();
    for (const model::Trial& trial : studies.front().trials) {
        if (trial.state != model::TrialState::ok)
            continue;
        std::vector<const model::Trial*> same{&trial};
        for (auto study = std::next(studies.begin()); study != studies.end(); ++study)
            if (const model::Trial* other = sameConfiguration(*study, trial))
                same.push_back(other);
        if (same.size() != studies.size())
            continue;
        if (&trial == leading)
            return same;
        if (best.empty() || best.front()->measurement.throughput.value < trial.measurement.throughput.value)
            best = std::move(same);
    }
    return best;
}

text::TextTable comparedTable(const char* third, base::RateUnit rate)
{
    std::vector<text::TextTable::Column> columns{
        {"Variant", text::Align::left}, {"Study", text::Align::left}, {third, text::Align::left, true}};
    for (const char* key : kCompared) {
        const metrics::Metric& metric = metrics::find(key);
        const std::string title = metric.title.empty() ? "Largest rel. difference" : metrics::heading(metric, rate);
        columns.push_back({title, text::Align::right});
    }
    return text::TextTable(std::move(columns));
}

/// The row of a trial; null: there is none.
std::vector<std::string> rowOf(const std::string& variant, const model::StudySnapshot& snapshot,
                               const model::Trial* trial, const std::string& third)
{
    std::vector<std::string> row{variant, text::toText(snapshot.study.id), third};
    for (const char* key : kCompared) {
        if (!trial)
            break;
        const metrics::Metric& metric = metrics::find(key);
        row.push_back(text::metricText(metric, metric.read(trial->measurement, text::deviceType(snapshot, *trial))));
    }
    return row;
}

/// Why a study has no best configuration.
std::string missingText(const model::StudySnapshot& snapshot)
{
    const bool measured = std::any_of(snapshot.trials.begin(), snapshot.trials.end(),
                                      [](const model::Trial& trial) { return trial.state == model::TrialState::ok; });
    return measured ? "none within the bounds" : "none was measured";
}

/// The best configuration of each study.
std::string bestTable(const Tune& options, const std::vector<model::StudySnapshot>& studies, int width)
{
    text::TextTable table = comparedTable("Fastest safe configuration", studies.front().study.model.rateUnit());
    for (std::size_t place = 0; place < studies.size(); ++place) {
        const model::StudySnapshot& snapshot = studies[place];
        const model::Trial* trial = snapshot.leadingTrial();
        const std::string configuration = trial ? text::toText(trial->id) + "  " +
                                                      text::ConfigurationNames(snapshot).shortName(*trial) +
                                                      (snapshot.recommended ? "" : ", not confirmed")
                                                : missingText(snapshot);
        table.addRow(rowOf(nameAt(options, place), snapshot, trial, configuration));
    }
    return table.render(width);
}

/// Memory over that of the model itself: "0.62×"; "–" where one of them is unknown.
std::string memoryRatio(const model::StudySnapshot& snapshot, const model::Trial& trial, const model::Trial& base)
{
    const model::DeviceType device = text::deviceType(snapshot, trial);
    const auto own = metrics::memoryPeak(trial.measurement.memory, device);
    const auto other = metrics::memoryPeak(base.measurement.memory, device);
    if (!own || !other || other->count <= 0)
        return "–";
    return text::formatGrouped(static_cast<double>(own->count) / static_cast<double>(other->count), 2) + "×";
}

/// One configuration of all studies.
std::string commonTable(const Tune& options, const std::vector<model::StudySnapshot>& studies,
                        const std::vector<const model::Trial*>& trials, int width)
{
    text::TextTable table = comparedTable("Trial", studies.front().study.model.rateUnit());
    for (std::size_t place = 0; place < studies.size(); ++place) {
        auto row = rowOf(nameAt(options, place), studies[place], trials[place], text::toText(trials[place]->id));
        if (place > 0)
            row[kMemoryColumn] += " (" + memoryRatio(studies[place], *trials[place], *trials.front()) + ")";
        table.addRow(std::move(row));
    }
    return table.render(width);
}

/// The base that the outputs of a model are compared with; null for the model itself.
Json baseOf(const model::ModelRef& model)
{
    const std::filesystem::path folder = model::baseArtifact(model);
    if (folder.empty())
        return nullptr;
    const auto base = model::readManifest(folder);
    return base ? Json{{"source", base->source}, {"content_hash", base->contentHash}} : Json(nullptr);
}

Json document(const Tune& options, const StudySeries& series, const std::vector<const model::Trial*>& common)
{
    Json variants = Json::array();
    for (std::size_t place = 0; place < series.studies.size(); ++place) {
        const model::StudySnapshot& snapshot = series.studies[place];
        variants.push_back({{"variant", place == 0 ? Json(nullptr) : Json(nameAt(options, place))},
                            {"source", snapshot.study.model.source},
                            {"base", baseOf(snapshot.study.model)},
                            {"study", report::studyDocument(snapshot)}});
    }
    Json trials = Json::array();
    for (const model::Trial* trial : common)
        trials.push_back(text::toText(trial->id));
    return {{"schema", "apertune.variants/1"},
            {"model", options.model},
            {"variants", variants},
            {"same_configuration", trials}};
}

std::string comparison(const Tune& options, const StudySeries& series, const std::vector<const model::Trial*>& common,
                       int width)
{
    const model::StudySnapshot& first = series.studies.front();
    std::string out = "\n" + bestTable(options, series.studies, width);
    if (!common.empty())
        out += "\nThe same configuration, " + text::ConfigurationNames(first).shortName(*common.front()) + "\n" +
               commonTable(options, series.studies, common, width);
    return out + "\nQuality is that against the outputs of " + first.study.model.name +
           ". The studies ran one after the other, so times also differ by what else the machine did meanwhile.\n"
           "`apertune show STUDY` has the table of each variant.\n";
}

} // namespace

int tuneVariants(engine::Workbench& workbench, const Tune& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto observer = importObserver(terminal);
    const auto stop = session.interrupt.token();
    const auto base = workbench.models().resolve(options.model, observer, stop);
    if (!base)
        return terminal.fail(base.error());
    std::vector<model::ModelRef> models{*base};
    for (const model::Variant& variant : options.variants) {
        auto model = workbench.models().resolveVariant(*base, variant, observer, stop);
        if (!model) {
            base::Error failure = model.error();
            if (failure.context.empty())
                failure.context = model::toString(variant) + " of " + base->name;
            return terminal.fail(failure);
        }
        models.push_back(std::move(*model));
    }
    const StudySeries series = runSeries(
        workbench, options, models.size(),
        [&](std::size_t place) { return base::Result<model::ModelRef>(models[place]); }, session);
    // The results before a failure are shown all the same.
    if (!series.studies.empty()) {
        const auto common = commonTrials(series.studies);
        terminal.document(document(options, series, common));
        terminal.text(comparison(options, series, common, terminal.width()));
    }
    return endOfSeries(series, session);
}

} // namespace apertune::cli
