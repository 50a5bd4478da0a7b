// SPDX-License-Identifier: GPL-3.0-or-later
// Perfetto's binary format, plain and compressed. The input is a file.
#include "core/interchange/perfetto/perfetto_import.h"
#include "tests/core/interchange/perfetto_writer.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/trace_checks.h"

namespace apertune::fuzz {

void examine(std::string_view input)
{
    const MemoryFile file(input);
    interchange::looksLikePerfetto(file.path());
    const auto imported = interchange::importPerfetto(file.path());
    if (const trace::Trace* const trace = valueOf(imported))
        requireSound(*trace);
}

std::vector<std::string> seeds()
{
    const std::string sample = test::perfettoSample();
    return {sample, sample.substr(0, sample.size() / 3)};
}

} // namespace apertune::fuzz
