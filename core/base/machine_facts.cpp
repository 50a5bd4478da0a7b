// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/machine_facts.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace apertune::base {

std::filesystem::path homeFolder()
{
    const char* const home = std::getenv("HOME");
    return home ? home : "";
}

MachineMemory machineMemory(const std::filesystem::path& root)
{
    MachineMemory memory;
    std::ifstream file(root / "proc" / "meminfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        std::int64_t kibibytes = 0;
        // A line of another form, such as one without a number, is none of the two.
        if (!(words >> name >> kibibytes))
            continue;
        if (name == "MemTotal:")
            memory.physical = {kibibytes * 1024};
        else if (name == "SwapTotal:")
            memory.swap = {kibibytes * 1024};
    }
    return memory;
}

} // namespace apertune::base
