// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/model/trial.h"
#include "core/search/backend_info.h"

namespace apertune::search {

/// Reason why a configuration cannot run, or an empty reason. Only the first obstacle is reported, in the order
/// backend and device, model format, precision, switches, state and randomness of the model, batch and compiler.
/// planGrid() lists the rules. `emulated` admits precisions that the CPU only emulates. Private to this folder.
model::Reason whyImpossible(const model::Config& config, const model::Device& device, const BackendInfo& backend,
                            const model::ModelRef& model, bool emulated);

/// Whether the backend loads TorchScript, so that it runs the model as PyTorch does and not a converted file.
bool opensTorchScript(const BackendInfo& backend);

} // namespace apertune::search
