// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/report/documents.h"
#include "core/report/format.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

struct TrialList
{
    std::string study = "last";
};

int run(const TrialList& options, Session& session)
{
    return withStudy(session, options.study,
                     [&session](const store::Store&, const model::StudySnapshot& snapshot) -> int {
                         const report::ConfigurationNames names(snapshot);
                         Json list = Json::array();
                         report::TextTable table({{"Trial"},
                                                  {"Configuration", report::Align::left, true},
                                                  {"State"},
                                                  {"Latency ms", report::Align::right},
                                                  {"Reason", report::Align::left, true}});
                         const bool imported = snapshot.study.purpose == model::StudyPurpose::imported;
                         for (const model::Trial& t : snapshot.trials) {
                             list.push_back(report::trialDocument(t));
                             const bool ok = t.state == model::TrialState::ok;
                             table.addRow({report::toText(t.id), names.shortName(t),
                                           imported && ok ? "imported" : std::string(model::toString(t.state)),
                                           ok ? report::formatPlusMinus(t.measurement.latencyNs, 1e-6) : "–",
                                           ok ? std::string() : report::reasonText(t)});
                         }
                         session.terminal.document({{"schema", "apertune.trials/1"},
                                                    {"study", report::toText(snapshot.study.id)},
                                                    {"purpose", model::toString(snapshot.study.purpose)},
                                                    {"trials", list}});
                         session.terminal.text(table.render(session.terminal.width()));
                         return kDone;
                     });
}

Action declareTrialList(CLI::App& app)
{
    auto options = std::make_shared<TrialList>();
    app.add_option("STUDY", options->study, std::string(kStudyHelp) + " (default: last)")->type_name("");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb trialListVerb()
{
    return {.path = {"trial", "list"},
            .group = Group::manage,
            .summary = "List the trials of a study",
            .examples = R"(  apertune trial list
  apertune trial list s3 --json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.trials/1", "`study`, `purpose`, `trials` as above"}},
            .declare = declareTrialList};
}

} // namespace apertune::cli
