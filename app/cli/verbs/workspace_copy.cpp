// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace fs = std::filesystem;

namespace {

struct WorkspaceCopy
{
    fs::path target;
};

int run(const WorkspaceCopy& options, Session& session)
{
    return withStore(session, [&](const store::Store& store) -> int {
        session.terminal.status("Copying " + store.file().string() + " …");
        const base::Status copied = store.saveCopy(options.target);
        session.terminal.status({});
        if (!copied)
            return session.terminal.fail(copied.error());
        std::error_code ignored;
        const auto bytes = static_cast<std::int64_t>(fs::file_size(options.target, ignored));
        session.terminal.document({{"schema", "apertune.workspace_copy/1"},
                                   {"workspace", store.file().string()},
                                   {"file", fs::absolute(options.target).lexically_normal().string()},
                                   {"bytes", bytes}});
        session.terminal.text("Copied " + store.file().string() + " to " + options.target.string() + ", " +
                              base::formatBytes({bytes}) + ".");
        return kDone;
    });
}

Action declareWorkspaceCopy(CLI::App& app)
{
    auto options = std::make_shared<WorkspaceCopy>();
    addArgument(app, "FILE", options->target, "Workspace to write; it must not exist");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb workspaceCopyVerb()
{
    return {.path = {"workspace", "copy"},
            .group = Group::manage,
            .summary = "Copy the workspace, also while it is in use",
            .examples = R"(  apertune workspace copy backup.apertune)",
            .takes = Takes::workspace,
            .documents = {{"apertune.workspace_copy/1", "`workspace`, `file`, `bytes`"}},
            .declare = declareWorkspaceCopy};
}

} // namespace apertune::cli
