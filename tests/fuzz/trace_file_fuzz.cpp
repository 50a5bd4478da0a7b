// SPDX-License-Identifier: GPL-3.0-or-later
// Trace files, core/trace/trace_file.md.
#include "core/trace/trace_file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/trace_checks.h"

namespace apertune::fuzz {

namespace {

std::string written(const trace::Trace& trace)
{
    const std::filesystem::path file = scratchFolder() / "trace";
    require(trace::writeTraceFile(trace, file).ok(), "a trace can be written");
    return contentOf(file);
}

} // namespace

void examine(std::string_view input)
{
    const MemoryFile file(input);
    const auto read = trace::readTraceFile(file.path());
    const trace::Trace* const trace = valueOf(read);
    if (!trace)
        return;
    requireSound(*trace);
    const std::string bytes = written(*trace);
    const auto again = trace::readTraceFile(scratchFolder() / "trace");
    require(again.ok(), "what was written can be read");
    require(written(*again) == bytes, "what was written comes back");
}

std::vector<std::string> seeds()
{
    trace::Trace trace = sampleTrace();
    std::vector<std::string> seeds{written(trace)};
    trace.cost = trace::RecordingCost{{2, 1, 3, 0.95}, {2, 1, 3, 0.95}, {1, 1, 1, 0.95}, 20, 30};
    trace.series.clear();
    seeds.push_back(written(trace));
    return seeds;
}

} // namespace apertune::fuzz
