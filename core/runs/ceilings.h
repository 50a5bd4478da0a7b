// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/base/result.h"
#include "core/model/ceilings.h"
#include "core/model/precision.h"
#include "core/store/store.h"
#include "core/worker/launcher.h"

#include <stop_token>
#include <string>

namespace apertune::runs {

/// Measures the ceilings of a device: the highest rates that it reaches in practice. The backend measures large matrix
/// products in fp32 and in tf32, bf16 and fp16 where the hardware has them, and large copies, on a GPU also copies to
/// it. It runs in a fresh worker, on all cores of a CPU, for at most about `most`; blocks the calling thread.
/// Failures: unsupported (the backend cannot measure ceilings), cancelled, internal (any other failure of the worker,
/// or an answer without a usable rate).
base::Result<model::DeviceCeilings> measureCeilings(worker::Launcher& launcher, const std::string& backend,
                                                    const model::Device& device, std::stop_token stop,
                                                    base::Nanoseconds most = base::fromSeconds(20));

/// The ceilings for a trial in `precision`, as the rules of advice and the roofline use them. An emulated bf16 or fp16
/// gets the rate of fp32, and `source` says so. Rates that were not measured are 0.
analysis::Ceilings ceilingsFor(const model::DeviceCeilings& measured, model::Precision precision);

/// The same from the ceilings that the workspace keeps of the device; all 0 when it keeps none. Failures: those of the
/// store.
base::Result<analysis::Ceilings> keptCeilings(const store::Store& store, const model::Device& device,
                                              model::Precision precision);

} // namespace apertune::runs
