// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/lookup.h"
#include "core/base/json.h"

namespace apertune::cli {

/// The members of `result` after the schema and the trial that they are about.
base::Json qualityDocument(const char* schema, const FoundTrial& found, const base::Json& result);

} // namespace apertune::cli
