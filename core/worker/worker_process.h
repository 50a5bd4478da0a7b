// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/message.h"
#include "core/base/units.h"
#include "core/model/device.h"
#include "core/model/trial.h"
#include "core/worker/launcher.h"
#include "core/worker/run_limits.h"
#include "core/worker/worker_error.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::worker {

/// One worker process. Calls block. Whatever happens to the worker comes back as a WorkerError, never as a hang:
///   - A worker that sends nothing for WorkerLimits::silence is killed (reason "hang").
///   - A call that exceeds its limit ends the worker: quit, SIGTERM, SIGKILL (reason "timeout").
///   - A worker that dies yields the reason of worker_death.h, with its last output as the detail.
/// Threads: one.
class WorkerProcess
{
public:
    /// Launches a worker and waits for its hello; `hello()["describe"]` has the backend's capabilities.
    /// Failures: those above, unsupported (the backend's library is missing), internal (it cannot be launched, or has
    /// another version of the protocol), cancelled.
    static WorkerReply<std::unique_ptr<WorkerProcess>> start(Launcher& launcher, const LaunchRequest& request,
                                                             std::stop_token stop, const WorkerLimits& limits = {});
    /// Asks the worker to quit, then sends SIGTERM and SIGKILL after WorkerLimits::soft and term.
    ~WorkerProcess();

    const base::Json& hello() const;
    /// The problem that the worker found with this machine's timers, as one sentence; empty when there is none.
    base::Message timerProblem() const;
    int pid() const;
    /// The layers of the sandbox that hold the worker (LaunchedWorker::sandbox).
    const std::optional<std::vector<std::string>>& sandbox() const;

    /// Time limits by phase, as named in `progress` messages. When a phase with a limit begins, its limit replaces the
    /// rest of the current one.
    using PhaseLimits = std::map<std::string, base::Nanoseconds>;

    /// Sends a command and waits for its answer. `progress` gets the messages of type "progress" in between.
    /// Failures: the worker's answer "error"; those of the class; cancelled. A stop request or a limit ends the worker,
    /// and workerGone is true then.
    WorkerReply<base::Json> call(base::Json command, base::Nanoseconds limit, std::stop_token stop,
                                 const std::function<void(const base::Json&)>& progress = {},
                                 const PhaseLimits& phases = {});

    /// Whether the worker process still runs.
    bool alive() const;

private:
    struct Impl;
    explicit WorkerProcess(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace apertune::worker
