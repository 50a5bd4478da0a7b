// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/text.h"
#include "core/models/artifact_users.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

using Kept = models::ArtifactRemoval::Kept;

/// The reason why an artifact stays, for documents and for people. REQUIRES: it stays.
std::pair<const char*, std::string> reasonOf(const models::ArtifactRemoval& removal)
{
    switch (removal.kept) {
    case Kept::otherWorkspaces:
        return {"other_workspaces", "for other workspaces use it: " + base::join(removal.users)};
    case Kept::unknownUsers:
        return {"unknown_users", "for it is older than the list of the workspaces that use it. When none does, remove "
                                 "the folder by hand"};
    case Kept::recent:
        return {"recent", "for it was written in the last ten minutes, and its import may not be complete"};
    default:
        return {"error", "for it cannot be removed: " + base::join(removal.users)};
    }
}

Json artifactDocument(const models::LeftArtifact& left)
{
    const bool removed = left.removal.kept == Kept::no;
    return {{"artifact", left.folder.string()},
            {"bytes", left.size.count},
            {"freed_bytes", left.removal.freed.count},
            {"kept", removed ? Json(nullptr) : Json(reasonOf(left.removal).first)},
            {"users", left.removal.kept == Kept::otherWorkspaces ? Json(left.removal.users) : Json::array()}};
}

std::string artifactText(const models::LeftArtifact& left)
{
    if (left.removal.kept == Kept::no)
        return "Removed " + left.folder.string() +
               ", which no workspace uses: " + base::formatBytes(left.removal.freed) + " are free again.";
    return "Kept " + left.folder.string() + " (" + base::formatBytes(left.size) + "), " +
           reasonOf(left.removal).second + ".";
}

int compactWorkspace(Session& session)
{
    // Opening it for writing would make a workspace that is not there.
    if (const auto there = store::Store::open(session.common.store, store::OpenMode::readOnly); !there)
        return session.terminal.fail(there.error());
    return withStore(
        session,
        [&session](store::Store& store) -> int {
            session.terminal.status("Compacting " + store.file().string() + " …");
            const auto freed = store.compact();
            const auto artifacts =
                freed ? models::removeUnusedArtifacts(store, std::filesystem::file_time_type::clock::now())
                      : base::Result<std::vector<models::LeftArtifact>>(freed.error());
            session.terminal.status({});
            if (!artifacts)
                return session.terminal.fail(artifacts.error());
            Json documents = Json::array();
            std::string text =
                "Compacted " + store.file().string() + ": " + base::formatBytes(*freed) + " are free again.";
            for (const models::LeftArtifact& left : *artifacts) {
                documents.push_back(artifactDocument(left));
                text += "\n" + artifactText(left);
            }
            session.terminal.document({{"schema", "apertune.workspace_compact/1"},
                                       {"workspace", store.file().string()},
                                       {"freed_bytes", freed->count},
                                       {"artifacts", documents}});
            session.terminal.text(text);
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
    return {
        .path = {"workspace", "compact"},
        .group = Group::manage,
        .summary = "Free space of deleted data and of models that no workspace uses",
        .examples = R"(  apertune workspace compact)",
        .takes = Takes::workspace,
        .documents = {{"apertune.workspace_compact/1",
                       "`workspace`, `freed_bytes` (of the workspace file), `artifacts` (those that no model or study "
                       "of the workspace uses: `artifact`, `bytes`, `freed_bytes` (with packages and converted "
                       "files), `kept` (null: removed; `other_workspaces`, `unknown_users`, `recent`, `error`), "
                       "`users`)"}},
        .declare = declareWorkspaceCompact};
}

} // namespace apertune::cli
