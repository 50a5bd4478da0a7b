// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace apertune::worker {

/// The places of this installation's programs and libraries, and of the LibTorch environment.
struct Installation
{
    std::filesystem::path worker;    ///< apertune-worker
    std::filesystem::path plugins;   ///< folder of backend libraries
    std::filesystem::path exporter;  ///< folder that holds the Python package apertune_exporter
    std::filesystem::path python;    ///< interpreter with torch; empty when there is none
    std::filesystem::path torchRoot; ///< …/site-packages/torch; empty when there is none

    /// The site-packages folders that may hold the packages of other engines, in the order of the search.
    std::vector<std::filesystem::path> engines{};

    /// Finds the installation. It never runs Python. Each list is searched in its order:
    ///  - programs and LibTorch: the running program's prefix, APERTUNE_TORCH and APERTUNE_PYTHON, added engines
    ///    (added_engines.h), the set-up's environment under the user's cache folder, the python3 on the PATH;
    ///  - engines: APERTUNE_ENGINES (environments or site-packages folders, separated by ':'), added engines, the
    ///    set-up's environment, the folder of torch.
    static Installation locate();
};

/// Returns the torch package in a folder that a user named: the package itself, its lib folder, or a Python
/// environment that holds it. Empty when there is none.
std::filesystem::path torchPackageIn(const std::filesystem::path& folder);

/// Returns the CUPTI of CUDA 13 (libcupti.so.13) from the torch package, or else from a toolkit below `root`. Empty
/// when there is none; the dynamic loader may still find another.
std::filesystem::path cuptiLibrary(const std::filesystem::path& torchRoot, const std::filesystem::path& root = "/");

} // namespace apertune::worker
