// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kept_runs.h"
#include "app/cli/lookup.h"
#include "app/cli/verbs.h"
#include "core/base/text.h"
#include "core/models/artifact_users.h"
#include "core/report/documents.h"
#include "core/report/evaluation_report.h"
#include "core/report/format.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace apertune::cli {

using base::Json;

namespace {

std::string stateText(const store::StudySummary& study)
{
    std::string text(model::toString(study.state));
    if (study.remaining > 0)
        text += ", " + std::to_string(study.remaining) + " left";
    return text;
}

std::string title(const model::Study& study)
{
    std::string text = report::toText(study.id) + "  " + study.model.name + ", goal " +
                       model::objectivesText(study.goal) + ", " + study.createdUtc;
    if (study.state != model::StudyState::finished)
        text += "  (" + std::string(model::toString(study.state)) + ")";
    return text + "\n";
}

std::string noiseText(const model::StudySnapshot& snapshot)
{
    std::string text;
    for (const model::NoiseCertificate& n : snapshot.noise)
        text += "\n" + report::noiseSentence(n);
    return text;
}

std::string lossText(const model::StudySnapshot& snapshot)
{
    std::string text;
    for (const std::string& loss : report::losses(snapshot))
        text += "\n" + loss;
    return text;
}

int showStudy(const model::StudySnapshot& snapshot, Session& session)
{
    session.terminal.document(report::studyDocument(snapshot));
    session.terminal.text(title(snapshot.study) + "\n" + report::studyTable(snapshot, session.terminal.width()) + "\n" +
                          report::recommendationSentence(snapshot) + noiseText(snapshot) + lossText(snapshot));
    return kDone;
}

/// The latest of each kind. What cannot be read is left out.
void addEvaluations(const std::vector<store::Store::Evaluation>& evaluations, Json& document, std::string& text,
                    int width)
{
    constexpr std::size_t kLayers = 10;
    std::string accuracy, sensitivity;
    for (const store::Store::Evaluation& evaluation : evaluations) {
        const Json told = Json::parse(evaluation.document, nullptr, false);
        if (const auto a = model::accuracyFromJson(told); a && evaluation.kind == "accuracy")
            accuracy = "\nAccuracy on " + report::accuracyText(*a, width);
        else if (const auto s = model::sensitivityFromJson(told); s && evaluation.kind == "sensitivity")
            sensitivity = "\nLayers: " + report::sensitivityText(*s, kLayers, width);
        else
            continue;
        document[evaluation.kind] = told;
    }
    text += accuracy + sensitivity;
}

/// Asks on a terminal; elsewhere the command itself is the answer.
bool confirmed(const std::string& question, const Delete& options)
{
    if (options.yes || options.common.json || !::isatty(0) || !::isatty(2))
        return true;
    std::cerr << question << " [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

} // namespace

int run(const Studies& options, Session& session)
{
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    const auto studies = store->studies();
    if (!studies)
        return session.terminal.fail(studies.error());
    Json list = Json::array();
    report::TextTable table({{"Study"},
                             {"Model", report::Align::left, true},
                             {"Configurations", report::Align::right},
                             {"ok", report::Align::right},
                             {"failed", report::Align::right},
                             {"State"},
                             {"Created"}});
    for (const store::StudySummary& s : *studies) {
        list.push_back({{"id", report::toText(s.id)},
                        {"uuid", s.uuid},
                        {"name", s.name},
                        {"model", s.modelName},
                        {"state", model::toString(s.state)},
                        {"created", s.createdUtc},
                        {"trials", s.trials},
                        {"ok", s.ok},
                        {"failed", s.failed},
                        {"remaining", s.remaining}});
        table.addRow({report::toText(s.id), s.modelName, std::to_string(s.trials), std::to_string(s.ok),
                      std::to_string(s.failed), stateText(s), s.createdUtc});
    }
    session.terminal.document(
        {{"schema", "apertune.studies/1"}, {"workspace", store->file().string()}, {"studies", list}});
    session.terminal.text(studies->empty() ? "No studies yet. Run one: apertune tune torchvision:resnet50"
                                           : table.render(session.terminal.width()));
    return kDone;
}

int run(const Trials& options, Session& session)
{
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    const auto snapshot = loadStudyOf(*store, options.study);
    if (!snapshot)
        return session.terminal.fail(snapshot.error());
    const report::ConfigurationNames names(*snapshot);
    Json list = Json::array();
    report::TextTable table({{"Trial"},
                             {"Configuration"},
                             {"State"},
                             {"Latency ms", report::Align::right},
                             {"Reason", report::Align::left, true}});
    for (const model::Trial& t : snapshot->trials) {
        list.push_back(report::trialDocument(t));
        const bool ok = t.state == model::TrialState::ok;
        table.addRow({report::toText(t.id), names.shortName(t), std::string(model::toString(t.state)),
                      ok ? report::formatPlusMinus(t.measurement.latencyNs, 1e-6) : "–",
                      ok ? std::string() : report::reasonText(t)});
    }
    session.terminal.document(
        {{"schema", "apertune.trials/1"}, {"study", report::toText(snapshot->study.id)}, {"trials", list}});
    session.terminal.text(table.render(session.terminal.width()));
    return kDone;
}

int run(const Show& options, Session& session)
{
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    if (!looksLikeTrial(options.what)) {
        const auto snapshot = loadStudyOf(*store, options.what);
        return snapshot ? showStudy(*snapshot, session) : session.terminal.fail(snapshot.error());
    }
    const auto found = findTrial(*store, options.what);
    if (!found)
        return session.terminal.fail(found.error());
    const auto evaluations = store->evaluations(found->id);
    if (!evaluations)
        return session.terminal.fail(evaluations.error());
    Json document = report::trialDocument(found->snapshot, found->trial());
    std::string text = report::trialSheet(found->snapshot, found->trial(), session.terminal.width());
    addEvaluations(*evaluations, document, text, session.terminal.width());
    const auto kept = keptRuns(*store, found->id, session.terminal.width());
    if (!kept)
        return session.terminal.fail(kept.error());
    document.update(*kept->documents);
    text += kept->text;
    session.terminal.document(document);
    session.terminal.text(text);
    return kDone;
}

int run(const Delete& options, Session& session)
{
    auto store = store::Store::open(options.common.store, store::OpenMode::readWrite);
    if (!store)
        return session.terminal.fail(store.error());
    // All names are resolved before anything is deleted: a slip in the second must not cost the first.
    std::vector<model::StudyId> ids;
    for (const std::string& text : options.studies) {
        const auto id = findStudy(*store, text);
        if (!id)
            return session.terminal.fail(id.error());
        ids.push_back(*id);
    }
    Json deleted = Json::array();
    std::vector<std::string> names;
    std::vector<model::ModelRef> models; // whose files may have no user any more
    for (const model::StudyId id : ids) {
        const auto study = store->study(id);
        if (!study)
            return session.terminal.fail(study.error());
        if (std::none_of(models.begin(), models.end(),
                         [&](const model::ModelRef& m) { return m.artifact == study->model.artifact; }))
            models.push_back(study->model);
        names.push_back(report::toText(id));
        deleted.push_back(names.back());
    }
    if (!confirmed("Delete " + report::wrapPieces(names, ", ", 0, 0) + " with all trials?", options)) {
        session.terminal.note("Nothing was deleted.");
        return kDone;
    }
    for (const model::StudyId id : ids)
        if (const auto done = store->deleteStudy(id); !done)
            return session.terminal.fail(done.error());
    base::Bytes freed{};
    std::string text = "Deleted " + report::wrapPieces(names, ", ", 0, 0) + ".";
    for (const model::ModelRef& model : models) {
        const auto removal = models::removeUnusedArtifact(*store, model);
        if (!removal)
            return session.terminal.fail(removal.error());
        freed.count += removal->freed.count;
        if (removal->freed.count > 0) // a model of the list, or another study, keeps them as a rule
            text += " The files of " + model.name +
                    ", a deleted model, are removed: " + base::formatBytes(removal->freed) + " are free again.";
    }
    session.terminal.document(
        {{"schema", "apertune.deleted/1"}, {"kind", "study"}, {"ids", deleted}, {"freed_bytes", freed.count}});
    session.terminal.text(text);
    return kDone;
}

} // namespace apertune::cli
