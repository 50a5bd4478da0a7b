// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/trace_sheet.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct TraceShow
{
    std::string trace;
};

int run(const TraceShow& options, Session& session)
{
    return withTrace(session, options.trace, [&](const store::Store& store, const store::TraceSummary& summary) -> int {
        const auto trace = store.trace(summary.id);
        if (!trace)
            return session.terminal.fail(trace.error());
        session.terminal.document(traceDocument(summary.id, summary.trial, **trace));
        session.terminal.text(traceSheet(summary.id, **trace, session.terminal.width()));
        return kDone;
    });
}

Action declareTraceShow(CLI::App& app)
{
    auto options = std::make_shared<TraceShow>();
    addArgument(app, "TRACE", options->trace, kTraceHelp);
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceShowVerb()
{
    return {.path = {"trace", "show"},
            .group = Group::explain,
            .summary = "Show the content, the overhead and the losses of a trace",
            .examples = R"(  apertune trace show last
  apertune trace show tr3 --json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.trace/1", ""}},
            .declare = declareTraceShow};
}

} // namespace apertune::cli
