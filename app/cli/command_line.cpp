// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/verb_options.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/store/store.h"

#include <algorithm>
#include <set>

namespace apertune::cli {

using base::Error;
using base::ErrorCode;

namespace {

constexpr const char* kFooter = R"(Examples:
  apertune tune torchvision:resnet50             sweep this machine, about two minutes
  apertune show last                             the table of the newest study
  apertune export best --target python --out r50 the winner as a folder that runs
  apertune compare s3 s7 --gate 3%               did anything get slower?

`apertune VERB --help` explains a verb.)";

/// The verb that was being read: the innermost one that was met.
CLI::App* parsedVerb(CLI::App& app)
{
    CLI::App* current = &app;
    while (!current->get_subcommands().empty())
        current = current->get_subcommands().front();
    return current;
}

std::string verbPath(const CLI::App* app)
{
    std::string path = app->get_name();
    for (const CLI::App* parent = app->get_parent(); parent; parent = parent->get_parent())
        path = parent->get_name() + " " + path;
    return path;
}

/// CLI11 names only the innermost verb in its usage line.
class HelpFormatter final : public CLI::Formatter
{
public:
    std::string make_usage(const CLI::App* app, std::string) const override
    {
        return CLI::Formatter::make_usage(app, app->get_parent() ? verbPath(app) : app->get_name());
    }
};

/// The help without the second empty line that CLI11 leaves between groups.
std::string helpText(std::string text)
{
    for (auto at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at))
        text.erase(at, 1);
    return text;
}

/// Something was given that the verb does not know: an option, a verb or a word too many.
Error unexpected(CLI::App& verb, const std::string& word)
{
    const std::string help = "See `" + verbPath(&verb) + " --help`.";
    std::vector<std::string> known;
    std::string what = "argument";
    if (word.starts_with("-")) {
        what = "option";
        for (const CLI::Option* option : verb.get_options())
            for (const std::string& name : option->get_lnames())
                known.push_back("--" + name);
    } else if (const auto children = verb.get_subcommands([](const CLI::App*) { return true; }); !children.empty()) {
        what = "verb";
        for (const CLI::App* child : children)
            known.push_back(child->get_name());
    }
    const std::string nearest = base::closestMatch(word.substr(0, word.find('=')), known);
    return {ErrorCode::invalidArgument,
            "Unexpected " + what + " \"" + word + "\".",
            {},
            nearest.empty() ? help : "Did you mean " + nearest + "? " + help};
}

Error usageError(CLI::App& app, const CLI::ParseError& failure)
{
    CLI::App* const verb = parsedVerb(app);
    const std::vector<std::string> left = app.remaining(true);
    // What is not known explains more than what is missing because of it.
    if (!left.empty())
        return unexpected(*verb, left.front());
    std::string message = failure.what();
    message = message.substr(0, message.find('\n'));
    if (const auto children = verb->get_subcommands([](const CLI::App*) { return true; });
        !children.empty() && verb->get_subcommands().empty()) {
        std::vector<std::string> names;
        for (const CLI::App* child : children)
            names.push_back(child->get_name());
        message = "A verb is missing: " + base::join(names);
    }
    if (const auto at = message.find(": At Most 1 required"); at != std::string::npos)
        message = message.substr(0, at) + " was given more than once";
    if (!message.ends_with('.'))
        message += '.';
    return {ErrorCode::invalidArgument, message, {}, "See `" + verbPath(verb) + " --help`."};
}

/// A value that is given and says nothing, as an unset variable of a script does: never taken for the default.
std::optional<Error> emptyValue(CLI::App& verb)
{
    for (const CLI::Option* option : verb.get_options())
        if (option->get_expected_min() > 0 &&
            std::any_of(option->results().begin(), option->results().end(),
                        [](const std::string& value) { return base::splitList(value).empty(); }))
            return Error{ErrorCode::invalidArgument,
                         option->get_name() + " is given without a value.",
                         {},
                         "Name one, or leave it out. See `" + verbPath(&verb) + " --help`."};
    return std::nullopt;
}

} // namespace

void addCommonOptions(CLI::App& app, Common& common, bool withStore)
{
    common.store = store::defaultWorkspace();
    if (withStore)
        app.add_option("--store", common.store, "Workspace file (default: the user's own)")->type_name("FILE");
    app.add_flag("--json", common.json, "Print one JSON document on stdout");
    app.add_flag("--quiet,-q", common.quiet, "No progress and notes on stderr");
}

void addTrustOption(CLI::App& verb, Common& common)
{
    verb.add_flag("--trust", common.trust, "Run code of models from elsewhere without asking, and remember it");
}

base::Result<Invocation> parseCommandLine(const std::vector<std::string>& arguments)
{
    CLI::App app("Finds, proves and explains the fastest safe way to run a vision model on this machine.", "apertune");
    app.footer(kFooter);
    app.require_subcommand(1);
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_version_flag("--version", "apertune " APERTUNE_VERSION);
    std::vector<Verb> verbs;
    for (const auto declare :
         {declareModelVerbs, declareTune, declareStudyVerbs, declareOutputVerbs, declareTraceFileVerbs,
          declareQueryVerbs, declareTraceReportVerbs, declareScenarioVerbs, declarePipeline, declareEvaluationVerbs})
        for (Verb& verb : declare(app))
            verbs.push_back(std::move(verb));

    try {
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
        app.parse(std::move(reversed));
    } catch (const CLI::CallForAllHelp&) {
        return Invocation(Print{helpText(app.help("", CLI::AppFormatMode::All))});
    } catch (const CLI::CallForHelp&) {
        return Invocation(Print{helpText(parsedVerb(app)->help())});
    } catch (const CLI::CallForVersion&) {
        return Invocation(Print{"apertune " APERTUNE_VERSION "\n"});
    } catch (const CLI::ParseError& failure) {
        return usageError(app, failure);
    }
    if (const auto empty = emptyValue(*parsedVerb(app)))
        return *empty;
    for (const Verb& verb : verbs)
        if (verb.app == parsedVerb(app))
            return verb.finish();
    return Error{ErrorCode::internal, "A verb is not connected.", {}, "Please report this."};
}

std::string repeatableLine(const std::vector<std::string>& arguments)
{
    static const std::set<std::string> kDropped{"--json", "--quiet", "-q", "--resume", "--dry-run", "--trust"};
    std::string line = "apertune";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (word == "--store")
            ++i;
        else if (!kDropped.contains(word) && !word.starts_with("--store="))
            line += ' ' + base::shellQuoted(word);
    }
    return line;
}

} // namespace apertune::cli
