// SPDX-License-Identifier: GPL-3.0-or-later
// The manual against the declarations of the program: pages of its reference are written from them, and every command
// that a page shows is one that the program takes.
#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/sweep_option.h"
#include "app/cli/tune_options.h"
#include "core/advice/documents.h"
#include "core/advice/rule_info.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/sweeps/sweep_file.h"
#include "tests/app/cli/shell_words.h"
#include "tests/support/section.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace apertune::cli {
namespace {

namespace fs = std::filesystem;

const fs::path kSources = APERTUNE_SOURCES;
const fs::path kManual = kSources / "resources" / "manual";

/// A text in a cell of a table of Markdown.
std::string cell(std::string text)
{
    for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return text;
}

/// "`--out FILE` (required)"
std::string optionCell(const CLI::Option& option)
{
    const bool positional = option.get_positional();
    std::string text = option.get_name(positional, !positional);
    if (!positional && option.get_items_expected_max() > 0 && !option.get_type_name().empty())
        text += " " + option.get_type_name();
    // The names of an option are joined by a comma alone.
    for (auto at = text.find(",-"); at != std::string::npos; at = text.find(",-", at + 2))
        text.replace(at, 1, ", ");
    return "`" + cell(text) + "`" + (!positional && option.get_required() ? " (required)" : "");
}

std::string verbEntry(const CommandTree::Leaf& leaf)
{
    // The page lists these once.
    static const std::set<std::string> kShared{"help", "store", "json", "quiet", "trust", "no-sandbox"};
    std::string text = "### apertune " + nameOf(leaf.verb) + "\n\n" + leaf.verb.summary + ".\n\n";
    std::string synopsis = "apertune " + nameOf(leaf.verb);
    std::string rows;
    for (const CLI::Option* option : leaf.app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
        const std::string name = option->get_name(true);
        synopsis += option->get_required() ? " " + name : " [" + name + "]";
        rows += "| " + optionCell(*option) + " | " + cell(option->get_description()) + " |\n";
    }
    for (const std::string& group : leaf.app->get_groups())
        for (const CLI::Option* option : leaf.app->get_options())
            if (option->get_group() == group && option->nonpositional() &&
                (option->get_lnames().empty() || !kShared.contains(option->get_lnames().front())))
                rows += "| " + optionCell(*option) + " | " + cell(option->get_description()) + " |\n";
    text += "```text\n" + synopsis + " [OPTIONS]\n```\n\n";
    if (!rows.empty())
        text += "| argument or option | meaning |\n|---|---|\n" + rows + "\n";
    std::istringstream examples(leaf.verb.examples);
    text += "```\n";
    for (std::string line; std::getline(examples, line);)
        text += line.substr(2) + "\n";
    return text + "```\n\n";
}

std::string verbSection()
{
    const CommandTree tree(allVerbs());
    std::string text;
    std::string group;
    for (const CommandTree::Leaf& leaf : tree.leaves()) {
        if (const std::string title = titleOf(leaf.verb.group); title != group)
            text += "## " + (group = title) + "\n\n";
        text += verbEntry(leaf);
    }
    return text;
}

/// The keys of a sweep file.
std::string keySection()
{
    CLI::App app;
    const auto read = declareTuneOptions(app);
    std::string text = "| key | value | meaning |\n|---|---|---|\n";
    for (const CLI::Option* option : app.get_options()) {
        const std::string key = sweepKey(*option);
        if (key.empty())
            continue;
        std::string value = option->get_positional() ? "MODEL" : option->get_type_name();
        if (option->get_items_expected_max() == 0)
            value = "true or false";
        else if (key == sweeps::kSwitchKey)
            value = "map: NAME to on, off or a list";
        else if (takesList(*option))
            value = value == "LIST" ? "list" : value + ", or a list";
        text += "| `" + key + "` | " + cell(value) + " | " + cell(option->get_description()) + " |\n";
    }
    return text;
}

std::string ruleSection()
{
    std::string text;
    const base::Json document = advice::ruleListDocument(advice::Thresholds{});
    std::string subject;
    for (const base::Json& rule : document["rules"]) {
        if (rule["of"] != subject) {
            subject = rule["of"].get<std::string>();
            text += "## Rules over a " + subject + "\n\n";
        }
        text += "### " + rule["rule"].get<std::string>() + "\n\n" + rule["title"].get<std::string>() + " (" +
                rule["alias"].get<std::string>() + ").\n\n* Needs: " + rule["needs"].get<std::string>() +
                "\n* Change: " + rule["change"].get<std::string>() + "\n";
        for (const base::Json& threshold : rule["thresholds"])
            text += "* `" + threshold["name"].get<std::string>() + "` = " + threshold["default"].dump() + " (" +
                    threshold["unit"].get<std::string>() + "): fires " + threshold["fires"].get<std::string>() + "\n";
        text += "\n";
    }
    return text;
}

/// The documents for users: README, CONTRIBUTING and the pages of the manual.
std::vector<fs::path> documents()
{
    std::vector<fs::path> files{kSources / "README.md", kSources / "CONTRIBUTING.md"};
    for (const auto& entry : fs::recursive_directory_iterator(kManual))
        if (entry.path().extension() == ".md")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// A command of a block or of a sentence: without its remark and what the shell does with its output.
std::string plainCommand(std::string command)
{
    command = std::regex_replace(command, std::regex("\\s+"), " ");
    for (const char* end : {" # ", " > ", " | "})
        command = command.substr(0, command.find(end));
    return command;
}

/// The commands of a document that begin with "apertune ": lines of its code blocks, and code within sentences. Of a
/// line of an example, a remark follows after two blanks.
std::vector<std::string> commandsOf(const std::string& text)
{
    std::vector<std::string> commands;
    std::string prose;
    std::istringstream lines(text);
    bool inBlock = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            inBlock = !inBlock;
            prose += "\n\n";
        } else if (!inBlock) {
            prose += line + "\n";
        } else if (line.starts_with("apertune ") && line.find("[OPTIONS]") == std::string::npos) {
            commands.push_back(plainCommand(line.substr(0, line.find("  "))));
        }
    }
    const std::regex inSentence("`(apertune\\s[^`]*)`");
    for (auto it = std::sregex_iterator(prose.begin(), prose.end(), inSentence); it != std::sregex_iterator(); ++it)
        commands.push_back(plainCommand((*it)[1]));
    // A placeholder stands for any verb, and an ellipsis for words that are left out.
    std::erase_if(commands, [](const std::string& command) {
        return command.find("VERB") != std::string::npos || command.find("…") != std::string::npos;
    });
    return commands;
}

