// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/model_ref.h"

#include <filesystem>
#include <string>

namespace apertune::models {

// Where an imported model came from. Private to this folder.

/// Returns whether the model was imported from that source with those weights (empty: the source's own).
bool hasOrigin(const model::ModelRef& model, const std::string& source, const std::filesystem::path& weights);

/// The command that imports a model again under its name, as a hint; with the weights file of its own, if it had one.
base::Message importByCommand(const model::ModelRef& model, bool otherWeights);

} // namespace apertune::models
