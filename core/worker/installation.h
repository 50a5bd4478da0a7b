// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace apertune::worker {

/// Where the programs and libraries of this installation are, and how to run the LibTorch environment.
struct Installation
{
    std::filesystem::path worker;    ///< apertune-worker
    std::filesystem::path plugins;   ///< folder of backend libraries
    std::filesystem::path exporter;  ///< folder that holds the Python package apertune_exporter
    std::filesystem::path python;    ///< interpreter with torch; empty when there is none
    std::filesystem::path torchRoot; ///< …/site-packages/torch; empty when there is none

    /// The site-packages folders that may hold the packages of other engines, in the order of looking.
    std::vector<std::filesystem::path> engines{};

    /// Found from the running program's prefix, APERTUNE_TORCH / APERTUNE_PYTHON, the set-up's environment under
    /// the user's cache folder, and the python3 on the PATH, in that order. Engines: APERTUNE_ENGINES (environments or
    /// site-packages folders, with ':' between), the set-up's, and where torch is. Never runs Python.
    static Installation locate();
};

/// The torch package inside what a person may have named: the package itself, its lib folder, or a Python
/// environment that holds it. Empty when there is none.
std::filesystem::path torchPackageIn(const std::filesystem::path& folder);

/// The CUPTI of CUDA 13 (libcupti.so.13) that came with the torch package, else that of a toolkit below `root`. Empty
/// when there is none; the loader may know another.
std::filesystem::path cuptiLibrary(const std::filesystem::path& torchRoot, const std::filesystem::path& root = "/");

} // namespace apertune::worker