/// Empty when the program takes the command, else its message. The name of a verb or a noun alone is no command but
/// names it, so it has to have help.
std::string complaintAbout(const std::string& command)
{
    std::vector<std::string> words = test::shellWords(command);
    words.erase(words.begin());
    const std::string name = base::join(words, " ");
    const std::vector<Verb> verbs = allVerbs();
    const bool isName =
        std::any_of(nouns().begin(), nouns().end(), [&name](const Noun& noun) { return noun.name == name; }) ||
        std::any_of(verbs.begin(), verbs.end(), [&name](const Verb& verb) { return nameOf(verb) == name; });
    if (isName)
        words.insert(words.begin(), "help");
    const auto invocation = parseCommandLine(words);
    return invocation
               ? std::string()
               : sentences::sentence(invocation.error().message) + " " + sentences::sentence(invocation.error().hint);
}

TEST(Manual, ListsEveryVerbWithItsOptions)
{
    test::expectSection(kManual / "reference" / "commands.md", "verbs", verbSection());
}

TEST(Manual, ListsEveryKeyOfASweepFile)
{
    test::expectSection(kManual / "reference" / "sweep-file.md", "keys", keySection());
}

TEST(Manual, ListsEveryRuleWithItsThresholds)
{
    test::expectSection(kManual / "reference" / "rules.md", "rules", ruleSection());
}

TEST(Manual, ShowsOnlyCommandsThatTheProgramTakes)
{
    // The folder of images and the sweep files that commands name: the parser looks whether they are there.
    const auto folder = base::TemporaryDir::create("manual");
    ASSERT_TRUE(folder);
    fs::create_directory(folder->path() / "photos");
    for (const char* file : {"sweep.yaml", "apertune-sweep.yaml", "deploy/apertune-sweep.yaml"})
        ASSERT_TRUE(base::writeFileAtomically(folder->path() / file, "model: resnet50\n"));
    const fs::path before = fs::current_path();
    fs::current_path(folder->path());
    std::size_t checked = 0;
    for (const fs::path& file : documents()) {
        const auto text = base::readFile(file);
        EXPECT_TRUE(text) << file;
        for (const std::string& command : commandsOf(text ? *text : std::string())) {
            ++checked;
            EXPECT_EQ(complaintAbout(command), "") << file << ": " << command;
        }
    }
    fs::current_path(before);
    EXPECT_GT(checked, 200U);
}

TEST(Manual, FindsCommandsThatDoNotExist)
{
    const std::vector<std::string> commands =
        commandsOf("See `apertune\nshow --colour` and\n```\napertune tunes x  # a\n"
                   "apertune show t1 > file\n```\n`apertune trace`, `apertune VERB`\n");
    EXPECT_EQ(commands, (std::vector<std::string>{"apertune tunes x", "apertune show t1", "apertune show --colour",
                                                  "apertune trace"}));
    EXPECT_NE(complaintAbout(commands[0]), "");
    EXPECT_EQ(complaintAbout(commands[1]), "");
    EXPECT_NE(complaintAbout(commands[2]), "");
    EXPECT_EQ(complaintAbout(commands[3]), "");
}

} // namespace
} // namespace apertune::cli
