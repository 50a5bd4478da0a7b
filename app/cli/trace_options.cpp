// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb_options.h"

namespace apertune::cli {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

Verb declareImport(CLI::App& app)
{
    auto [verb, options] =
        declare<TraceImport>(app, "import", "Bring a trace that another tool recorded into the workspace",
                             "  apertune import run.pt.trace.json.gz   torch.profiler, CUDA or ROCm\n"
                             "  apertune import build.json --name build\n"
                             "  apertune import report.sqlite          nsys export --type sqlite report.nsys-rep\n"
                             "  apertune traces                        what is there");
    verb->add_option("FILE", options->file, "Kineto or Chrome JSON, plain or gzip; SQLite export of nsys")
        ->type_name("")
        ->required();
    verb->add_option("--name", options->name, "Name in the workspace (default: the file's)")->type_name("NAME");
    verb->add_flag("--only-check", options->only, "Read and summarise the file, store nothing");
    return simpleVerb(verb, options);
}

Verb declareTraceExport(CLI::App& app)
{
    auto [verb, options] = declare<TraceExport>(
        app, "trace-export", "Write a trace for another tool",
        "  apertune trace-export tr3 --out run.json.gz      for ui.perfetto.dev, chrome://tracing\n"
        "  apertune trace-export last --out run.csv         a line an event\n"
        "  apertune trace-export last --out run.sqlite      for scripts over nsys exports\n"
        "  apertune trace-export other.json --out copy.csv  of a file, without a workspace");
    verb->add_option("TRACE", options->trace, "tr3, last, or a file that `apertune import` reads")
        ->type_name("")
        ->required();
    verb->add_option("--out", options->out, "File to write; gzip when it ends in .gz")->type_name("FILE")->required();
    auto format = std::make_shared<std::string>();
    verb->add_option("--format", *format, "chrome, csv or nsys (default: by the file's name, else chrome)")
        ->type_name("FORMAT");
    return {verb, [options = options, format]() -> Result<Invocation> {
                std::string word = *format;
                const std::string name = options->out.filename().string();
                if (word.empty())
                    word = name.ends_with(".csv") || name.ends_with(".csv.gz") ? "csv"
                           : name.ends_with(".sqlite")                         ? "nsys"
                                                                               : "chrome";
                if (word != "chrome" && word != "csv" && word != "nsys")
                    return Error{ErrorCode::invalidArgument,
                                 "--format: \"" + word + "\" is not a format.",
                                 {},
                                 "Known: chrome, csv, nsys."};
                options->format = word == "csv"    ? TraceExport::Format::csv
                                  : word == "nsys" ? TraceExport::Format::nsys
                                                   : TraceExport::Format::chrome;
                return Invocation(*options);
            }};
}

} // namespace

std::vector<Verb> declareTraceFileVerbs(CLI::App& app)
{
    return {declareImport(app), declareTraceExport(app)};
}

} // namespace apertune::cli
