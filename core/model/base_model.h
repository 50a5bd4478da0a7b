// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_ref.h"

#include <filesystem>

namespace apertune::model {

/// Returns the artifact folder of the base model, which computes the same in another way, for example the whole network
/// of a tiled one ("base" in FORMAT.md). Its outputs are the reference of quality. Empty when the model is its own
/// reference.
std::filesystem::path baseArtifact(const ModelRef& model);

} // namespace apertune::model
