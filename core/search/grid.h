// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/model/search_space.h"
#include "core/model/trial.h"
#include "core/search/backend_info.h"

#include <string>
#include <vector>

namespace apertune::search {

/// One planned configuration. When `impossible` is set, it is listed with that reason and never run.
struct PlannedConfiguration
{
    std::string device;
    model::Config config;
    model::Reason impossible{};
};

/// Returns the trial of a planned configuration. An impossible one is pruned with its reason, so that tables have it.
model::Trial plannedTrial(const PlannedConfiguration& configuration);

/// Expands a search space into the grid of configurations on the given devices, in the order in which they should run.
///
/// Order: device after device. On each device the O0 fp32 baseline group comes first and compiled groups come last;
/// the groups between follow by level, number of switches that differ from the level, and precision. Batches ascend
/// inside a group. A group's configurations stand together because they share one worker; the study runner spreads the
/// budget over groups (study_runner.h).
///
/// Rules of expansion:
///   - Levels that expand to the same configuration yield it once, under the level that needs the fewest explicit
///     switches.
///   - Every explicit switch axis applies to every level.
///   - A backend with levels of its own yields no configuration at a level or precision that it lacks.
///   - A switch axis does not apply to a backend that lacks the switch, except that switches of the catalogue
///     (model/switches.h) apply to every backend with the common levels.
///   - The switch tf32 and the precisions fp32 and tf32 are one axis: on turns fp32 into tf32, off turns it back.
///   - A switch that the device does not have is left out where it is off.
///   - An int8 configuration of a backend that quantizes model files is repeated with 0, 1, 2 … layers of
///     space.sensitive in float.
///   - {kAutoBatch} yields automaticBatches() for memoryLimit(device, mostMemory, space.memoryShare).
///   - A model without dynamic batch gets batch 1, unless the space names batches.
///
/// A configuration is impossible (reason kind "impossible") when
///   - the backend cannot run here, or does not see the device;
///   - the backend opens no file of the model, and none can be converted;
///   - the device lacks the precision: tf32 needs a GPU of 8.0, fp8 one of 8.9; bf16 and fp16 need native instructions
///     (space.emulated lifts the latter);
///   - the backend lacks the precision or a switch that is on, or the device lacks that switch;
///   - switches contradict each other (model::switchConflict()), or tf32 is on at another precision;
///   - a backend that quantizes by compiling (TorchScript and the common levels) gets int8 or fp8 without aoti, int8 on
///     a GPU, or int8 on a CPU without VNNI and AMX (space.emulated lifts the last);
///   - the model keeps state, and the configuration does not run TorchScript;
///   - the model draws random numbers, and the configuration does not run TorchScript in fp32 or tf32;
///   - the batch is not 1 and the model has no dynamic batch;
///   - aoti is on and the model has no exported program, or nothing can compile.
///
/// Failures:
///   invalidArgument  an unknown backend, device or switch (the hint has the nearest name); a switch without values;
///                    a batch or thread count below 1; kAutoBatch beside other batches; more than kMaxConfigurations;
///                    no backend has any of the levels and precisions
///   notFound         no devices
base::Result<std::vector<PlannedConfiguration>> planGrid(const model::SearchSpace& space,
                                                         const std::vector<model::Device>& devices,
                                                         const std::vector<BackendInfo>& backends,
                                                         const model::ModelRef& model,
                                                         std::optional<base::Bytes> mostMemory = {});

/// Largest grid that planGrid() accepts. A larger one is a mistake: at one second each it would run for hours.
inline constexpr std::size_t kMaxConfigurations = 20'000;

/// The device that computes the reference outputs for configurations on `device`, an element of `devices`. It is the
/// CPU when a backend with the common levels opens the CPU but none opens `device`. Null stands for `device` itself.
const model::Device* referenceDevice(const model::Device& device, const std::vector<model::Device>& devices,
                                     const std::vector<BackendInfo>& backends);

/// The configuration whose outputs are the reference for `config`, at the same batch and threads. It is O0 fp32 of a
/// backend with the common levels, because that runs the model as PyTorch does:
///   - the backend of `config` itself, if it has the common levels;
///   - else the first backend with the common levels that can run the model on `device`;
///   - else the lowest level of the engine itself, at fp32.
model::Config referenceConfig(const model::Config& config, const model::Device& device,
                              const std::vector<BackendInfo>& backends, const model::ModelRef& model);

} // namespace apertune::search
