// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/study/configuration_run.h"
#include "core/study/run_context.h"

#include <stop_token>
#include <vector>

namespace apertune::study {

/// The request with which a worker runs a trial of a stored study again. Compiles or converts when the trial needs a
/// file that is not in the cache; `phase` gets "compile". Blocks the calling thread.
/// Failures: unsupported (the context lacks the device, or nothing can be compiled), those of models::requireUsable()
/// and of PackageSource::get().
base::Result<ConfigurationRequest> requestOf(const RunContext& context, const model::Study& study,
                                             const model::Trial& trial, const PhaseSink& phase, std::stop_token stop);

/// Turns a worker's failure into an error of running a trial again: outOfMemory, crashed, timeout, modelThrew,
/// invalidArgument, unsupported, internal or cancelled.
base::Error toError(const worker::WorkerError& failure);

} // namespace apertune::study
