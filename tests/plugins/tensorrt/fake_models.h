// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/plugins/onnxruntime/onnx_models.h"
#include "tests/plugins/support/plugin_client.h"

#include <string>
#include <vector>

namespace apertune::test {

/// What the fake TensorRT takes for an ONNX file: x [N, 3, 4, 4] -> y [N, 5], value j of a sample being the sum of its
/// input plus j; two convolutions.
Json fakeModel();

/// A configuration of that model on the fake GPU, with `more` merged into the model.
Configuration fakeConfiguration(const std::string& name, const Json& more = Json::object(), int batch = 1,
                                std::vector<std::string> switches = {});

/// The call after `passes` more of a function of the driver answers `code`, once.
void failCuda(const char* function, int code, int passes = 0);

/// Bytes in use on the fake GPU.
std::size_t cudaMemoryInUse();

/// The folder of the plans, empty.
std::string freshCache();

void expectRefused(const Configuration& configuration, apertune_status status, const std::string& message);

} // namespace apertune::test
