// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the operating system: /proc/cpuinfo, control groups, and the log of a worker that died.
#include "core/probe/cgroup.h"
#include "core/probe/cpu_probe.h"
#include "core/probe/system_files.h"
#include "core/sentences/sentences.h"
#include "core/worker/worker_death.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

namespace apertune::fuzz {

void examine(std::string_view input)
{
    const probe::CpuInfo info = probe::parseCpuInfo(input);
    require(info.processors.size() <= static_cast<std::size_t>(std::ranges::count(input, '\n')) + 1,
            "a line tells of one processor at the most");
    if (const auto cpus = probe::parseCpuMax(input))
        require(*cpus > 0, "a limit is positive");
    std::size_t size = 0;
    for (const std::string_view line : probe::linesOf(input)) {
        require(line.find('\n') == std::string_view::npos, "a line is one");
        size += line.size() + 1;
        static_cast<void>(probe::parseInteger(line));
    }
    require(size == input.size() || size == input.size() + 1, "no text is lost between lines");
    const model::Reason reason = worker::explainDeath({.code = 0, .signal = 9}, input, 0);
    require(!sentences::sentence(reason).empty(), "a death has a sentence");
}

std::vector<std::string> seeds()
{
    return {"processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU  @ 2.20GHz\ncpu MHz\t\t: 2200.123\nphysical id\t: 0\n"
            "core id\t\t: 1\nflags\t\t: fpu avx2 avx512f amx_bf16 hypervisor\n\nprocessor\t: 1\n",
            "processor\t: 0\nFeatures\t: asimd sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n", "200000 100000",
            "max 100000", "what():  std::bad_alloc\nCUDA out of memory. Tried to allocate 2.00 GiB"};
}

} // namespace apertune::fuzz
