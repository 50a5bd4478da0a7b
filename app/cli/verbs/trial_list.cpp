// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/report/documents.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

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
                         const text::ConfigurationNames names(snapshot);
                         Json list = Json::array();
                         text::TextTable table({{"Trial"},
                                                {"Configuration", text::Align::left, true},
                                                {"State"},
                                                {"Latency ms", text::Align::right},
                                                {"Reason", text::Align::left, true}});
                         const bool imported = snapshot.study.purpose == model::StudyPurpose::imported;
                         for (const model::Trial& t : snapshot.trials) {
                             list.push_back(report::trialDocument(t));
                             const bool ok = t.state == model::TrialState::ok;
                             table.addRow({text::toText(t.id), names.shortName(t),
                                           imported && ok ? "imported" : std::string(model::toString(t.state)),
                                           ok ? text::formatPlusMinus(t.measurement.latencyNs, 1e-6) : "–",
                                           ok ? std::string() : text::reasonText(t)});
                         }
                         session.terminal.document({{"schema", "apertune.trials/1"},
                                                    {"study", text::toText(snapshot.study.id)},
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
