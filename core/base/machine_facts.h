// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <filesystem>

namespace apertune::base {

/// Facts about the machine and its user. Each is asked here and nowhere else, so that all callers see the same answer.

/// Returns the user's home folder as $HOME names it: links in it are not followed. Empty when $HOME is unset or empty.
std::filesystem::path homeFolder();

struct MachineMemory
{
    Bytes physical{}; ///< RAM, without what the kernel keeps for itself; 0: unknown
    Bytes swap{};     ///< size of all swap areas
};

/// Reads the memory of the machine from proc/meminfo below `root` ("/" on a real machine). Limits of control groups do
/// not count. Never fails.
MachineMemory machineMemory(const std::filesystem::path& root = "/");

} // namespace apertune::base
