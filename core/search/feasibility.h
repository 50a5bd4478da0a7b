// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/grid.h"

namespace apertune::search {

/// Why a configuration cannot run, or an empty reason. The first hindrance in the order backend, device, precision,
/// switches, model, compiler is told. Private to this folder; the rules stand at planGrid().
model::Reason whyImpossible(const model::Config& config, const model::Device& device, const BackendInfo& backend,
                            const model::ModelRef& model, bool emulated);

/// Whether a backend runs the model as its author's framework does, not as a file made for it.
bool opensTorchScript(const BackendInfo& backend);

} // namespace apertune::search
