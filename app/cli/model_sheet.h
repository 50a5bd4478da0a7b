// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/study.h"
#include "core/store/store.h"

#include <string>

namespace apertune::cli {

/// "25.6 M"
std::string countText(std::int64_t count);
/// Multiply-accumulates of a sample; "–" if they are unknown.
std::string macsText(const model::ModelRef& model);
/// Inputs, outputs, size and work of a model, as text and as the document "apertune.model-summary/1".
std::string modelSheet(const model::ModelRef& model);
base::Json modelDocument(const model::ModelRef& model);

/// Finds a model by its name. Failures: notFound, with the nearest name; those of the store.
base::Result<model::ModelRef> findModel(const store::Store& store, const std::string& name);

} // namespace apertune::cli
