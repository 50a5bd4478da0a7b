// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/measurement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

// Evaluations of a trial. The workspace stores each with the trial, as JSON, and its kind as a word.

enum class EvaluationKind { accuracy, sensitivity, robustness };
/// "accuracy", "sensitivity", "robustness". Persistent.
std::string_view toString(EvaluationKind kind);

/// Accuracy against labels, as shares in 0…1. An interval of confidence 0 means "unknown".
/// Formulas and sources: resources/exporter/apertune_exporter/evaluate/scores.py.
struct Accuracy
{
    struct Metric
    {
        std::string name; ///< "top1", "top5", "miou", "map", "map50"
        Interval measured;
        Interval imported; ///< score of the imported model, in float
        Interval change;   ///< measured − imported, on the same images
    };
    std::string images; ///< folder of the images
    std::int64_t samples = 0;
    std::int64_t skipped = 0; ///< images that could not be read
    std::vector<Metric> metrics;
};

/// Sensitivity to int8, layer by layer. Agreements are cosines with the outputs of the float model.
struct Sensitivity
{
    struct Layer
    {
        std::string name;   ///< the converter's name for the layer
        std::string kind;   ///< "Conv", "MatMul" …
        double only = 0;    ///< agreement when only this layer is int8
        double without = 0; ///< agreement when all layers but this one are int8
    };
    std::string calibration;   ///< description in one line
    std::int64_t samples = 0;  ///< samples compared
    double all = 0;            ///< agreement when all layers are int8
    std::vector<Layer> layers; ///< the costliest first
};

base::Json toJson(const Accuracy& accuracy);
base::Json toJson(const Sensitivity& sensitivity);
/// Failures: corrupt.
base::Result<Accuracy> accuracyFromJson(const base::Json& json);
base::Result<Sensitivity> sensitivityFromJson(const base::Json& json);

} // namespace apertune::model
