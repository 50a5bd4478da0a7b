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

/// What the runs of a study's trials work with: its sweep, and traces, loads, pipelines and measurements of stored
/// trials. What it refers to outlives the run.
struct RunContext
{
    worker::Launcher& launcher;
    models::PackageSource* packages =
        nullptr; ///< null: trials that open a compiled package or a converted model are refused
    const std::vector<model::Device>& devices;
    worker::RunLimits limits{};
};

} // namespace apertune::study
