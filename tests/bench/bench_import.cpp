// SPDX-License-Identifier: GPL-3.0-or-later
//
// What importing a large trace costs: a file of about 1 GB, made by repeating the events of one trace, imported by
// importKineto() and read by Python's json.load in the same run. Bars: 1.5 million events a second, 20 times json.load.
// Without --trace and APERTUNE_TRACES the events are made up in the shape of Kineto's.
//
//   bench_import [--trace FILE] [--megabytes 1000] [--runs 7] [--python-runs 2] [--threads 0]

#include "core/base/clock.h"
#include "core/base/temporary_dir.h"
#include "core/interchange/chrome/event_blocks.h"
#include "core/interchange/chrome/event_parser.h"
#include "core/interchange/chrome/kineto_import.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/stats/bootstrap.h"
#include "tests/bench/usage.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

using namespace apertune;
namespace fs = std::filesystem;

namespace {

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "bench_import: %s\n", why.c_str());
    std::exit(2);
}

struct Options
{
    fs::path trace;
    std::size_t megabytes = 1000;
    int runs = 7;
    int pythonRuns = 2;
    int threads = 0;
};

Options parse(int argc, char** argv)
{
    const bench::Usage usage(argc, argv,
                             "bench_import [--trace FILE] [--megabytes 1000] [--runs 7] [--python-runs 2] "
                             "[--threads 0]");
    Options options;
    for (const auto& [name, value] : usage.options())
        if (name == "--trace")
            options.trace = value;
        else if (name == "--megabytes")
            options.megabytes = std::strtoul(value.c_str(), nullptr, 10);
        else if (name == "--runs")
            options.runs = std::max(1, std::atoi(value.c_str()));
        else if (name == "--python-runs")
            options.pythonRuns = std::atoi(value.c_str());
        else if (name == "--threads")
            options.threads = std::atoi(value.c_str());
        else
            usage.refuse(name);
    if (const char* folder = std::getenv("APERTUNE_TRACES"); options.trace.empty() && folder)
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().string().ends_with("training_a100.json.gz") ||
                (options.trace.empty() && entry.path().string().ends_with(".json.gz")))
                options.trace = entry.path();
    return options;
}

/// The events of a list as they stand in the file, without its brackets.
std::string eventsOf(const fs::path& file)
{
    auto source = interchange::files::ByteSource::open(file);
    if (!source)
        stop(sentences::describe(source.error()));
    interchange::chrome::EventBlocks blocks(*source, std::size_t{256} << 20);
    if (const auto head = blocks.readHead(); !head)
        stop(sentences::describe(head.error()));
    auto text = blocks.next();
    if (!text)
        stop(sentences::describe(text.error()));
    interchange::chrome::EventParser parser(false);
    interchange::chrome::ParsedBlock block;
    parser.parse(*text, block);
    if (block.end != interchange::chrome::ParsedBlock::End::listClosed)
        stop("the trace is too large to be repeated: name a smaller one");
    return text->substr(0, block.offset - 1);
}

std::string madeUpEvents()
{
    // Three events in turn; # is a number of their own.
    const std::string shapes[] = {
        R"j({"ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 1, "tid": 1, "ts": 16612034625#.125, "dur": 9, )j"
        R"j("args": {"External id": #, "Input Dims": [[32, 3, 224, 224], [64, 3, 7, 7]], "Input type": ["float", ""]}})j",
        R"j({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 16612034625#, )j"
        R"j("dur": 4, "args": {"External id": #, "cbid": 211, "correlation": #}})j",
        R"j({"ph": "X", "cat": "kernel", "name": "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64>(Params)", )j"
        R"j("pid": 3, "tid": 7, "ts": 16612034625#, "dur": 7, "args": {"External id": #, "queued": 0, "device": 3, )j"
        R"j("context": 1, "stream": 7, "correlation": #, "registers per thread": 90, "shared memory": 49152, )j"
        R"j("grid": [64, 1, 1], "block": [128, 1, 1]}})j"};
    std::string text;
    for (int i = 0; i < 20'000; ++i) {
        text += i > 0 ? ",\n" : "";
        for (const char c : shapes[i % 3])
            text += c == '#' ? std::to_string(i) : std::string(1, c);
    }
    return text;
}

