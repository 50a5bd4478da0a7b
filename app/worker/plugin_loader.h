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

/// The LibTorch that a library of the libtorch backend was built with.
struct TorchBuild
{
    std::string version; ///< "2.11.0"; empty: any will do
    std::string cuda;    ///< "13.0"; empty: any will do
};

/// Returns the library of the libtorch backend that fits the LibTorch of the request. One that does not fit calls other
/// functions, or reads the properties of GPUs at the wrong places (a backend of CUDA 13 with a LibTorch of CUDA 12).
///
/// 1. PLUGINS/libtorch.so, where the LibTorch has the release (2.11) and the major version of CUDA (13) of `own`.
/// 2. PLUGINS/libtorch/RELEASE-cuN.so or RELEASE-cpu.so, built with that release and with CUDA N or without CUDA.
/// 3. PLUGINS/libtorch/RELEASE-cpu.so, unless the request is for a GPU: on a CPU, the CUDA of a LibTorch does not
///    matter.
///
/// The LibTorch is known by TORCHROOT/version.py. Where that is not there, or says nothing, it is the first one.
/// Failures: unsupported.
base::Result<std::filesystem::path> libtorchPlugin(const LoadRequest& request, const TorchBuild& own);

/// Loads PLUGINS/BACKEND.so, or libtorchPlugin(), and checks that it has this worker's ABI. The libtorch backend has no
/// run path, so LibTorch is loaded first, by absolute path and with global symbols. Its CUDA half is loaded when the
/// device or the plugin needs it. Libraries of other engines (`preload`) are loaded in the same way.
///
/// Failures: notFound (no such backend, no LibTorch), unsupported (another ABI, another LibTorch), internal (the
/// library does not load).
base::Result<const apertune_plugin*> loadPlugin(const LoadRequest& request);

} // namespace apertune::worker
