// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/task_type.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apertune::model {

/// One input or output of a model.
struct TensorSpec
{
    std::string name;
    std::string dtype;               ///< "float32", "int64", …
    std::vector<std::int64_t> shape; ///< extents at batch 1
    std::optional<int> batchDim{};   ///< dimension that the batch multiplies; nullopt when the shape is fixed
};

/// A leaf layer, in execution order.
struct LayerSpec
{
    std::string name;
    std::string type;
    std::int64_t parameters = 0;
    std::int64_t macs = 0;
    std::vector<std::int64_t> outputShape;
};

/// An imported model: the artifact folder and what its manifest (schema "apertune.model/1", see
/// resources/exporter/FORMAT.md) says about it.
struct ModelRef
{
    std::string name;
    std::string source; ///< "torchvision:resnet50"
    TaskType taskType = TaskType::unknown;
    std::string weights;
    std::filesystem::path artifact; ///< folder that holds manifest.json
    std::string contentHash;
    std::int64_t parameters = 0;
    base::Bytes parameterBytes{};
    std::optional<std::int64_t> macs{}; ///< multiply-accumulates of one sample
    std::vector<TensorSpec> inputs;
    std::vector<TensorSpec> outputs;
    bool dynamicBatch = true;
    std::map<int, std::string> failingBatches{}; ///< batches at which the import saw it fail, and why
    /// Buffers and attributes that keep state from pass to pass and so change the outputs. Only TorchScript keeps them.
    std::vector<std::string> state{};
    bool random = false; ///< draws random numbers in each pass, which are equal only with the same seed and generator
    bool hasExportedProgram = false; ///< without it AOTInductor configurations are impossible
    /// The files that a backend can open, relative to the artifact, by format: "torchscript", "onnx", "openvino_ir".
    std::map<std::string, std::string> files{{"torchscript", "model.ts.pt"}};
    std::vector<LayerSpec> layers;
    std::vector<std::string> notes;

    /// Whether its samples are images: by its inputs where they are known, since texts are classified, too.
    bool takesImages() const;
    /// The unit of its rates. Every form that shows a rate writes base::toString() of it.
    base::RateUnit rateUnit() const { return takesImages() ? base::RateUnit::images : base::RateUnit::samples; }
};

} // namespace apertune::model
