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
    std::string backend;               ///< name of the backend, never a path: "libtorch"
    std::filesystem::path plugins;     ///< folder of backend libraries
    std::filesystem::path torchRoot{}; ///< …/site-packages/torch; only the libtorch backend needs it
    std::string device;                ///< "cpu", "cuda:0"; empty: the backend is only asked for its description
    std::vector<std::filesystem::path> preload{}; ///< libraries of the vendor for other backends, loaded in this order
};

/// Refuses a LibTorch whose libraries do not fit the backend: other functions, or another CUDA's (12.8 loads, and then
/// reads properties of GPUs at the wrong places).
///
/// * It reads `torchRoot`/version.py. A file that is not there, or says nothing, is no reason to refuse.
/// * `version` and `cuda` are those that the backend was built with, "2.11.0" and "13.0"; empty: any will do.
///
/// Failures: unsupported.
base::Status checkTorch(const std::filesystem::path& torchRoot, const std::string& version, const std::string& cuda);

/// Loads PLUGINS/BACKEND.so and checks that it has this worker's ABI. The libtorch backend has no run path, so LibTorch
/// is loaded first, by absolute path and with global symbols. Its CUDA half is loaded when the device or the plugin
/// needs it. Libraries of other engines (`preload`) are loaded in the same way.
///
/// Failures: notFound (no such backend, no LibTorch), unsupported (another ABI, another LibTorch), internal (the
/// library does not load).
base::Result<const apertune_plugin*> loadPlugin(const LoadRequest& request);

} // namespace apertune::worker
