// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/library.h"

namespace apertune::ort {

/// Binds, checks and tests the engine at the first call. It uses the library that the process loaded with global
/// symbols, as the worker does, or the one that APERTUNE_ONNXRUNTIME names. Throws Fault UNSUPPORTED when there is none
/// or it is too old, INTERNAL when its self-test fails. A call after a failure fails in the same way.
const Library& library();

} // namespace apertune::ort
