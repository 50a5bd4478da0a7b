// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_ref.h"

#include <filesystem>

namespace apertune::model {

/// The artifact folder of the model that this one computes in another way, such as the whole network of a tiled one
/// ("base" in FORMAT.md). Its outputs are what quality is judged by. Empty: the model is judged by itself.
std::filesystem::path baseArtifact(const ModelRef& model);

} // namespace apertune::model
