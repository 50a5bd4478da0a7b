// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <cstddef>
#include <string>

namespace apertune::store::test {

/// Events of every kind on tracks of every type, with every field and list in use. `scale` multiplies the kernels and
/// their launches (50 each at 1). The same arguments make the same trace.
trace::Trace sampleTrace(const std::string& name = "resnet50", int scale = 1);

/// Field by field; names the first difference.
void expectEqual(const trace::Trace& a, const trace::Trace& b);

} // namespace apertune::store::test
