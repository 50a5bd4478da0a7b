// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of rocprofv3, plain and compressed. The input is a file.
#include "core/interchange/rocprof/rocprof_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/trace_checks.h"

namespace apertune::fuzz {

void examine(std::string_view input)
{
    const MemoryFile file(input);
    interchange::looksLikeRocprofJson(file.path());
    const auto imported = interchange::importRocprofJson(file.path());
    if (const trace::Trace* const trace = valueOf(imported))
        requireSound(*trace);
}

std::vector<std::string> seeds()
{
    return {
        R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 1}, "agents": [], "buffer_records": {"kernel_dispatch": [)"
        R"({"start_timestamp": 1, "end_timestamp": 2, "dispatch_info": {"kernel_id": 1}}]}}]})"};
}

} // namespace apertune::fuzz
