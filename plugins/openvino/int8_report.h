// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/report.h"

namespace ov {
class CompiledModel;
}

namespace apertune::openvino {

/// Reports under "precision" which convolutions and matrix products of the compiled graph run in int8 kernels, from the
/// runtime model of OpenVINO. There are none if it computes a quantized model in float. Throws what OpenVINO throws.
void reportInt8(const ov::CompiledModel& model, plugins::Report& report);

} // namespace apertune::openvino
