// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "core/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace apertune::cli {

/// A line that was read.
struct Invocation
{
    Common common{};
    std::string text{}; ///< output of --help or --version; then there is no action
    Action action{};
};

/// Every verb with its options as CLI11 knows them. What the options are read into lives as long as this.
class CommandTree
{
public:
    /// `width`: columns of the help; 0: lines are not broken.
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
    const Common& common() const { return *m_common; } ///< after the parse

private:
    std::unique_ptr<Common> m_common;
    std::unique_ptr<CLI::App> m_root;
    std::vector<Leaf> m_leaves;
};

/// Reads the arguments that follow the program's name. Failures: invalidArgument, with the nearest valid word where
/// the text looks like a typing slip, and the verb's --help otherwise. `width`: see CommandTree.
base::Result<Invocation> parseCommandLine(const std::vector<std::string>& arguments, int width = 0);

/// Three commands to begin with: what `apertune` alone prints on a terminal.
std::string firstSteps();

/// "apertune tune 'my model.pt' --batches 1": the line that repeats a call, quoted for a shell. Options that only
/// shape the output (--json, --quiet) or select the place (--store FILE, --resume) are left out.
std::string repeatableLine(const std::vector<std::string>& arguments);

} // namespace apertune::cli
