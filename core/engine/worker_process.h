// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/device.h"
#include "core/model/trial.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <variant>

namespace apertune::engine {

/// Where the programs and libraries of this installation are, and how to run the LibTorch environment.
struct Installation
{
    std::filesystem::path worker;    ///< apertune-worker
    std::filesystem::path plugins;   ///< folder of backend libraries
    std::filesystem::path exporter;  ///< folder that holds the Python package apertune_exporter
    std::filesystem::path python;    ///< interpreter with torch; empty when there is none
    std::filesystem::path torchRoot; ///< …/site-packages/torch; empty when there is none

    /// Found from the running program's prefix, APERTUNE_TORCH / APERTUNE_PYTHON, the set-up's environment under
    /// the user's cache folder, and the python3 on the PATH, in that order. Never runs Python.
    static Installation locate();
};

/// Starts worker processes. `local` is the only launcher today; ssh and srun speak the same stdio protocol.
class Launcher
{
public:
    virtual ~Launcher() = default;
    virtual base::Result<base::ChildProcess> launch(const std::string& backend, const model::Device& device,
                                                    int threads) = 0;
};

/// posix_spawn on this machine with the device chosen before exec: CUDA_VISIBLE_DEVICES=<uuid> (empty for the CPU),
/// OMP_NUM_THREADS, MKL_NUM_THREADS, LD_LIBRARY_PATH, CUDA_LAUNCH_BLOCKING and PYTORCH_NO_CUDA_MEMORY_CACHING removed,
/// TORCH_SHOW_CPP_STACKTRACES=0.
std::unique_ptr<Launcher> makeLocalLauncher(Installation installation);

/// One worker, spoken to by blocking calls from one thread. Whatever happens to the worker comes back as a
/// value: a Reason-carrying Error, never a hang. Liveness: no heartbeat for `silence` → killed, reason "hang";
/// a call longer than its `limit` → soft quit, SIGTERM, SIGKILL, reason "timeout".
class WorkerProcess
{
public:
    struct Failure
    {
        model::Reason
            reason; ///< "oom", "crash", "hang", "timeout", "model_threw", "bad_input", "unsupported", "internal"
        bool workerGone = false;
        bool cancelled = false;
    };
    template <typename T>
    using Reply = std::variant<T, Failure>;

    /// Launches and waits for hello. `hello()["describe"]` tells what the backend can do.
    static Reply<std::unique_ptr<WorkerProcess>> start(Launcher& launcher, const std::string& backend,
                                                       const model::Device& device, int threads, std::stop_token stop);
    ~WorkerProcess();

    const base::Json& hello() const;
    int pid() const;

    /// Sends a command and waits for its answer. `progress` gets the messages in between (heartbeats excluded).
    Reply<base::Json> call(base::Json command, base::Nanoseconds limit, std::stop_token stop,
                           const std::function<void(const base::Json&)>& progress = {});

    /// The last lines the worker wrote to stderr.
    std::string logTail() const;

private:
    struct Impl;
    explicit WorkerProcess(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace apertune::engine
