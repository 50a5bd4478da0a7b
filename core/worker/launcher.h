// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/base/temporary_dir.h"
#include "core/model/device.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::worker {

/// Returns a device's id inside its worker. A worker sees one NVIDIA GPU only, so each of them is "cuda:0" there. Other
/// devices keep their ids.
std::string workerDeviceId(const model::Device& device);

/// A worker to start, and the files that it will be told to open. It can open no others (core/sandbox).
struct LaunchRequest
{
    std::string backend;
    model::Device device;
    int threads = 0;                             ///< number of CPU threads; 0 leaves it to the engine
    std::vector<std::filesystem::path> reads{};  ///< the model's folder and other files or folders
    std::vector<std::filesystem::path> writes{}; ///< folders for results
    bool unpacks = false;                        ///< it opens compiled packages, which unpack themselves below /tmp
    bool passiveWaits = false;                   ///< threads that wait for work sleep (model::kWaitPolicy)
};

/// A worker that was started.
struct LaunchedWorker
{
    base::ChildProcess process;
    std::optional<std::vector<std::string>> sandbox{}; ///< names of the layers that hold it; nullopt: unknown
    /// Folder for temporary files of the worker, which is removed after it.
    std::optional<base::TemporaryDir> scratch{};
};

/// Starts worker processes. The local launcher is the only one today. The protocol over stdin and stdout also suits ssh
/// and srun.
class Launcher
{
public:
    virtual ~Launcher() = default;
    /// Starts a worker for one backend and one device. Failures: the process cannot be started.
    virtual base::Result<LaunchedWorker> launch(const LaunchRequest& request) = 0;
};

} // namespace apertune::worker
