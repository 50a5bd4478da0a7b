// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/backend.h"

namespace apertune::ort {

struct Library;
struct Request;

/// Loads the model of the request in ONNX Runtime and makes its input sets.
plugins::Opened openSession(const Library& engine, const Request& request);

} // namespace apertune::ort
