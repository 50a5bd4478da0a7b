// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"
#include "tests/core/trace/support/trace_equality.h"

#include <cstddef>
#include <string>

namespace apertune::store::test {

using trace::test::expectEqual;

/// Events of every kind on tracks of every type, with every field and list in use. `scale` multiplies the kernels and
/// their launches (50 each at 1). The same arguments make the same trace.
trace::Trace sampleTrace(const std::string& name = "resnet50", int scale = 1);

} // namespace apertune::store::test
