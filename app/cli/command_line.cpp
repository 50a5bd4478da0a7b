// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/options.h"
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/store/store.h"
#include "core/text/text_table.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

namespace apertune::cli {

using base::Error;
using base::ErrorCode;

namespace {

constexpr const char* kFooter = R"(Examples:
  apertune tune torchvision:resnet50              sweep this machine, about two minutes
  apertune show                                   the table of the newest study
  apertune export best --target python --out r50  the winner as a folder that runs
  apertune compare s3 s7 --gate 3%                did anything get slower?

`apertune help VERB` explains a verb, `apertune help NOUN` lists the verbs of a noun.)";

constexpr const char* kFirstSteps = R"(Apertune finds the fastest safe way to run a vision model on this machine.

  apertune device list                   what this machine can run
  apertune tune torchvision:resnet50     try the configurations and recommend one, about two minutes
  apertune show                          the result, as a table

`apertune help` lists everything else.
)";

/// The verb that was parsed last: the innermost one on the line.
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

/// The help texts. CLI11's own formatter names only the innermost verb in the usage line, lists excluded options, and
/// does not break lines.
class HelpFormatter final : public CLI::Formatter
{
public:
    // Very narrow terminals get unwrapped text, which they wrap themselves.
    explicit HelpFormatter(int width) : m_width(width > kNames + 30 ? width : 0)
    {
        label("SUBCOMMAND", "VERB");
        label("Positionals", "Arguments");
        // The column is wide enough for the longest option.
        column_width(kNames);
    }
    std::string make_usage(const CLI::App* app, std::string) const override
    {
        // CLI11 would print the whole path of parents with their options.
        return CLI::Formatter::make_usage(app, app->get_parent() ? verbPath(app) : app->get_name());
    }
    std::string make_option_opts(const CLI::Option* option) const override
    {
        if (option->get_positional())
            return {};
        std::string text;
        // Flags take no value and need no type.
        if (option->get_items_expected_max() > 0 && !option->get_type_name().empty())
            text += " " + option->get_type_name();
        if (option->get_required())
            text += " (required)";
        return text;
    }
    std::string make_option_desc(const CLI::Option* option) const override
    {
        return text::wrap(option->get_description(), m_width > 0 ? m_width - kNames : 0, 0);
    }
    std::string make_subcommand(const CLI::App* app) const override
    {
        std::stringstream out;
        CLI::detail::format_help(out, app->get_name(),
                                 text::wrap(app->get_description(), m_width > 0 ? m_width - kNames : 0, 0), kNames);
        return out.str();
    }

private:
    static constexpr int kNames = 30; ///< columns for the names of options and verbs
    int m_width;
};

/// Removes the second empty line that CLI11 puts between groups.
std::string helpText(std::string text)
{
    for (auto at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at))
        text.erase(at, 1);
    return text;
}

std::string seeHelp(const CLI::App& verb)
{
    return "See `" + verbPath(&verb) + " --help`.";
}

/// The verbs of that name below the children of `verb`: "model import" and "trace import" for "import".
std::vector<std::string> pathsOfVerb(CLI::App& verb, const std::string& name)
{
    const auto all = [](const CLI::App*) { return true; };
    std::vector<std::string> paths;
    for (CLI::App* const child : verb.get_subcommands(all))
        for (const CLI::App* const grandchild : child->get_subcommands(all))
            if (grandchild->get_name() == name)
                paths.push_back(child->get_name() + " " + name);
    return paths;
}

/// The error for a word that the verb does not know: an option, a verb, or an argument too many.
Error unexpected(CLI::App& verb, const std::string& word)
{
    // The hint names the verb that was parsed so far.
    const std::string help = seeHelp(verb);
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
    // CLI11 hands an option before the verb on to the verb's remaining words. The verb knows it, so the place is wrong.
    if (what == "option" && std::find(known.begin(), known.end(), word.substr(0, word.find('='))) != known.end())
        return base::plainError(ErrorCode::invalidArgument, "The option " + word + " stands before the verb.", {},
                                "Write it after: `" + verbPath(&verb) + " … " + word + " …`.");
    // A word may be a verb of another noun.
    const std::vector<std::string> below = what == "verb" ? pathsOfVerb(verb, word) : std::vector<std::string>{};
    const std::string nearest =
        below.empty() ? base::closestMatch(word.substr(0, word.find('=')), known) : base::join(below, " or ");
    return base::plainError(ErrorCode::invalidArgument, "Unexpected " + what + " \"" + word + "\".", {},
                            nearest.empty() ? help : "Did you mean " + nearest + "? " + help);
}

Error usageError(CLI::App& app, const CLI::ParseError& failure)
{
    CLI::App* const verb = parsedVerb(app);
    const std::vector<std::string> left = app.remaining(true);
    // An unknown word is reported first, because it often explains why something else is missing.
    if (!left.empty())
        return unexpected(*verb, left.front());
    std::string message = failure.what();
    message = message.substr(0, message.find('\n'));
    // A noun alone has verbs below it and none chosen.
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
    return base::plainError(ErrorCode::invalidArgument, message, {}, seeHelp(*verb));
}

/// Refuses an option with an empty value, as from an unset variable of a script. It is never taken for the default.
std::optional<Error> emptyValue(CLI::App& verb)
{
    for (const CLI::Option* option : verb.get_options())
        if (option->get_expected_min() > 0 &&
            std::any_of(option->results().begin(), option->results().end(),
                        [](const std::string& value) { return base::splitList(value).empty(); }))
            return base::plainError(ErrorCode::invalidArgument, option->get_name() + " is given without a value.", {},
                                    "Name one, or leave it out. " + seeHelp(verb));
    return std::nullopt;
}

