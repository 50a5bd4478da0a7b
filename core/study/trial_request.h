// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/study/configuration_run.h"
#include "core/study/run_context.h"

#include <stop_token>
#include <vector>

namespace apertune::study {

/// What a worker has to open to run a trial of a stored study again; compiles the package when the trial needs one.
/// `phase` gets "compile".
/// Failures: unsupported (the device is not among the context's, nothing can be compiled), corrupt (a file of the model
/// is damaged), those of requireTrustedModel() and packages->get().
base::Result<ConfigurationRequest> requestOf(const RunContext& context, const model::Study& study,
                                             const model::Trial& trial, const PhaseSink& phase, std::stop_token stop);

/// A worker's failure as that of running a trial again: outOfMemory, crashed, timeout, modelThrew, invalidArgument,
/// unsupported, internal, or cancelled.
base::Error toError(const worker::WorkerError& failure);

} // namespace apertune::study
