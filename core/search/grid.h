// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/model/search_space.h"
#include "core/model/trial.h"

#include <string>
#include <vector>

namespace apertune::search {

/// One planned cell. When `impossible` is set it is listed, with the reason, and never run.
struct Cell
{
    std::string device;
    model::Config config;
    model::Reason impossible{};
};

/// What the backends reported they can do, by backend name.
struct BackendInfo
{
    std::string name;
    std::vector<std::string> switches;
    std::vector<std::string> precisions;
    std::vector<std::string> deviceIds;
    bool canCompile = false; ///< an AOTInductor compiler (Python environment and g++) is at hand
    std::string cannotCompileReason;
};

/// Expands a space over the given devices in the order in which cells should run: per device the O0 fp32
/// baseline first, then families by level and precision, batches ascending inside a family, compiled families last.
/// Duplicates (levels that expand to the same configuration) are kept once. Explicit switch axes are laid over
/// every level; levels stay as they are when an axis value equals the level's own.
///
/// A cell is impossible, with a reason, when the device lacks the precision (tf32 on a CPU or below 8.0; bf16/fp16
/// that the instruction set would emulate, unless space.emulated), the backend lacks a switch that is on or the
/// precision, the model has no dynamic batch and batch ≠ 1, aoti is on and the model has no exported program or
/// nothing can compile, or switches contradict each other (onednn_graph with optimize_for_inference, max_autotune
/// without aoti, cuda_graph off a GPU).
///
/// A space.batches of {kAutoBatch} yields 1,2,4,…,256 on a GPU and 1,2,4,…,16 on a CPU; the runner stops a family
/// early at its memory edge.
///
/// Failures: invalidArgument (unknown device, switch, empty axis, batch < 1), with the nearest valid name.
base::Result<std::vector<Cell>> planGrid(const model::SearchSpace& space, const std::vector<model::Device>& devices,
                                         const std::vector<BackendInfo>& backends, const model::ModelRef& model);

/// The levels, precisions, batches, devices and threads that an empty axis stands for, filled in.
base::Result<model::SearchSpace> withDefaults(const model::SearchSpace& space,
                                              const std::vector<model::Device>& devices);

} // namespace apertune::search
