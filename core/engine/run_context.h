// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/launcher.h"
#include "core/engine/run_limits.h"
#include "core/model/device.h"

#include <vector>

namespace apertune::engine {

class PackageSource;

/// What the runs of a study's trials work with: its sweep, and traces, loads, pipelines and measurements of stored
/// trials. What it refers to outlives the run.
struct RunContext
{
    Launcher& launcher;
    PackageSource* packages = nullptr; ///< null: trials that open a compiled package or a converted model are refused
    const std::vector<model::Device>& devices;
    RunLimits limits{};
};

} // namespace apertune::engine
