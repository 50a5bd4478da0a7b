// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/rules_option.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/report/study_findings_report.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct StudyFindings
{
    std::string study = "last";
    std::string rules; ///< file of thresholds; empty: the defaults
};

int run(const StudyFindings& options, Session& session)
{
    const auto thresholds = thresholdsOf(options.rules);
    if (!thresholds)
        return session.terminal.fail(thresholds.error());
    return withStudy(session, options.study, [&](const store::Store&, const model::StudySnapshot& snapshot) -> int {
        const std::vector<comparison::StudyFinding> findings = comparison::studyFindings(snapshot, *thresholds);
        session.terminal.document(report::studyFindingsDocument(snapshot, findings, *thresholds));
        session.terminal.text(report::studyFindingsText(snapshot, findings, *thresholds, session.terminal.width()));
        return kDone;
    });
}

Action declareStudyFindings(CLI::App& app)
{
    auto options = std::make_shared<StudyFindings>();
    app.add_option("STUDY", options->study, kStudyHelp)->type_name("");
    addRulesFile(app, options->rules);
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb studyFindingsVerb()
{
    return {.path = {"study", "findings"},
            .group = Group::explain,
            .summary = "Show what rules find in a study: settings that do not pay, and why",
            .examples = R"(  apertune study findings
  apertune study findings s3 --json
  apertune study findings s3 --rules my_rules.json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.study-findings/1",
                           "`study`, `findings` (`rule`, `title`, `device`, `text`, `why`: what the trials show of the "
                           "reason, the surest first, may be empty; `change`, `trials`: the evidence), `thresholds`: "
                           "those that differ from their defaults (`rule`, `name`, `value`, `default`, `unit`)"}},
            .declare = declareStudyFindings};
}

} // namespace apertune::cli
