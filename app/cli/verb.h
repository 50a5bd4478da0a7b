// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace apertune::cli {

/// Where a verb stands in the help of the program.
enum class Group { tune, explain, manage, shell };
std::string titleOf(Group group);

/// Runs a verb whose line was read without a mistake. Returns the exit code.
using Action = std::function<int(Session&)>;

/// The shared options that a verb has beside --quiet.
enum class Takes {
    nothing,
    json,          ///< --json
    workspace,     ///< --store and --json
    untrustedCode, ///< --store, --json and --trust
};

/// A verb of the command line. Its file in app/cli/verbs holds everything about it: options, help and what it does.
/// Parser, help, shell completion and man pages come from this declaration.
struct Verb
{
    std::vector<std::string> path; ///< "trace", "verify"; one word for a verb without a noun
    Group group = Group::manage;
    std::string summary;  ///< one line without a full stop
    std::string examples; ///< lines that begin with two blanks and "apertune"; a remark follows after two blanks
    Takes takes = Takes::workspace;
    /// Declares the options and returns what runs with them; the action owns what the options are read into.
    /// Options that convert their text throw UsageError (options.h).
    Action (*declare)(CLI::App& app) = nullptr;
};

/// "trace verify"
std::string nameOf(const Verb& verb);

/// A word before verbs that manage one kind of thing: "trace".
struct Noun
{
    std::string name;
    std::string summary;
};
const std::vector<Noun>& nouns();

/// Every verb, in the order in which the help lists them. Generated from the list in app/cli/verbs/CMakeLists.txt.
std::vector<Verb> allVerbs();

} // namespace apertune::cli
