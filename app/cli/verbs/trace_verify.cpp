// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "app/cli/verification_document.h"
#include "core/advice/rules.h"
#include "core/advice/verdict.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/runs/trace_context.h"
#include "core/runs/verification.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace apertune::cli {

using advice::Finding;
using base::Error;
using base::ErrorCode;
using base::Json;
using base::Result;

namespace {

struct TraceVerify
{
    std::string trace;
    std::vector<std::string> findings; ///< rules; empty: the most promising finding that can be verified
    bool all = false;
    base::Nanoseconds budget = runs::kVerificationBudget;
};

std::string rulesOf(const std::vector<Finding>& findings)
{
    std::vector<std::string> names;
    for (const Finding& finding : findings)
        names.push_back(finding.rule);
    return base::join(names);
}

/// The findings to verify, in the order of the report.
Result<std::vector<Finding>> wanted(const std::vector<Finding>& findings, const TraceVerify& options)
{
    std::vector<Finding> chosen;
    for (const std::string& rule : options.findings) {
        const auto found = std::find_if(findings.begin(), findings.end(),
                                        [&](const Finding& f) { return f.rule == advice::ruleId(rule); });
        if (found == findings.end())
            return base::plainError(ErrorCode::notFound, "The trace has no finding " + rule + ".", {},
                                    findings.empty() ? "It has none at all: nothing stands out."
                                                     : "It has: " + rulesOf(findings) + ".");
        chosen.push_back(*found);
    }
    if (!options.findings.empty())
        return chosen;
    std::copy_if(findings.begin(), findings.end(), std::back_inserter(chosen),
                 [](const Finding& f) { return !f.isPart() && runs::canApply(f.knob); });
    if (chosen.empty())
        return base::plainError(ErrorCode::notFound,
                                findings.empty()
                                    ? "The trace has no finding: nothing stands out."
                                    : "No switch does what the findings (" + rulesOf(findings) + ") ask for.",
                                {}, "See `apertune trace report " + options.trace + "`.");
    if (!options.all)
        chosen.resize(1);
    return chosen;
}

int run(const TraceVerify& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto workbench = engine::Workbench::open(session.common.store);
    if (!workbench)
        return terminal.fail(workbench.error());
    const store::Store& store = (*workbench)->store();
    const auto summary = findTrace(store, options.trace);
    if (!summary)
        return terminal.fail(summary.error());
    const auto trace = store.trace(summary->id);
    if (!trace)
        return terminal.fail(trace.error());
    const advice::Facts facts(**trace, runs::contextOf(store, *summary));
    const auto findings = wanted(advice::reportFindings(facts).findings, options);
    if (!findings)
        return terminal.fail(findings.error());

    Json verifications = Json::array();
    int worst = kDone;
    std::optional<Error> failure;
    for (const Finding& finding : *findings) {
        terminal.note(finding.rule + "  " + sentences::sentence(finding.title) + ": " +
                      sentences::sentence(finding.knob.text));
        Progress progress(terminal);
        const auto verification =
            (*workbench)
                ->verifyFinding(summary->id, finding, options.budget, std::ref(progress), session.interrupt.token());
        terminal.status({});
        if (!verification) {
            failure = verification.error();
            failure->message =
                base::foreignText(finding.rule + " was not tried: " + sentences::sentence(failure->message));
            break; // the verifications before the failure are shown all the same
        }
        verifications.push_back(verificationDocument(finding, *verification));
        terminal.text(text::wrap(finding.rule + "  " + sentences::sentence(finding.title) + ". " +
                                     sentences::sentence(verification->message),
                                 terminal.width(), 5) +
                      "\n     " + text::toText(verification->study) + ": apertune compare " +
                      text::toText(verification->before) + " " + text::toText(verification->after));
        // The first verification that is not done decides the exit code.
        if (worst == kDone)
            worst = codeOf(verification->outcome);
    }
    terminal.document({{"schema", "apertune.proofs/1"},
                       {"trace", toText(summary->id)},
                       {"proofs", verifications},
                       {"failure", failure ? Json(sentences::sentence(failure->message)) : Json(nullptr)}});
    return failure ? failRun(terminal, *failure) : worst;
}

Action declareTraceVerify(CLI::App& app)
{
    auto options = std::make_shared<TraceVerify>();
    addArgument(app, "TRACE", options->trace, "Trace of a trial: tr3 or last");
    app.add_option("FINDING", options->findings,
                   "Findings to verify, by their names in `apertune trace report`: unfused-batchnorm")
        ->type_name("");
    app.add_flag("--all", options->all, "Verify every finding that names a switch");
    addTime(app, "--budget", options->budget, "Measuring time for each finding (default: 30s)");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceVerifyVerb()
{
    return {.path = {"trace", "verify"},
            .group = Group::explain,
            .summary = "Verify findings by measuring a trial with and without the change",
            .examples = R"(  apertune trace verify last            the most promising finding that can be tried here
  apertune trace verify tr3 unfused-batchnorm
  apertune trace verify tr3 --all --json)",
            .takes = Takes::untrustedCode,
            .declare = declareTraceVerify};
}

} // namespace apertune::cli
