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

/// One planned configuration. When `impossible` is set it is listed, with the reason, and never run.
struct PlannedConfiguration
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
    std::vector<std::string> precisions; ///< on any of its devices
    std::vector<std::string> deviceIds;  ///< the devices that it can open
    bool canCompile = false;             ///< an AOTInductor compiler (Python environment and g++) is at hand
    std::string cannotCompileReason;
    std::string version{};            ///< "2.11.0"
    std::vector<std::string> notes{}; ///< what the backend says about this machine: "CUDA is unavailable: no driver"
    /// Each level that the backend has, as all its switches. Empty: the levels of model::expandLevel().
    std::map<model::OptLevel, model::SwitchMap> levels{};
    std::map<std::string, std::string> summaries{};                 ///< of switches that are the backend's own
    std::map<std::string, std::vector<std::string>> precisionsOn{}; ///< by device, where the backend names them
    std::vector<std::string> formats{}; ///< the model files that it opens, best first; empty: unknown
    std::string cannotConvertReason{};  ///< why no model can be written in its formats; empty: one can
    bool forTests = false;              ///< scripted: runs when it is named, and is not shown to people otherwise

    const std::vector<std::string>& precisionsFor(const std::string& device) const
    {
        const auto own = precisionsOn.find(device);
        return own == precisionsOn.end() ? precisions : own->second;
    }
};

/// Expands a space over the given devices in the order in which configurations should run: device after device; on each
/// the O0 fp32 baseline group first, then the other groups, compiled ones last, by level, by how many switches differ
/// from the level, and by precision; batches ascend inside a group. A group's configurations stand together because one
/// worker measures them; spreading a budget over groups is the runner's part (study_runner.h).
/// Duplicates (levels that expand to the same configuration) are kept once, under the level that needs the fewest
/// explicit switches. Explicit switch axes are laid over every level; levels stay as they are when an axis value
/// equals the level's own. A backend that has levels of its own gets no configurations at the levels and precisions it
/// lacks and passes over axes of switches it lacks; so does every backend for a switch that is another's own. The
/// switch tf32 and the precisions fp32 and tf32 are one axis: setting it alone moves an fp32 configuration to tf32 and
/// back. A switch that a device does not have is left out where it is off.
///
/// A configuration is impossible, with a reason (kind "impossible"), when the backend cannot run or does not see the
/// device, the device lacks the precision (tf32 on a CPU or below 8.0; bf16/fp16 that the instruction set would
/// emulate, unless space.emulated), the backend lacks a switch that is on or the precision, the model has no dynamic
/// batch and batch ≠ 1, int8 of a backend that makes it by compiling (TorchScript and the common levels) without aoti,
/// on a GPU, or on a CPU without VNNI and AMX unless space.emulated, aoti is on and the model has no exported program
/// or nothing can compile, or switches contradict each other, the model has no file that the backend opens and none can
/// be made of those it has (onednn_graph with optimize_for_inference, either of them or jit_optimize with aoti, which
/// replaces the graph they work on, max_autotune or aoti_dynamic_batch without aoti, tf32 with a 16-bit precision,
/// cuda_graph off a GPU).
///
/// A space.batches of {kAutoBatch} yields what batchLadder() gives for the device's memory, or `mostMemory` where that
/// is less; the runner ends a group at its memory edge or where throughput no longer grows. A model without dynamic
/// batch gets batch 1 alone unless batches are named.
///
/// Failures: invalidArgument (unknown backend, device or switch, with the nearest valid name; an axis or switch
/// without values, batch or threads < 1, kAutoBatch beside others, more than kMaxConfigurations configurations; no
/// backend has any of the levels and precisions), notFound (no devices).
base::Result<std::vector<PlannedConfiguration>> planGrid(const model::SearchSpace& space,
                                                         const std::vector<model::Device>& devices,
                                                         const std::vector<BackendInfo>& backends,
                                                         const model::ModelRef& model,
                                                         std::optional<base::Bytes> mostMemory = {});

/// A space with more configurations is a slip: even at a second each it would run for hours.
inline constexpr std::size_t kMaxConfigurations = 20'000;

/// The levels, batches, devices and threads that an empty axis stands for, filled in; duplicates dropped, levels and
/// batches ascending, device groups resolved ("all"; "cuda": every NVIDIA GPU). Without devices: one NVIDIA GPU of
/// each model where there are some, else the CPU. An empty precision axis stays empty, because it differs by level and
/// device: see precisionsOf(). Applying it twice changes nothing more. Failures: as planGrid.
base::Result<model::SearchSpace> withDefaults(const model::SearchSpace& space,
                                              const std::vector<model::Device>& devices);

/// The backends that a space means when none are named: "all", or LibTorch alone when its levels or its switches are
/// named and no switch of another backend is, because levels and switches are each backend's own.
std::vector<std::string> defaultBackends(const model::SearchSpace& space);

/// The precisions that a space gives a level on a device, ascending: its own list, or when that is empty fp32 and
/// the level's default.
std::vector<model::Precision> precisionsOf(const model::SearchSpace& space, model::OptLevel level,
                                           const model::Device& device);

/// The device that references of configurations on `device` are computed on: itself, where a backend that has the
/// common levels opens it; else the CPU, where one opens that; else itself. Null: `device`.
const model::Device* referenceDevice(const model::Device& device, const std::vector<model::Device>& devices,
                                     const std::vector<BackendInfo>& backends);

/// The configuration whose outputs the configurations of `config` are compared with, at the same batch and threads: O0
/// fp32 of a backend that has the common levels, because that runs the model as its author's framework does: the
/// backend of `config` itself, or for an engine with levels of its own the first that can run the model. Where there is
/// none, the engine's own lowest level at fp32.
model::Config referenceConfig(const model::Config& config, const model::Device& device,
                              const std::vector<BackendInfo>& backends, const model::ModelRef& model);

} // namespace apertune::search
