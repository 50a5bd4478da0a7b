// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/base/escape.h"
#include "core/store/sample.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace fs = std::filesystem;

namespace {

struct WorkspaceSample
{
    fs::path target;
};

int run(const WorkspaceSample& options, Session& session)
{
    if (const base::Status copied = store::copySample(options.target); !copied)
        return session.terminal.fail(copied.error());
    session.terminal.document({{"schema", "apertune.workspace_sample/1"},
                               {"file", fs::absolute(options.target).lexically_normal().string()}});
    session.terminal.text("The sample is in " + options.target.string() +
                          ": a finished study and traces, measured on another machine.\n\n"
                          "  apertune show last --store " +
                          base::shellQuoted(options.target.string()) + "\n  apertune gui --store " +
                          base::shellQuoted(options.target.string()));
    return kDone;
}

Action declareWorkspaceSample(CLI::App& app)
{
    auto options = std::make_shared<WorkspaceSample>();
    addArgument(app, "FILE", options->target, "Workspace to write; it must not exist");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb workspaceSampleVerb()
{
    return {.path = {"workspace", "sample"},
            .group = Group::manage,
            .summary = "Write a sample to look at: a finished study and its traces",
            .examples = R"(  apertune workspace sample sample.apertune
  apertune show last --store sample.apertune)",
            .takes = Takes::json,
            .documents = {{"apertune.workspace_sample/1", "`file`"}},
            .declare = declareWorkspaceSample};
}

} // namespace apertune::cli
