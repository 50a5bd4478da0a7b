// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/goal.h"
#include "core/model/search_space.h"
#include "core/model/study.h"
#include "core/model/trial.h"
#include "core/search/grid.h"
#include "core/search/memory_estimate.h"
#include "core/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::study {

/// Peak of memory by batch, estimated before the run, of an engine at a precision on a device.
struct MemoryForecast
{
    /// A batch with its estimate and, where trials of the workspace have it, the measured peak.
    struct Point
    {
        int batch = 1;
        search::MemoryEstimate estimate;
        std::optional<base::Bytes> measured{};
    };

    std::string device;
    std::string backend;
    model::Precision precision = model::Precision::fp32;
    int imageSize = 0; ///< pixels of a side; 0: the model's own
    search::MemoryBasis basis = search::MemoryBasis::layers;
    std::string measuredAs{};             ///< configuration whose peaks the estimate goes through; empty: none
    std::vector<Point> points;            ///< ascending by batch
    std::optional<base::Bytes> limit{};   ///< memory that configurations may use; nullopt: unknown
    std::optional<int> largestBatch{};    ///< largest batch whose estimate is within `limit`
    std::optional<int> surelyFits{};      ///< largest batch whose upper end of the interval is within `limit`
    std::optional<double> medianError{};  ///< median error of the estimate at the other measured batches
    std::optional<double> largestError{}; ///< largest error of the estimate at the other measured batches
    int comparedBatches = 0;              ///< number of the other measured batches
};

/// The configurations to estimate. Empty lists stand for defaults.
struct MemoryQuestion
{
    std::vector<std::string> devices{};         ///< ids; default: the first of `devices` below
    std::vector<std::string> backends{};        ///< default: all that open the device and are not for tests
    std::vector<model::Precision> precisions{}; ///< default: fp32 and those measured
    std::vector<int> batches{};                 ///< default: 1, 2, 4, … 64; measured ones are added
    std::vector<int> imageSizes{};              ///< pixels of a side; default: the model's own
    std::optional<base::Bytes> maxMemory{};
    std::optional<double> memoryShare{};
};

/// Estimates the memory of a model, in the order of devices, backends, precisions and image sizes of the question.
///   - Peaks that this machine (`environment`) measured of the same model (content hash) calibrate it, from the newest
///     studies of the workspace. Of several configuration groups of an engine and precision, that with most measured
///     batches counts, then that with the highest peak.
///   - Trials of other models on the device show what the engine takes for itself; else BackendInfo::resident does.
/// Failures: those of the store; invalidArgument (an image size for a model that takes no square images).
base::Result<std::vector<MemoryForecast>>
memoryForecast(const store::Store& store, const model::Environment& environment, const model::ModelRef& model,
               const std::vector<model::Device>& devices, const std::vector<search::BackendInfo>& backends,
               const MemoryQuestion& question);

/// Remarks on the basis of the estimate, its error and the batches that fit; in this order.
std::vector<base::Message> remarksOf(const MemoryForecast& forecast);

/// The question that fits a planned sweep: its devices, engines, precisions and named batches.
MemoryQuestion memoryQuestion(const model::SearchSpace& space, const model::Goal& goal,
                              const std::vector<search::PlannedConfiguration>& configurations);

} // namespace apertune::study
