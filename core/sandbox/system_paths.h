// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace apertune::sandbox {

/// Folders of the system's programs and libraries. Private to this folder, like all below.
std::vector<std::filesystem::path> systemFolders();

/// The parts of the machine that programs read: /proc, /sys and the part of /etc that holds no secrets.
std::vector<std::filesystem::path> machineFacts();

/// Device files without side effects, such as /dev/null.
std::vector<std::filesystem::path> harmlessDevices();

/// Device files of GPUs that exist here.
std::vector<std::filesystem::path> gpuDevices();

/// The entries of a folder whose names do not begin with a dot. An entry above the home folder stands for what this
/// returns of it, and so on down to the home folder's own entries. Entries that are links are left out.
std::vector<std::filesystem::path> visibleEntries(const std::filesystem::path& folder);

/// Whether the folder is the home folder or lies above it.
bool holdsHome(const std::filesystem::path& folder);

} // namespace apertune::sandbox
