// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/analysis/roofline.h"
#include "core/base/result.h"
#include "core/model/ceilings.h"
#include "core/model/precision.h"
#include "core/store/store.h"
#include "core/worker/launcher.h"

#include <stop_token>
#include <string>

namespace apertune::runs {

/// Measures what `device` really reaches, by the backend, in a worker of its own: the rate of large matrix products in
/// every precision that the device has in hardware, and of large copies; on a GPU also of copies to it. Takes seconds,
/// at most about `most`. All cores of a CPU take part.
/// Failures: unsupported (the backend measures no such thing), those of a worker, cancelled.
base::Result<model::DeviceCeilings> measureCeilings(worker::Launcher& launcher, const std::string& backend,
                                                    const model::Device& device, std::stop_token stop,
                                                    base::Nanoseconds most = base::fromSeconds(20));

/// What the rules and the roofline take, of a trial in `precision`. A precision that the device only emulates has the
/// ceiling of fp32; the source says so. Incomplete when what is needed was not measured.
analysis::Ceilings ceilingsFor(const model::DeviceCeilings& measured, model::Precision precision);

/// The same from what the workspace keeps of the device; all 0 when nothing is kept. Failures: those of the store.
base::Result<analysis::Ceilings> keptCeilings(const store::Store& store, const model::Device& device,
                                              model::Precision precision);

/// What the rules may know of a stored trace besides its events: the trial that was traced, its model, its device and
/// what that was measured to reach. An imported trace has no trial; less is then said, as where the store refuses.
advice::Context contextOf(const store::Store& store, const store::TraceSummary& trace);

} // namespace apertune::runs
