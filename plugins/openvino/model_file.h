// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/artifact.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace ov {
class Model;
}

namespace apertune::openvino {

/// Reads an .xml or .onnx file. Throws Fault BAD_INPUT.
std::shared_ptr<ov::Model> readModel(const std::filesystem::path& file);

/// Fixes every shape, because dynamic shapes cost speed and a configuration has one batch. Throws Fault BAD_INPUT when
/// the model has other inputs than the manifest, UNSUPPORTED when it does not support the batch.
void fixBatch(ov::Model& model, const plugins::Artifact& artifact, std::int64_t batch);

} // namespace apertune::openvino
