// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace apertune::models {

// The names of models in a workspace.

/// Makes a model name from `text`: 1 to 100 letters, digits, '.', '_' and '-'.
std::string sanitizedName(const std::string& text);

/// Checks a model name.
/// Failures: invalidArgument (sanitizedName() would change it).
base::Status checkName(const std::string& name);

/// Makes a name from a source: "torchvision:resnet50" → "resnet50"; "python:a/b.py:make" → "make"; "x/y.pt" → "y".
std::string defaultName(const std::string& source);

} // namespace apertune::models
