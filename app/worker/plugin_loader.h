// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "plugins/api/apertune_plugin.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::worker {

struct LoadRequest
{
    std::string backend;                          ///< "libtorch": a name, never a path
    std::filesystem::path plugins;                ///< folder of backend libraries
    std::filesystem::path torchRoot{};            ///< …/site-packages/torch; only the libtorch backend needs it
    std::string device;                           ///< "cpu", "cuda:0", or empty: only to be described
    std::vector<std::filesystem::path> preload{}; ///< the vendor's libraries of other backends, in this order
};

/// Loads PLUGINS/BACKEND.so and checks that it speaks this worker's ABI. The libtorch backend has no run path: LibTorch
/// is loaded first, by absolute path and with global symbols, its CUDA half when the device or the plugin needs it.
/// Other engines' libraries (`preload`) are loaded likewise. Failures: notFound (no such backend, no LibTorch),
/// unsupported (another ABI), internal (it does not load).
base::Result<const apertune_plugin*> loadPlugin(const LoadRequest& request);

} // namespace apertune::worker
