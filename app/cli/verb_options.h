// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "core/base/result.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace apertune::cli {

/// A verb as CLI11 knows it, and how what it read becomes an Invocation.
struct Verb
{
    CLI::App* app = nullptr;
    std::function<base::Result<Invocation>()> finish;
};

/// --store, --json and --quiet. The values are read into `common`, which must outlive the parse.
void addCommonOptions(CLI::App& app, Common& common, bool withStore = true);

/// A verb with an example, and the structure its options are read into.
template <typename Options>
std::pair<CLI::App*, std::shared_ptr<Options>> declare(CLI::App& parent, const char* name, const char* summary,
                                                       const char* footer, bool withStore = true)
{
    auto options = std::make_shared<Options>();
    CLI::App* const verb = parent.add_subcommand(name, summary);
    verb->footer(std::string("Examples:\n") + footer);
    addCommonOptions(*verb, options->common, withStore);
    return {verb, options};
}

/// Declares the verbs. Each owns what it reads into through its `finish`.
std::vector<Verb> declareModelVerbs(CLI::App& app);
std::vector<Verb> declareTune(CLI::App& app);
std::vector<Verb> declareStudyVerbs(CLI::App& app);
std::vector<Verb> declareOutputVerbs(CLI::App& app);
std::vector<Verb> declareTraceFileVerbs(CLI::App& app);
std::vector<Verb> declareQueryVerbs(CLI::App& app);
std::vector<Verb> declareTraceReportVerbs(CLI::App& app);
std::vector<Verb> declareScenarioVerbs(CLI::App& app);
std::vector<Verb> declarePipeline(CLI::App& app);
std::vector<Verb> declareEvaluationVerbs(CLI::App& app);

/// --trust, of verbs that can run the code of a model or an exported program.
void addTrustOption(CLI::App& verb, Common& common);

/// What imports may take (--import-timeout, --import-memory), as text.
struct ImportLimitTexts
{
    std::string time = "30m";
    std::string memory; ///< empty: the engine's own
};
void addImportLimits(CLI::App& verb, ImportLimitTexts& texts, const std::string& group = "Options");
/// Failures: invalidArgument.
base::Result<models::ImportLimits> importLimitsOf(const ImportLimitTexts& texts);

/// A verb whose options are read straight into its structure.
template <typename Options>
Verb simpleVerb(CLI::App* app, std::shared_ptr<Options> options)
{
    return {app, [options]() -> base::Result<Invocation> { return Invocation(*options); }};
}

} // namespace apertune::cli
