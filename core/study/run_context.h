// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/worker/launcher.h"
#include "core/worker/run_limits.h"

#include <vector>

namespace apertune::models {
class PackageSource;
}

namespace apertune::study {

/// Common parameters of everything that runs trials: sweeps, traces, load runs, pipelines and remeasurements.
/// The referenced objects must outlive the run.
struct RunContext
{
    worker::Launcher& launcher;
    /// Source of compiled packages and converted models; without it (null) trials that need one are refused.
    models::PackageSource* packages = nullptr;
    const std::vector<model::Device>& devices;
    worker::RunLimits limits{};
};

} // namespace apertune::study
