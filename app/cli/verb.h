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

/// The section of the program's help in which a verb is listed.
enum class Group { tune, explain, manage, shell };
std::string titleOf(Group group);

/// Runs a verb after its line was parsed. Returns the exit code.
using Action = std::function<int(Session&)>;

/// The shared options that a verb has in addition to --quiet.
enum class Takes {
    nothing,
    json,          ///< --json
    workspace,     ///< --store and --json
    worker,        ///< --store, --json and --no-sandbox
    untrustedCode, ///< --store, --json, --no-sandbox and --trust
    shard,         ///< --json, --no-sandbox and --trust: the workspace lies in the folder of a plan
};

/// A small JSON document that a verb prints. core/report/schema.md lists them from here; the large documents have
/// sections of their own there.
struct Document
{
    std::string schema;   ///< "apertune.plan/1"
    std::string members;  ///< in Markdown; empty when another verb that prints the document has them
    std::string option{}; ///< the option with which the verb prints it: "--dry-run"; empty: always
};

/// A verb of the command line. Its file in app/cli/verbs holds its options, its help and its action. Parser, help,
/// shell completion and man pages are made from this declaration.
struct Verb
{
    std::vector<std::string> path; ///< "trace", "verify"; one word for a verb without a noun
    Group group = Group::manage;
    std::string summary;  ///< one line without a full stop
    std::string examples; ///< lines that begin with two blanks and "apertune"; a remark follows after two blanks
    Takes takes = Takes::workspace;
    std::vector<Document> documents{};
    /// Declares the options and returns the action. The action owns the variables that the options are parsed into.
    /// Options that convert their text throw UsageError (options.h).
    Action (*declare)(CLI::App& app) = nullptr;
};

/// "trace verify"
std::string nameOf(const Verb& verb);

/// A word before the verbs that manage one kind of thing: "trace".
struct Noun
{
    std::string name;
    std::string summary;
};
const std::vector<Noun>& nouns();

/// All verbs, in the order of the help. Generated from the list in app/cli/CMakeLists.txt.
std::vector<Verb> allVerbs();

} // namespace apertune::cli
