// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/automatic_batches.h"

#include "core/search/reasons.h"

#include <algorithm>
#include <limits>

namespace apertune::search {

namespace {

constexpr double kHostMemoryShare = 0.8;  ///< share of a host's memory that a trial may use by default
constexpr double kLeastGain = 1.02;       ///< least gain in throughput for which a larger batch counts as faster
constexpr double kLeastOfBest = 0.5;      ///< share of the best throughput below which growth has ended at once
constexpr std::int64_t kBytesOf16Bit = 2; ///< bytes of a 16-bit value

std::int64_t elements(const std::vector<std::int64_t>& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        // An extent of 0 or -1 stands for one that is not known, and must not erase the others.
        count *= std::max<std::int64_t>(1, extent);
    return count;
}

std::int64_t elements(const std::vector<model::TensorSpec>& tensors)
{
    std::int64_t count = 0;
    for (const model::TensorSpec& tensor : tensors)
        count += elements(tensor.shape);
    return count;
}

double perSecond(const MeasuredBatch& measured)
{
    return measured.batch / measured.passNs;
}

double bestOf(std::vector<MeasuredBatch>::const_iterator begin, std::vector<MeasuredBatch>::const_iterator end)
{
    double best = 0;
    for (; begin != end; ++begin)
        best = std::max(best, perSecond(*begin));
    return best;
}

} // namespace

std::optional<base::Bytes> memoryLimit(const model::Device& device, std::optional<base::Bytes> most,
                                       std::optional<double> share)
{
    std::optional<base::Bytes> limit;
    if (device.memory.count > 0) {
        // A device's own memory may be filled; on a host other programs need a part.
        const double usable = share.value_or(device.type.hasOwnMemory() ? 1 : kHostMemoryShare);
        limit = base::Bytes{static_cast<std::int64_t>(usable * static_cast<double>(device.memory.count))};
    }
    return limit && most ? std::min(*limit, *most) : limit ? limit : most;
}

base::Bytes leastMemory(const model::ModelRef& model, std::int64_t batch)
{
    std::int64_t layer = 0;
    for (const model::LayerSpec& spec : model.layers)
        if (!spec.outputShape.empty())
            // Without a plan of all buffers, the largest output is the least that any engine needs at one time.
            layer = std::max(layer, elements(spec.outputShape));
    const std::int64_t sample = elements(model.inputs) + elements(model.outputs) + layer;
    // 16-bit values are assumed, because a batch must not be excluded for a precision that needs less.
    return {kBytesOf16Bit * (model.parameters + batch * sample)};
}

std::vector<int> automaticBatches(const model::ModelRef& model, std::optional<base::Bytes> limit)
{
    std::vector<int> batches{1};
    // A batch is an int. No memory holds that many samples.
    constexpr int kLargestDoubled = std::numeric_limits<int>::max() / 2;
    while (batches.back() <= kLargestDoubled && (!limit || leastMemory(model, 2 * batches.back()) <= *limit))
        batches.push_back(2 * batches.back());
    return batches;
}

model::Reason endOfGrowth(const std::vector<MeasuredBatch>& measuredBatches)
{
    const std::size_t count = measuredBatches.size();
    if (count < 2)
        return {};
    const MeasuredBatch& last = measuredBatches.back();
    const auto end = measuredBatches.end();
    const bool farBelow = perSecond(last) < kLeastOfBest * bestOf(measuredBatches.begin(), end - 1);
    // One flat step does not end growth, because a single batch may suit the kernels badly.
    const bool flat = count > 2 && bestOf(end - 2, end) < kLeastGain * bestOf(measuredBatches.begin(), end - 2);
    if (farBelow || flat)
        return model::Reason{model::ReasonKind::dominated,
                             base::message<reasons::kNoGrowth>(last.batch,
                                                               base::SamplesPerSecond{1e9 * perSecond(last)},
                                                               1e9 * bestOf(measuredBatches.begin(), end - 1))};
    return {};
}

int enoughBatch(const std::vector<MeasuredBatch>& measuredBatches)
{
    const double enough = bestOf(measuredBatches.begin(), measuredBatches.end()) / kLeastGain;
    return std::find_if(measuredBatches.begin(), measuredBatches.end(),
                        // Of batches that are equal within the gain, the smallest is enough.
                        [&](const MeasuredBatch& measured) { return perSecond(measured) >= enough; })
        ->batch;
}

} // namespace apertune::search
