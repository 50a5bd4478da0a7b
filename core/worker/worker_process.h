// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/units.h"
#include "core/model/device.h"
#include "core/model/trial.h"
#include "core/worker/launcher.h"
#include "core/worker/run_limits.h"
#include "core/worker/worker_error.h"

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

namespace apertune::worker {

/// One worker, spoken to by blocking calls from one thread. Whatever happens to the worker comes back as a
/// value: a WorkerError, never a hang. Liveness: no heartbeat for `silence` → killed, reason "hang";
/// a call longer than its `limit` → soft quit, SIGTERM, SIGKILL, reason "timeout".
class WorkerProcess
{
public:
    /// Launches and waits for hello. `hello()["describe"]` tells what the backend can do.
    static WorkerReply<std::unique_ptr<WorkerProcess>> start(Launcher& launcher, const std::string& backend,
                                                             const model::Device& device, int threads,
                                                             std::stop_token stop, const WorkerLimits& limits = {});
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
    WorkerReply<base::Json> call(base::Json command, base::Nanoseconds limit, std::stop_token stop,
                                 const std::function<void(const base::Json&)>& progress = {},
                                 const PhaseLimits& phases = {});

    /// False once the worker has ended, for whatever reason.
    bool alive() const;

    /// The last lines the worker wrote to stderr, at most 8 KiB.
    std::string logTail() const;

private:
    struct Impl;
    explicit WorkerProcess(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace apertune::worker
