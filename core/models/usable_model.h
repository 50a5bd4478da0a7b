// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

namespace apertune::models {

/// Checks that a model is undamaged, that it is the one whose content hash the workspace states, and that its code may
/// run (requireTrustedModel()).
/// REQUIRES: it is called before a model is opened for a worker or the exporter.
base::Status requireUsable(const model::ModelRef& model);

} // namespace apertune::models
