// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb_options.h"
#include "core/base/text.h"

namespace apertune::cli {

using base::Error;
using base::ErrorCode;
using base::Result;

std::vector<Verb> declareQueryVerbs(CLI::App& app)
{
    auto query = std::make_shared<Query>();
    auto words = std::make_shared<std::vector<std::string>>();
    auto timeout = std::make_shared<std::string>("10s");
    auto bytes = std::make_shared<std::string>("256MiB");
    CLI::App* const verb = app.add_subcommand("query", "Ask a workspace in SQL; nothing can be changed");
    verb->footer("Events are in `event` and in a view for each kind: kernel, copy, runtime_call, operator_call, …\n"
                 "The tables of an nsys export are there under its names, for the newest trace or --trace.\n"
                 "Examples:\n"
                 "  apertune query \"SELECT name, count(*), sum(duration_ns) / 1e6 AS ms FROM kernel GROUP BY name "
                 "ORDER BY ms DESC LIMIT 10\"\n"
                 "  apertune query runs.apertune \"SELECT * FROM trial\" --csv > trials.csv\n"
                 "  apertune query \"SELECT percentile(duration_ns, 99) FROM operator_call\" --trace last --json\n"
                 "  apertune query --tables                what can be asked");
    addCommonOptions(*verb, query->common);
    words->resize(2);
    verb->add_option("WORKSPACE", words->at(0), "Workspace file, if it is not --store")->type_name("");
    verb->add_option("SQL", words->at(1), "One SELECT")->type_name("");
    verb->add_flag("--csv", query->csv, "Print comma-separated values");
    verb->add_flag("--tables", query->tables, "List the tables and views with their columns");
    verb->add_option("--trace", query->trace, "Only this trace: tr3 or last")->type_name("TRACE");
    verb->add_option("--timeout", *timeout, "Give up after this time (default: 10s)")->type_name("TIME");
    verb->add_option("--bytes", *bytes, "Size of the result at most, a quarter of it for a value (default: 256MiB)")
        ->type_name("SIZE");
    verb->add_option("--rows", query->rows, "Rows at most (default: 1000000)")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    return {{verb, [query, words, timeout, bytes]() -> Result<Invocation> {
                 const auto time = base::parseDuration("--timeout", *timeout);
                 if (!time)
                     return time.error();
                 query->timeout = *time;
                 const auto size = base::parseBytes("--bytes", *bytes);
                 if (!size)
                     return size.error();
                 query->bytes = *size;
                 const std::string& first = words->at(0);
                 const std::string& second = words->at(1);
                 if (query->tables && !second.empty())
                     return Error{ErrorCode::invalidArgument, "--tables runs no SQL.", {}, "Leave one of them out."};
                 if (!first.empty() && (query->tables || !second.empty()))
                     query->common.store = first;
                 if (!query->tables) {
                     query->sql = second.empty() ? first : second;
                     if (query->sql.empty())
                         return Error{ErrorCode::invalidArgument,
                                      "The SQL is missing.",
                                      {},
                                      "Write for example `apertune query \"SELECT * FROM trace\"`."};
                 }
                 if (query->csv && query->common.json)
                     return Error{
                         ErrorCode::invalidArgument, "--csv and --json exclude each other.", {}, "Choose one of them."};
                 return Invocation(*query);
             }}};
}

} // namespace apertune::cli
