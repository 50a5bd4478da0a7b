// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/model/trial.h"

#include <optional>
#include <vector>

namespace apertune::search {

/// Memory that configurations of a device may use: `share` of it, by default all of a GPU's and 80 % of a host's,
/// because an out-of-memory there also kills other programs. The result is never above `most`. It is `most` where the
/// device does not report its memory, and nullopt where `most` is missing too.
std::optional<base::Bytes> memoryLimit(const model::Device& device, std::optional<base::Bytes> most,
                                       std::optional<double> share = {});

/// Lower bound of the memory that one batch needs: parameters, inputs, outputs and the largest output of a layer, with
/// 16 bits a value.
base::Bytes leastMemory(const model::ModelRef& model, std::int64_t batch);

/// The batches that are planned for SearchSpace::kAutoBatch, ascending: 1, 2, 4, … while leastMemory() is within
/// `limit`. Never empty. BatchEdge adds those between the last that fits and the first that does not.
std::vector<int> automaticBatches(const model::ModelRef& model, std::optional<base::Bytes> limit);

/// A measured batch of a configuration.
struct MeasuredBatch
{
    int batch = 1;
    double passNs = 0; ///< median time of a pass, in nanoseconds
};

/// Reason of kind "dominated" not to measure larger batches: throughput no longer grows, because the last batch has
/// less than half of the best, or the last two gain less than 2 % over the best before them. The reason is empty while
/// throughput grows, and always with fewer than two measured batches.
/// REQUIRES: `measuredBatches` ascend by batch.
model::Reason endOfGrowth(const std::vector<MeasuredBatch>& measuredBatches);

/// The smallest batch whose throughput is within 2 % of the greatest.
/// REQUIRES: `measuredBatches` is not empty and ascends by batch.
int enoughBatch(const std::vector<MeasuredBatch>& measuredBatches);

} // namespace apertune::search
