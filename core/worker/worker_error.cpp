// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/worker_error.h"

#include "core/sentences/sentences.h"

namespace apertune::worker {

std::string WorkerError::sentence() const
{
    return sentences::sentence(reason.message);
}

} // namespace apertune::worker
