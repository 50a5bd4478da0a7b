// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/report.h"

namespace ov {
class CompiledModel;
}

namespace apertune::openvino {

/// Says under "precision" which convolutions and matrix products of the compiled graph run in int8 kernels, by the
/// engine's own account of it: none where it computes a quantized model in float. Throws what OpenVINO throws.
void reportInt8(const ov::CompiledModel& model, plugins::Report& report);

} // namespace apertune::openvino
