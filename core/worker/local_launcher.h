// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/worker/installation.h"
#include "core/worker/launcher.h"

#include <memory>
#include <string>

namespace apertune::worker {

/// One logical processor of each physical core that this process may use, as "0,2,4"; empty when every one of them is
/// a core of its own.
std::string oneCpuPerCore();

/// The folders of a search path in which NVIDIA's driver lies (libcuda.so.1, libnvidia-ml.so.1), in their order.
std::string driverFolders(const std::string& searchPath);

/// Starts workers on this machine with the device chosen before exec: CUDA_VISIBLE_DEVICES=<uuid> (empty for the CPU),
/// OMP_NUM_THREADS, MKL_NUM_THREADS, CUDA_LAUNCH_BLOCKING and PYTORCH_NO_CUDA_MEMORY_CACHING removed, of
/// LD_LIBRARY_PATH only the driver's folders kept, TORCH_SHOW_CPP_STACKTRACES=0. On a CPU with two threads a core, a
/// worker that needs no more threads than there are cores gets one logical processor of each. A worker dies with the
/// thread that launched it (base::ChildProcess).
std::unique_ptr<Launcher> makeLocalLauncher(Installation installation);

} // namespace apertune::worker
