// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/measurement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::model {

/// What a trial's answers are worth: kept in the workspace with the trial, as JSON.

/// Against labels. Shares, 0…1; formulas and sources: resources/exporter/apertune_exporter/evaluate/scores.py. An
/// interval of confidence 0 could not be told.
struct Accuracy
{
    struct Metric
    {
        std::string name; ///< "top1", "top5", "miou", "map", "map50"
        Interval measured;
        Interval imported; ///< of the model as it was imported, in float
        Interval change;   ///< measured − imported, on the same pictures
    };
    std::string pictures; ///< where they lie
    std::int64_t samples = 0;
    std::int64_t skipped = 0; ///< could not be read
    std::vector<Metric> metrics;
};

/// What int8 costs, layer by layer. Agreements are cosines with the float model's outputs.
struct Sensitivity
{
    struct Layer
    {
        std::string name;   ///< as the converter calls it
        std::string kind;   ///< "Conv", "MatMul" …
        double only = 0;    ///< agreement when nothing else is int8
        double without = 0; ///< agreement when all but it is
    };
    std::string calibration;   ///< one line
    std::int64_t samples = 0;  ///< compared
    double all = 0;            ///< agreement when everything is int8
    std::vector<Layer> layers; ///< the costliest first
};

base::Json toJson(const Accuracy& accuracy);
base::Json toJson(const Sensitivity& sensitivity);
/// Failures: corrupt.
base::Result<Accuracy> accuracyFromJson(const base::Json& json);
base::Result<Sensitivity> sensitivityFromJson(const base::Json& json);

} // namespace apertune::model
