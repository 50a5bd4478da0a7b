// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct TraceRename
{
    std::string trace;
    std::string name;
};

int run(const TraceRename& options, Session& session)
{
    return withTrace(
        session, options.trace,
        [&](store::Store& store, const store::TraceSummary& summary) -> int {
            if (const auto renamed = store.renameTrace(summary.id, options.name); !renamed)
                return session.terminal.fail(renamed.error());
            session.terminal.document({{"schema", "apertune.renamed/1"},
                                       {"kind", "trace"},
                                       {"id", toText(summary.id)},
                                       {"name", options.name}});
            session.terminal.text("Renamed " + toText(summary.id) + " from \"" + summary.name + "\" to \"" +
                                  options.name + "\".");
            return kDone;
        },
        store::OpenMode::readWrite);
}

Action declareTraceRename(CLI::App& app)
{
    auto options = std::make_shared<TraceRename>();
    addArgument(app, "TRACE", options->trace, kTraceHelp);
    addArgument(app, "NAME", options->name, "New name");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceRenameVerb()
{
    return {.path = {"trace", "rename"},
            .group = Group::explain,
            .summary = "Rename a trace",
            .examples = R"(  apertune trace rename tr3 "before the fix")",
            .takes = Takes::workspace,
            .documents = {{"apertune.renamed/1", "`kind` (`trace`), `id`, `name`"}},
            .declare = declareTraceRename};
}

} // namespace apertune::cli
