// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/reason.h"

#include <string>

namespace apertune::worker {

/// The failure of a call to a worker.
struct WorkerError
{
    model::Reason reason;
    bool workerGone = false; ///< the process has ended, so a new worker is needed
    bool cancelled = false;  ///< a stop was requested

    /// The reason in English, for errors and logs.
    std::string sentence() const;
};

template <typename T>
using WorkerReply = base::Result<T, WorkerError>;

using WorkerStatus = WorkerReply<void>;

} // namespace apertune::worker
