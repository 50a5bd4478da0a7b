// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/device.h"
#include "core/model/trial.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace apertune::engine {

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

/// A device as its worker sees it: the launcher shows a worker one GPU only, so every GPU is "cuda:0" there.
std::string workerDeviceId(const model::Device& device);

/// Starts worker processes. `local` is the only launcher today; ssh and srun speak the same stdio protocol.
class Launcher
{
public:
    virtual ~Launcher() = default;
    virtual base::Result<base::ChildProcess> launch(const std::string& backend, const model::Device& device,
                                                    int threads) = 0;
};

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

/// How long a supervisor waits. Tests shorten these.
struct WorkerLimits
{
    base::Nanoseconds start = base::fromSeconds(120);  ///< exec to hello
    base::Nanoseconds silence = base::fromSeconds(30); ///< no sign of life
    base::Nanoseconds soft = base::fromSeconds(0.7);   ///< after quit, before SIGTERM
    base::Nanoseconds term = base::fromSeconds(0.8);   ///< after SIGTERM, before SIGKILL
};

/// One worker, spoken to by blocking calls from one thread. Whatever happens to the worker comes back as a
/// value: a Reason-carrying Error, never a hang. Liveness: no heartbeat for `silence` → killed, reason "hang";
/// a call longer than its `limit` → soft quit, SIGTERM, SIGKILL, reason "timeout".
class WorkerProcess
{
public:
    struct Failure
    {
        /// "oom", "crash", "hang", "timeout", "model_threw", "bad_input", "unsupported", "device_lost", "internal"
        model::Reason reason;
        bool workerGone = false;
        bool cancelled = false;
    };
    template <typename T>
    using Reply = std::variant<T, Failure>;

    /// Launches and waits for hello. `hello()["describe"]` tells what the backend can do.
    static Reply<std::unique_ptr<WorkerProcess>> start(Launcher& launcher, const std::string& backend,
                                                       const model::Device& device, int threads, std::stop_token stop,
                                                       const WorkerLimits& limits = {});
    /// Asks the worker to quit, then insists; at most soft + term of the limits.
    ~WorkerProcess();

    const base::Json& hello() const;
    /// What the worker found wrong with this machine's timers, one sentence; "" when nothing.
    std::string timerProblem() const;
    int pid() const;

    /// The time that a phase may take, by its name in `progress` messages; it replaces what was left of the limit.
    using PhaseLimits = std::map<std::string, base::Nanoseconds>;

    /// Sends a command and waits for its answer. `progress` gets the messages in between (heartbeats excluded).
    /// A stop request or a limit ends the worker: workerGone is true then.
    Reply<base::Json> call(base::Json command, base::Nanoseconds limit, std::stop_token stop,
                           const std::function<void(const base::Json&)>& progress = {}, const PhaseLimits& phases = {});

    /// False once the worker has ended, for whatever reason.
    bool alive() const;

    /// The last lines the worker wrote to stderr, at most 8 KiB.
    std::string logTail() const;

private:
    struct Impl;
    explicit WorkerProcess(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace apertune::engine