/// The command of a verb's noun. It is made with the noun's first verb.
CLI::App* nounApp(CLI::App& root, const Verb& verb)
{
    const std::string& name = verb.path.front();
    // Verbs of a noun are declared one by one, and the first one makes the noun.
    if (const auto known = root.get_subcommands([&](const CLI::App* app) { return app->get_name() == name; });
        !known.empty())
        return known.front();
    const auto noun =
        std::find_if(nouns().begin(), nouns().end(), [&](const Noun& candidate) { return candidate.name == name; });
    CLI::App* const app = root.add_subcommand(name, noun == nouns().end() ? std::string() : noun->summary);
    app->group(titleOf(verb.group));
    app->require_subcommand(1);
    app->footer("`apertune " + name + " VERB --help` explains a verb.");
    return app;
}

void addCommonOptions(CLI::App& app, Takes takes, Common& common)
{
    // A verb without models or a workspace has no use for these options.
    const bool startsWorkers = takes == Takes::worker || takes == Takes::untrustedCode || takes == Takes::shard;
    if (takes == Takes::workspace || (startsWorkers && takes != Takes::shard))
        app.add_option("--store", common.store, "Workspace file (default: the user's own)")->type_name("FILE");
    if (takes == Takes::untrustedCode || takes == Takes::shard)
        app.add_flag("--trust", common.trust, "Trust code of models from elsewhere without asking, now and later");
    if (startsWorkers)
        app.add_flag("--no-sandbox", common.noSandbox, "Run models with all your rights; results record it");
    if (takes != Takes::nothing)
        app.add_flag("--json", common.json, "Print the result as one JSON document");
    app.add_flag("--quiet,-q", common.quiet, "Do not show progress or remarks");
}

} // namespace

CommandTree::CommandTree(const std::vector<Verb>& verbs, int width)
    : m_common(std::make_unique<Common>()),
      m_root(std::make_unique<CLI::App>(
          "Finds, verifies and explains the fastest safe way to run a vision model on this machine.", "apertune"))
{
    // The default depends on the user's folders, so it is set before parsing.
    m_common->store = base::defaultWorkspace();
    m_root->footer(kFooter);
    m_root->require_subcommand(1);
    m_root->formatter(std::make_shared<HelpFormatter>(width));
    m_root->set_help_flag("-h,--help", "Show this help");
    m_root->set_version_flag("--version", "apertune " APERTUNE_VERSION, "Show the version");
    for (const Verb& verb : verbs) {
        CLI::App* parent = m_root.get();
        if (verb.path.size() > 1)
            parent = nounApp(*m_root, verb);
        CLI::App* const app = parent->add_subcommand(verb.path.back(), verb.summary);
        app->group(verb.path.size() > 1 ? "Verbs" : titleOf(verb.group));
        app->footer("Examples:\n" + verb.examples);
        Action action = verb.declare(*app);
        addCommonOptions(*app, verb.takes, *m_common);
        m_leaves.push_back({verb, app, std::move(action)});
    }
}

CommandTree::~CommandTree() = default;

base::Result<Invocation> parseCommandLine(const std::vector<std::string>& arguments, int width)
{
    const CommandTree tree(allVerbs(), width);
    CLI::App& app = tree.root();
    try {
        // CLI11 takes the words in reversed order.
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
        // `apertune help VERB` is `apertune VERB --help`.
        if (!arguments.empty() && arguments.front() == "help") {
            reversed.pop_back();
            reversed.insert(reversed.begin(), "--help");
        }
        app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
        // A word that no verb took is a verb that does not exist.
        if (const std::vector<std::string> left = app.remaining(true); !left.empty())
            return unexpected(*parsedVerb(app), left.front());
        return Invocation{.text = helpText(parsedVerb(app)->help())};
    } catch (const CLI::CallForVersion&) {
        return Invocation{.text = "apertune " APERTUNE_VERSION "\n"};
    } catch (const UsageError& failure) {
        Error error = failure.error();
        error.hint = base::sentencesOf({std::move(error.hint), base::foreignText(seeHelp(*parsedVerb(app)))});
        return error;
    } catch (const CLI::ParseError& failure) {
        return usageError(app, failure);
    }
    if (const auto empty = emptyValue(*parsedVerb(app)))
        // A value of "" is refused in one place for all options.
        return *empty;
    for (const CommandTree::Leaf& leaf : tree.leaves())
        if (leaf.app == parsedVerb(app))
            return Invocation{.common = tree.common(), .action = leaf.action};
    return base::plainError(ErrorCode::internal, "A verb is not connected.", {}, "Please report this.");
}

std::string firstSteps()
{
    return kFirstSteps;
}

std::string repeatableLine(const std::vector<std::string>& arguments)
{
    // Options that only change the output or the trust do not belong to the experiment.
    static const std::set<std::string> kDropped{"--json", "--quiet", "-q", "--resume", "--dry-run", "--trust"};
    // The name of the workspace is that of this machine, and a sweep file may change: its options follow the line.
    static const std::vector<std::string> kFiles{"--store", "--config", "--write-config"};
    std::string line = "apertune";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (std::find(kFiles.begin(), kFiles.end(), word) != kFiles.end())
            ++i;
        else if (!kDropped.contains(word) && std::none_of(kFiles.begin(), kFiles.end(), [&](const std::string& file) {
                     return word.starts_with(file + "=");
                 }))
            line += ' ' + base::shellQuoted(word);
    }
    return line;
}

} // namespace apertune::cli
