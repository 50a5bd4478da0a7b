// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "core/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace apertune::cli {

/// A command line after parsing.
struct Invocation
{
    Common common{};
    std::string text{}; ///< output of --help or --version; then there is no action
    Action action{};
};

/// All verbs with their options, as CLI11 knows them. It owns the variables that the options are parsed into.
class CommandTree
{
public:
    /// `width` is the number of columns of the help; 0: lines are not broken.
    explicit CommandTree(const std::vector<Verb>& verbs, int width = 0);
    ~CommandTree();
    CommandTree(const CommandTree&) = delete;
    CommandTree& operator=(const CommandTree&) = delete;

    struct Leaf
    {
        Verb verb;
        CLI::App* app = nullptr;
        Action action;
    };
    CLI::App& root() const { return *m_root; }
    const std::vector<Leaf>& leaves() const { return m_leaves; }
    const Common& common() const { return *m_common; } ///< valid after the parse

private:
    std::unique_ptr<Common> m_common;
    std::unique_ptr<CLI::App> m_root;
    std::vector<Leaf> m_leaves;
};

/// Parses the arguments that follow the program's name. `width`: see CommandTree.
///
/// Failures: invalidArgument. The hint names the nearest valid word if the text looks like a typing error, else the
/// verb's --help.
base::Result<Invocation> parseCommandLine(const std::vector<std::string>& arguments, int width = 0);

/// Three commands to begin with. `apertune` without arguments prints them on a terminal.
std::string firstSteps();

/// The line that repeats a call, quoted for a shell: "apertune tune 'my model.pt' --batches 1". Options that only shape
/// the output (--json, --quiet) or select the place (--store FILE, --resume) are left out, and so is a sweep file:
/// repeatLine() (tune_options.h) has what it says.
std::string repeatableLine(const std::vector<std::string>& arguments);

} // namespace apertune::cli
