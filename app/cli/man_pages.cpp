// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/man_pages.h"

#include "app/cli/options.h"

#include <sstream>

namespace apertune::cli {

namespace {

constexpr const char* kExitStatus = R"(.SH EXIT STATUS
.TP
.B 0
The verb did what was asked.
.TP
.B 1
A gate failed, or what was checked is worse than it was.
.TP
.B 2
The command line or its input is wrong.
.TP
.B 3
The measurement cannot tell.
.TP
.B 4
Nothing could be measured, or nothing better was found.
.TP
.B 130
The verb was interrupted.
)";

/// Escapes a text so that roff prints it unchanged.
std::string escaped(const std::string& text)
{
    std::string safe;
    bool lineStart = true;
    for (const char c : text) {
        // A dot or an apostrophe at the start of a line is a command of roff.
        if (lineStart && (c == '.' || c == '\''))
            safe += "\\&";
        lineStart = c == '\n';
        if (c == '\\')
            safe += "\\e";
        else if (c == '-')
            safe += "\\-";
        else
            safe += c;
    }
    return safe;
}

std::string header(const std::string& page)
{
    std::string upper = page;
    for (char& c : upper)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return ".TH " + escaped(upper) + " 1 \"\" \"apertune " APERTUNE_VERSION "\" \"Apertune manual\"\n";
}

std::string pageName(const CommandTree::Leaf& leaf)
{
    return "apertune-" + base::join(leaf.verb.path, "-");
}

std::string optionEntry(const CLI::Option& option)
{
    std::string text = ".TP\n.B " + escaped(option.get_name(option.get_positional(), !option.get_positional()));
    if (!option.get_positional() && option.get_items_expected_max() > 0 && !option.get_type_name().empty())
        text += " \\fI" + escaped(option.get_type_name()) + "\\fR";
    return text + "\n" + escaped(option.get_description()) + "\n";
}

/// The options of each group, in the order in which they were declared.
std::string optionSections(const CLI::App& app)
{
    std::string text;
    // Groups keep the order of the help.
    for (const std::string& group : app.get_groups()) {
        std::string entries;
        for (const CLI::Option* option : app.get_options())
            if (option->get_group() == group && option->nonpositional())
                entries += optionEntry(*option);
        if (!entries.empty())
            text += ".SH " + escaped(group) + "\n" + entries;
    }
    return text;
}

ManPage verbPage(const CommandTree::Leaf& leaf)
{
    const std::string page = pageName(leaf);
    std::string arguments;
    std::string synopsis;
    for (const CLI::Option* option : leaf.app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
        const std::string name = option->get_name(true);
        synopsis += option->get_required() ? " \\fI" + escaped(name) + "\\fR" : " [\\fI" + escaped(name) + "\\fR]";
        arguments += optionEntry(*option);
    }
    std::string text = header(page) + ".SH NAME\n" + escaped(page) + " \\- " + escaped(leaf.verb.summary) +
                       "\n.SH SYNOPSIS\n.B apertune " + escaped(nameOf(leaf.verb)) + "\n[OPTIONS]" + synopsis + "\n";
    if (!arguments.empty())
        text += ".SH ARGUMENTS\n" + arguments;
    text += optionSections(*leaf.app) + ".SH EXAMPLES\n.nf\n" + escaped(leaf.verb.examples) + "\n.fi\n" + kExitStatus +
            ".SH SEE ALSO\n.BR apertune (1)\n";
    return {page + ".1", text};
}

} // namespace

std::vector<ManPage> manPages(const CommandTree& tree)
{
    std::string verbs;
    std::string group;
    std::vector<ManPage> pages(1);
    for (const CommandTree::Leaf& leaf : tree.leaves()) {
        // Leaves come by group, so the title changes rarely.
        if (const std::string title = titleOf(leaf.verb.group); title != group)
            verbs += ".SS " + escaped(group = title) + "\n";
        verbs += ".TP\n.BR " + escaped(pageName(leaf)) + " (1)\n" + escaped(leaf.verb.summary) + "\n";
        pages.push_back(verbPage(leaf));
    }
    pages.front() = {"apertune.1", header("apertune") + ".SH NAME\napertune \\- " +
                                       "find, verify and explain the fastest safe way to run a vision model\n"
                                       ".SH SYNOPSIS\n.B apertune\n\\fIVERB\\fR [OPTIONS] ...\n.SH VERBS\n" +
                                       verbs + kExitStatus};
    return pages;
}

} // namespace apertune::cli
