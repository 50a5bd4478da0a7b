// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb_options.h"
#include "core/base/text.h"
#include "core/runs/verification.h"

#include <algorithm>

namespace apertune::cli {

using base::Error;
using base::ErrorCode;
using base::Result;

std::vector<Verb> declareTraceReportVerbs(CLI::App& app)
{
    static const std::vector<std::string> kSections{"verdict",   "iterations", "idle",   "kernels",  "operators",
                                                    "transfers", "launches",   "memory", "counters", "roofline"};
    auto report = std::make_shared<TraceReport>();
    auto list = std::make_shared<std::vector<std::string>>();
    CLI::App* const verb =
        app.add_subcommand("trace-report", "Why it is slow: verdict, findings and tables of a trace");
    verb->footer("Examples:\n"
                 "  apertune trace-report last\n"
                 "  apertune trace-report recording.json.gz --section kernels --rows 50\n"
                 "  apertune trace-report tr3 --section verdict,idle --json");
    addCommonOptions(*verb, report->common);
    verb->add_option("TRACE", report->trace, "tr3, last, or a file of the PyTorch profiler or nsys")
        ->type_name("")
        ->required();
    verb->add_option("--section", *list, "Only these: " + base::join(kSections))->type_name("SECTION,…");
    verb->add_option("--rows", report->rows, "Lines of a table at most (not with --json)")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    auto [proveVerb, prove] =
        declare<Prove>(app, "prove", "Try what a trace advises: the trial with and without the change, in turns",
                       "  apertune prove last             the most promising finding that can be tried here\n"
                       "  apertune prove tr3 unfused-batchnorm   that one\n"
                       "  apertune prove tr3 --all --json");
    addTrustOption(*proveVerb, prove->common);
    proveVerb->add_option("TRACE", prove->trace, "tr3 or last: a trace of a trial")->type_name("")->required();
    proveVerb->add_option("FINDING", prove->findings, "Rules as `apertune trace-report` names them: unfused-batchnorm")
        ->type_name("");
    proveVerb->add_flag("--all", prove->all, "Every finding that can be tried");
    auto budget = std::make_shared<std::string>();
    proveVerb->add_option("--budget", *budget, "Measuring time of each (default: 30s)")->type_name("TIME");
    return {{proveVerb,
             [prove = prove, budget]() -> Result<Invocation> {
                 prove->budget = runs::kVerificationBudget;
                 if (!budget->empty()) {
                     const auto time = base::parseDuration("--budget", *budget);
                     if (!time)
                         return time.error();
                     prove->budget = *time;
                 }
                 return Invocation(*prove);
             }},
            {verb, [report, list]() -> Result<Invocation> {
                 for (const std::string& words : *list)
                     for (const std::string& word : base::splitList(words)) {
                         if (std::find(kSections.begin(), kSections.end(), word) == kSections.end()) {
                             const std::string nearest = base::closestMatch(word, kSections);
                             return Error{ErrorCode::invalidArgument,
                                          "--section: \"" + word + "\" is not a section.",
                                          {},
                                          nearest.empty() ? "Known: " + base::join(kSections) + "."
                                                          : "Did you mean " + nearest + "?"};
                         }
                         report->sections.push_back(word);
                     }
                 return Invocation(*report);
             }}};
}

} // namespace apertune::cli
