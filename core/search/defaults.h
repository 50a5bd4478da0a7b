// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/device.h"
#include "core/model/search_space.h"

#include <string>
#include <vector>

namespace apertune::search {

/// The space with its empty axes filled in, duplicates dropped, and levels, precisions, batches and threads ascending.
///   - Device groups are resolved: "all" is every device, "cuda" every NVIDIA GPU.
///   - An empty device axis is one NVIDIA GPU of each model, or the CPU where there is none.
///   - An empty precision axis stays empty, because it differs by level and device: see precisionsOf().
/// Applying it twice changes nothing more. Failures: those of planGrid() (grid.h) about devices, batches and threads.
base::Result<model::SearchSpace> withDefaults(const model::SearchSpace& space,
                                              const std::vector<model::Device>& devices);

/// The backends of a space that names none: LibTorch alone when the space names levels or switches and every switch is
/// one of the catalogue (model/switches.h), because levels and switches belong to each backend; else the default of
/// SearchSpace.
std::vector<std::string> defaultBackends(const model::SearchSpace& space);

/// The precisions that a space has for a level on a device, ascending: its own list, or fp32 and the level's default
/// when that list is empty.
std::vector<model::Precision> precisionsOf(const model::SearchSpace& space, model::OptLevel level,
                                           const model::Device& device);

} // namespace apertune::search
