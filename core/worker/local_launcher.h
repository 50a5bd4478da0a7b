// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/worker/installation.h"
#include "core/worker/launcher.h"

#include <memory>
#include <string>

namespace apertune::worker {

/// Returns one logical processor of each physical core that this process may use, as "0,2,4". Empty when each of the
/// processors is on a core of its own.
std::string oneCpuPerCore();

/// Returns the folders of a search path that hold NVIDIA's driver (libcuda.so.1, libnvidia-ml.so.1), in their order.
std::string driverFolders(const std::string& searchPath);

/// Returns a launcher for workers on this machine. It chooses the device before exec, by the environment:
///  - CUDA_VISIBLE_DEVICES is the GPU's UUID, or empty for the CPU.
///  - OMP_NUM_THREADS and MKL_NUM_THREADS are the number of threads; without one, both are removed.
///  - OMP_WAIT_POLICY is "passive" where the request asks for passive waits. Otherwise the user's setting stays.
///  - CUDA_LAUNCH_BLOCKING and PYTORCH_NO_CUDA_MEMORY_CACHING are removed. TORCH_SHOW_CPP_STACKTRACES is 0.
///  - LD_LIBRARY_PATH keeps only the driver's folders. TMPDIR is a folder of the worker's own.
///
/// It starts them in the sandbox, with the profile of workerProfile().
///
/// On a CPU with two threads a core, a worker that needs no more threads than there are cores gets one logical
/// processor of each core. A GPU's worker gets the processors of its NUMA node (model::Device::processors): from others
/// each launch crosses the link between the nodes. A worker dies with the thread that launched it (base::ChildProcess).
std::unique_ptr<Launcher> makeLocalLauncher(Installation installation);

} // namespace apertune::worker
