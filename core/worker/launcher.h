// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/model/device.h"

#include <string>

namespace apertune::worker {

/// Returns a device's id inside its worker. A worker sees one NVIDIA GPU only, so each of them is "cuda:0" there. Other
/// devices keep their ids.
std::string workerDeviceId(const model::Device& device);

/// Starts worker processes. The local launcher is the only one today. The protocol over stdin and stdout also suits ssh
/// and srun.
class Launcher
{
public:
    virtual ~Launcher() = default;
    /// Starts a worker for one backend and one device. `threads` is the number of CPU threads; 0 leaves it to the
    /// engine. Failures: the process cannot be started.
    virtual base::Result<base::ChildProcess> launch(const std::string& backend, const model::Device& device,
                                                    int threads) = 0;
};

} // namespace apertune::worker
