// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/model/trial.h"

#include <optional>
#include <vector>

namespace apertune::search {

/// Memory that configurations of a device may use: all of a GPU's, or 80 % of a host's, because an out-of-memory there
/// also kills other programs. The result is never above `most`. It is `most` where the device does not tell its memory,
/// and nullopt where `most` is missing too.
std::optional<base::Bytes> memoryLimit(const model::Device& device, std::optional<base::Bytes> most);

/// Lower bound of the memory that one batch needs: parameters, inputs, outputs and the largest output of a layer, with
/// 16 bits a value.
base::Bytes leastMemory(const model::ModelRef& model, std::int64_t batch);

/// The batches that SearchSpace::kAutoBatch stands for, ascending: 1, 2, 4, … while leastMemory() is within `limit`, up
/// to kLargestBatch. Never empty.
std::vector<int> automaticBatches(const model::ModelRef& model, std::optional<base::Bytes> limit);

inline constexpr int kLargestBatch = 1 << 16;

/// A measured batch of a configuration.
struct MeasuredBatch
{
    int batch = 1;
    double passNs = 0; ///< median time of a pass, in nanoseconds
    std::optional<base::Bytes> peak{};
};

/// Reason not to measure the next batch, which is twice the last one. The reason is empty when the next batch is worth
/// measuring, and always with fewer than two measured batches.
///   "batch_edge"  The line through the peaks of the first and the last batch predicts more than `limit`.
///   "dominated"   Throughput no longer grows: the last batch has less than half of the best, or the last two gain less
///                 than 2 % over the best before them.
/// REQUIRES: `measuredBatches` ascend by batch.
model::Reason endOfGrowth(const std::vector<MeasuredBatch>& measuredBatches, std::optional<base::Bytes> limit);

/// The smallest batch whose throughput is within 2 % of the greatest.
/// REQUIRES: `measuredBatches` is not empty and ascends by batch.
int enoughBatch(const std::vector<MeasuredBatch>& measuredBatches);

} // namespace apertune::search