std::size_t countEvents(const std::string& events)
{
    std::size_t count = 0;
    for (std::size_t at = events.find("\"ph\""); at != std::string::npos; at = events.find("\"ph\"", at + 1))
        ++count;
    return count;
}

double pythonSeconds(const fs::path& file)
{
    const std::string command =
        "python3 -c 'import json,sys,time\nt=time.perf_counter()\nd=json.load(open(sys.argv[1]))\n"
        "print(time.perf_counter()-t)' '" +
        file.string() + "'";
    FILE* const pipe = ::popen(command.c_str(), "r");
    char text[64] = {};
    const bool read = pipe && std::fgets(text, sizeof text, pipe);
    if (!pipe || ::pclose(pipe) != 0 || !read)
        stop("python3 could not read the file; it needs about eight times its size of memory");
    return std::strtod(text, nullptr);
}

void print(const char* what, const model::Interval& interval, double scale, const char* unit)
{
    std::printf("%-28s %8.2f %s  [%.2f, %.2f]%s\n", what, interval.value * scale, unit, interval.lo * scale,
                interval.hi * scale, interval.confidence > 0 ? "" : "  (range: too few runs for an interval)");
}

} // namespace

int main(int argc, char** argv)
{
    const Options options = parse(argc, argv);
    const std::string events = options.trace.empty() ? madeUpEvents() : eventsOf(options.trace);
    const auto dir = base::TemporaryDir::create("bench");
    if (!dir)
        stop(sentences::describe(dir.error()));
    const fs::path file = dir->path() / "large.json";
    std::size_t copies = 0;
    {
        std::ofstream out(file, std::ios::binary);
        out << "{\"schemaVersion\": 1, \"traceEvents\": [\n";
        for (std::size_t written = 0; written < options.megabytes * 1'000'000; written += events.size(), ++copies)
            out << (copies ? ",\n" : "") << events;
        out << "]}\n";
        if (!out.flush())
            stop("no room for the file in " + dir->path().string());
    }
    const double total = static_cast<double>(countEvents(events) * copies);
    const double bytes = static_cast<double>(fs::file_size(file));
    std::printf("%.0f events, %.0f MB: %s, %zu times\n", total, bytes / 1e6,
                options.trace.empty() ? "made up" : options.trace.filename().c_str(), copies);

    std::vector<double> imported;
    std::vector<double> loaded;
    std::size_t kept = 0;
    for (int run = 0; run < std::max(options.runs, options.pythonRuns); ++run) {
        if (run < options.runs) {
            trace::ImportOptions import;
            import.threads = options.threads;
            const auto started = base::monotonicNow();
            const auto trace = interchange::importKineto(file, import);
            imported.push_back((base::monotonicNow() - started).seconds());
            if (!trace)
                stop(sentences::describe(trace.error()));
            kept = trace->eventCount();
        }
        if (run < options.pythonRuns)
            loaded.push_back(pythonSeconds(file));
    }
    std::vector<double> rates;
    for (const double seconds : imported)
        rates.push_back(total / seconds);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf("%zu events kept (arrows follow from the rest); peak memory %ld MiB\n", kept, usage.ru_maxrss / 1024);
    print("import", stats::medianInterval(imported), 1, "s");
    print("import", stats::medianInterval(rates), 1e-6, "million events/s");
    if (loaded.empty())
        return 0;
    print("json.load", stats::medianInterval(loaded), 1, "s");
    print("json.load / import",
          stats::ratioOfMedians(base::Baseline<std::span<const double>>{loaded},
                                base::Candidate<std::span<const double>>{imported}),
          1, "times");
    return 0;
}
