// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion.h"
#include "app/cli/man_pages.h"
#include "app/cli/options.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <map>
#include <set>
#include <sstream>

namespace apertune::cli {
namespace {

/// The exit code and what the command printed on both streams.
std::pair<int, std::string> shell(const std::string& command)
{
    std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    EXPECT_NE(pipe, nullptr);
    std::string out;
    char buffer[4096];
    for (std::size_t n; pipe && (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        out.append(buffer, n);
    const int status = pipe ? ::pclose(pipe) : -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out};
}

class Completion : public testing::Test
{
protected:
    Completion() : m_tree(allVerbs()), m_dir(std::move(base::TemporaryDir::create("completion")).value())
    {
        for (const auto& [name, kind] : {std::pair{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}})
            EXPECT_TRUE(base::writeFileAtomically(m_dir.path() / name, completionScript(m_tree, kind)));
    }

    /// What bash offers after `line`, whose last word is being typed.
    std::string bashOffers(const std::string& line) const
    {
        return shell("cd " + m_dir.path().string() + " && bash -c 'source ./bash; COMP_WORDS=(" +
                     (line.ends_with(' ') ? line + "\"\"" : line) +
                     "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _apertune; echo ${COMPREPLY[@]}'")
            .second;
    }

    CommandTree m_tree;
    base::TemporaryDir m_dir;
};

TEST_F(Completion, ScriptsAreValidForTheirShells)
{
    for (const auto& [name, check] :
         {std::pair{"bash", "bash -n "}, {"zsh", "zsh -n "}, {"fish", "fish --no-execute "}}) {
        if (shell("command -v " + std::string(name)).first != 0)
            continue; // bash is always there, the others where they are installed
        const auto [code, out] = shell(check + (m_dir.path() / name).string());
        EXPECT_EQ(code, 0) << name << "\n" << out;
    }
}

TEST_F(Completion, BashOffersVerbsOptionsAndTheirWords)
{
    EXPECT_EQ(bashOffers("apertune trace ver"), "verify\n");
    EXPECT_EQ(bashOffers("apertune wor"), "workspace\n");
    EXPECT_EQ(bashOffers("apertune trace record best --iter"), "--iterations\n");
    EXPECT_EQ(bashOffers("apertune pipeline best --memory "), "pageable pinned\n");
    EXPECT_EQ(bashOffers("apertune completion f"), "fish\n");
    EXPECT_EQ(bashOffers("apertune verify ba"), "bash\n") << "files where no word fits";
}

TEST_F(Completion, EveryVerbIsInEveryScript)
{
    for (const Shell kind : {Shell::bash, Shell::zsh, Shell::fish}) {
        const std::string script = completionScript(m_tree, kind);
        for (const CommandTree::Leaf& leaf : m_tree.leaves())
            EXPECT_NE(script.find(nameOf(leaf.verb)), std::string::npos) << nameOf(leaf.verb);
    }
}

std::string inRoff(std::string text)
{
    for (auto at = text.find('-'); at != std::string::npos; at = text.find('-', at + 2))
        text.replace(at, 1, "\\-");
    return text;
}

TEST(ManPages, EveryVerbHasOneWithItsOptions)
{
    const CommandTree tree(allVerbs());
    std::map<std::string, std::string> pages;
    for (const ManPage& page : manPages(tree))
        pages[page.file] = page.text;
    EXPECT_EQ(pages.size(), tree.leaves().size() + 1);
    for (const CommandTree::Leaf& leaf : tree.leaves()) {
        const std::string& page = pages["apertune-" + base::join(leaf.verb.path, "-") + ".1"];
        EXPECT_TRUE(page.starts_with(".TH APERTUNE")) << nameOf(leaf.verb);
        EXPECT_NE(page.find(".SH EXAMPLES"), std::string::npos) << page;
        for (const CLI::Option* option : leaf.app->get_options()) {
            const std::string name =
                inRoff(option->get_positional() ? option->get_name(true) : option->get_lnames().front());
            EXPECT_NE(page.find(name), std::string::npos) << nameOf(leaf.verb) << " " << name;
        }
        EXPECT_NE(pages["apertune.1"].find(inRoff(base::join(leaf.verb.path, "-"))), std::string::npos);
    }
}

TEST(ManPages, NoTextIsTakenForAMacro)
{
    const std::set<std::string> macros{".TH", ".SH", ".SS", ".TP", ".B", ".BR", ".nf", ".fi"};
    for (const ManPage& page : manPages(CommandTree(allVerbs()))) {
        std::istringstream lines(page.text);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_FALSE(line.starts_with('\'')) << page.file << ": " << line;
            if (line.starts_with('.')) {
                EXPECT_TRUE(macros.contains(line.substr(0, line.find(' ')))) << page.file << ": " << line;
            }
        }
    }
}

} // namespace
} // namespace apertune::cli
