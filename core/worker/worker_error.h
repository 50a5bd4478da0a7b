// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/reason.h"

#include <string>

namespace apertune::worker {

/// Why a worker gave no answer.
struct WorkerError
{
    model::Reason reason;
    bool workerGone = false; ///< the process has ended; another one is needed
    bool cancelled = false;

    /// The reason in English, for errors and logs.
    std::string sentence() const;
};

template <typename T>
using WorkerReply = base::Result<T, WorkerError>;

using WorkerStatus = WorkerReply<void>;

} // namespace apertune::worker
