// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/model/trial.h"

#include <optional>
#include <vector>

namespace apertune::search {

/// The memory that configurations of a device may take: the GPU's, 80 % of a host's (it has other programs, which an
/// out-of-memory takes down too), and no more than `most` in either case. nullopt: unknown.
std::optional<base::Bytes> memoryLimit(const model::Device& device, std::optional<base::Bytes> most);

/// What a batch takes at least: the parameters, the inputs and outputs, and the largest output of a layer, with
/// floating-point values of 16 bits.
base::Bytes leastMemory(const model::ModelRef& model, std::int64_t batch);

/// The batches that kAutoBatch may reach, ascending: 1, 2, 4, … as long as leastMemory() is within `limit`, and no
/// further than kLargestBatch. Never empty.
std::vector<int> automaticBatches(const model::ModelRef& model, std::optional<base::Bytes> limit);

inline constexpr int kLargestBatch = 1 << 16;

/// A measured batch of a configuration.
struct MeasuredBatch
{
    int batch = 1;
    double passNs = 0; ///< median of a pass
    std::optional<base::Bytes> peak{};
};

/// Why the next batch of the ladder, twice the last, is not worth a look; empty: it is. REQUIRES: `rungs` ascend.
///   "batch_edge"  it would take more than `limit`, by the line through the peaks of the first and the last batch
///   "dominated"   throughput no longer grows: the last batch has less than half of the best, or the last two have less
///                 than 2 % more than the best before them
model::Reason endOfGrowth(const std::vector<MeasuredBatch>& measuredBatches, std::optional<base::Bytes> limit);

/// The smallest batch whose throughput is within 2 % of the greatest. REQUIRES: `rungs` is not empty and ascends.
int enoughBatch(const std::vector<MeasuredBatch>& measuredBatches);

} // namespace apertune::search
