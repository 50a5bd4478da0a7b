// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/lookup.h"
#include "core/base/json.h"

namespace apertune::cli {

/// A document with the schema, the trial, and the members of `result`.
base::Json qualityDocument(const char* schema, const FoundTrial& found, const base::Json& result);

} // namespace apertune::cli
