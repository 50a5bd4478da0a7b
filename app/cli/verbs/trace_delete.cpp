// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/confirm.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct TraceDelete
{
    std::vector<std::string> traces;
    bool yes = false;
};

int run(const TraceDelete& options, Session& session)
{
    return withStore(
        session,
        [&](store::Store& store) -> int {
            // All names are looked up before anything is deleted, so that a typing error in the second name costs
            // nothing.
            std::vector<store::TraceId> ids;
            std::vector<std::string> names;
            for (const std::string& text : options.traces) {
                const auto summary = findTrace(store, text);
                if (!summary)
                    return session.terminal.fail(summary.error());
                ids.push_back(summary->id);
                names.push_back(toText(summary->id));
            }
            const auto go = confirmed("Delete " + base::join(names) + "?", options.yes, session);
            if (!go)
                return session.terminal.fail(go.error());
            if (!*go)
                return kDone;
            for (const store::TraceId id : ids)
                if (const auto deleted = store.deleteTrace(id); !deleted)
                    return session.terminal.fail(deleted.error());
            session.terminal.document({{"schema", "apertune.deleted/1"}, {"kind", "trace"}, {"ids", names}});
            session.terminal.text("Deleted " + base::join(names) + ".");
            return kDone;
        },
        store::OpenMode::readWrite);
}

Action declareTraceDelete(CLI::App& app)
{
    auto options = std::make_shared<TraceDelete>();
    addArgument(app, "TRACE", options->traces, kTraceHelp);
    app.add_flag("--yes,-y", options->yes, "Delete without asking for confirmation");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceDeleteVerb()
{
    return {.path = {"trace", "delete"},
            .group = Group::explain,
            .summary = "Delete traces; their trials stay",
            .examples = R"(  apertune trace delete tr3 tr4
  apertune trace delete last --yes)",
            .takes = Takes::workspace,
            .documents = {{"apertune.deleted/1", ""}},
            .declare = declareTraceDelete};
}

} // namespace apertune::cli
