// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

int compactWorkspace(Session& session)
{
    return withStore(
        session,
        [&session](store::Store& store) -> int {
            session.terminal.status("Compacting " + store.file().string() + " …");
            const auto freed = store.compact();
            session.terminal.status({});
            if (!freed)
                return session.terminal.fail(freed.error());
            session.terminal.document({{"schema", "apertune.workspace_compact/1"},
                                       {"workspace", store.file().string()},
                                       {"freed_bytes", freed->count}});
            session.terminal.text("Compacted " + store.file().string() + ": " + base::formatBytes(*freed) +
                                  " are free again.");
            return kDone;
        },
        store::OpenMode::readWrite);
}

Action declareWorkspaceCompact(CLI::App&)
{
    return compactWorkspace;
}

} // namespace

Verb workspaceCompactVerb()
{
    return {.path = {"workspace", "compact"},
            .group = Group::manage,
            .summary = "Free the disk space of deleted data",
            .examples = R"(  apertune workspace compact)",
            .takes = Takes::workspace,
            .documents = {{"apertune.workspace_compact/1", "`workspace`, `freed_bytes`"}},
            .declare = declareWorkspaceCompact};
}

} // namespace apertune::cli
