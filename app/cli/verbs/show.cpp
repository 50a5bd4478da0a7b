// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/envelope_files.h"
#include "app/cli/kept_runs.h"
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/shortlist_text.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/report/documents.h"
#include "core/report/evaluation_report.h"
#include "core/report/robustness_report.h"
#include "core/report/study_table.h"
#include "core/report/trial_sheet.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

struct Show
{
    std::string what = "last";
};

std::string title(const model::Study& study)
{
    std::string text = text::toText(study.id) + "  " + study.model.name + ", goal " +
                       model::objectivesText(study.goal) + " (" + text::boundsText(study.goal) + "), " +
                       study.createdUtc;
    if (const std::string origin = text::originText(study); !origin.empty())
        return text::toText(study.id) + "  " + study.model.name + "\n" + origin + "\n";
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

std::string interferenceText(const model::Study& study)
{
    return study.interference ? "\n" + sentences::sentence(study.interference->text) : std::string();
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
    const std::string shortlist = shortlistText(snapshot);
    session.terminal.text(title(snapshot.study) + "\n" + report::studyTable(snapshot, session.terminal.width()) + "\n" +
                          report::recommendationSentence(snapshot) +
                          (shortlist.empty() ? std::string() : "\n" + shortlist) + noiseText(snapshot) +
                          interferenceText(snapshot.study) + lossText(snapshot));
    return kDone;
}

/// The latest evaluation of each kind. Evaluations that cannot be read are left out.
void addEvaluations(const std::vector<store::Evaluation>& evaluations, const model::StudySnapshot& snapshot,
                    Json& document, std::string& text, int width)
{
    constexpr std::size_t kLayers = 10;
    std::string accuracy, sensitivity, robustness;
    // The store returns the oldest first, so the last one of a kind is the latest.
    for (const store::Evaluation& evaluation : evaluations) {
        const Json parsed = Json::parse(evaluation.document, nullptr, false);
        if (const auto a = model::accuracyFromJson(parsed);
            a && evaluation.kind == toString(model::EvaluationKind::accuracy))
            accuracy = "\nAccuracy on " + report::accuracyText(*a, width);
        else if (const auto s = model::sensitivityFromJson(parsed);
                 s && evaluation.kind == toString(model::EvaluationKind::sensitivity))
            sensitivity = "\nLayers: " + report::sensitivityText(*s, kLayers, width);
        else if (const auto r = model::robustnessFromJson(parsed);
                 r && evaluation.kind == toString(model::EvaluationKind::robustness))
            robustness = "\nBeside a competing program:  " + report::robustnessText(*r, snapshot, width);
        else
            continue;
        document[evaluation.kind] = parsed;
    }
    text += accuracy + sensitivity + robustness;
}

int run(const Show& options, Session& session)
{
    const auto store = store::Store::open(session.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    if (!namesTrial(*store, options.what)) {
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
    const std::string origin = text::originText(found->snapshot.study);
    if (!origin.empty())
        document["imported"] = origin;
    std::string text = (origin.empty() ? origin : origin + "\n\n") +
                       report::trialSheet(found->snapshot, found->trial(), session.terminal.width());
    addEvaluations(*evaluations, found->snapshot, document, text, session.terminal.width());
    const auto kept = keptRuns(*store, found->id, session.terminal.width());
    if (!kept)
        return session.terminal.fail(kept.error());
    document.update(*kept->documents);
    text += kept->text;
    // A damaged file of envelopes must not hide the trial, so it is a note.
    if (const auto envelopes = knownEnvelopes(); !envelopes) {
        session.terminal.note(sentences::sentence(envelopes.error().message) + " " +
                              sentences::sentence(envelopes.error().hint));
    } else if (const comparison::Envelope* envelope =
                   comparison::envelopeFor(*envelopes, found->snapshot, found->trial());
               envelope && found->trial().state == model::TrialState::ok) {
        const model::Interval& latency = found->trial().measurement.latencyNs;
        document["envelope"] = comparison::envelopeJson(*envelope);
        document["envelope"]["verdict"] = toString(comparison::envelopeVerdict(*envelope, latency));
        text += "\n" + text::wrap(comparison::envelopeSentence(*envelope, latency), session.terminal.width(), 0) + "\n";
    }
    if (const auto baselines = store->baselines()) {
        for (const model::Baseline& baseline : *baselines) {
            if (baseline.trial != found->id)
                continue;
            document["baseline"] = {{"name", baseline.name.empty() ? Json() : Json(baseline.name)},
                                    {"starred", baseline.starredUtc}};
            text += "\nBaseline" + (baseline.name.empty() ? std::string() : " " + baseline.name) + ", starred " +
                    baseline.starredUtc;
        }
    }
    session.terminal.document(document);
    session.terminal.text(text);
    return kDone;
}

Action declareShow(CLI::App& app)
{
    auto options = std::make_shared<Show>();
    app.add_option("WHAT", options->what, "Study (s3, last) or trial (t12, best, s3:best) (default: last)")
        ->type_name("");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb showVerb()
{
    return {.path = {"show"},
            .group = Group::tune,
            .summary = "Show a study with its recommendation, or everything about a trial",
            .examples = R"(  apertune show
  apertune show t12
  apertune show best)",
            .takes = Takes::workspace,
            .declare = declareShow};
}

} // namespace apertune::cli
