// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

int checkWorkspace(Session& session)
{
    return withStore(session, [&session](const store::Store& store) -> int {
        const std::string file = store.file().string();
        session.terminal.status("Checking " + file + " …");
        const base::Status whole = store.checkIntegrity();
        session.terminal.status({});
        const std::string problem = whole ? std::string() : sentences::sentence(whole.error().message);
        session.terminal.document({{"schema", "apertune.workspace_check/1"},
                                   {"workspace", file},
                                   {"whole", static_cast<bool>(whole)},
                                   {"problem", whole ? Json(nullptr) : Json(problem)}});
        session.terminal.text(whole ? file + " is whole."
                                    : file + " is damaged: " + problem +
                                          "\n`apertune workspace repair` saves what is readable.");
        return whole ? kDone : kGateFailed;
    });
}

Action declareWorkspaceCheck(CLI::App&)
{
    return checkWorkspace;
}

} // namespace

Verb workspaceCheckVerb()
{
    return {.path = {"workspace", "check"},
            .group = Group::manage,
            .summary = "Check the workspace for damage",
            .examples = R"(  apertune workspace check                  exit code 0 whole, 1 damaged
  apertune workspace check --store lab.apertune --json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.workspace_check/1", "`workspace`, `whole`, `problem` (text or null)"}},
            .declare = declareWorkspaceCheck};
}

} // namespace apertune::cli
