// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

namespace apertune::models {

/// Checks that the files of a model are there, that they are undamaged and those whose content hash the workspace
/// states, and that their code may run. Failures: notFound, those of requireUndamaged(), requireContentHash() and
/// requireTrustedModel().
/// REQUIRES: it is called before a model is opened for a worker or the exporter.
base::Status requireUsable(const model::ModelRef& model);

} // namespace apertune::models
