// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/memory_estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apertune::search {

namespace {

constexpr double kMiB = 1 << 20;
constexpr double kTypicalGrowth = 2.5; ///< growth a sample over the live bytes
constexpr double kLeastGrowth = 1;
constexpr double kMostGrowth = 5;
constexpr double kMostMeasuredGrowth = 8;
constexpr double kTypicalCopies = 2; ///< memory of the weights over their size
constexpr double kMostCopies = 3;
constexpr double kLeastError = 0.05;
constexpr double kErrorOfDoubling = 0.03;
constexpr int kLargestFitting = 1 << 30;

double valueBytes(model::Precision precision)
{
    switch (precision) {
    case model::Precision::fp32:
    case model::Precision::tf32:
        return 4;
    case model::Precision::bf16:
    case model::Precision::fp16:
    case model::Precision::fp8: // Only the weights have eight bits.
        return 2;
    case model::Precision::int8:
        return 1;
    }
    return 4;
}

double valueBytes(const std::string& dtype)
{
    if (dtype.ends_with("64"))
        return 8;
    if (dtype.ends_with("16"))
        return 2;
    return dtype.ends_with("8") || dtype == "bool" ? 1 : 4;
}

/// Elements of a tensor of one sample, whose image has `areaRatio` times the pixels of the model's own.
double elementsOf(const std::vector<std::int64_t>& shape, double areaRatio)
{
    double count = 1;
    for (const std::int64_t extent : shape)
        count *= static_cast<double>(std::max<std::int64_t>(1, extent));
    const bool hasArea = shape.size() >= 3; // height and width, or patches
    return hasArea ? count * areaRatio : count;
}

base::Bytes bytes(double count)
{
    return {static_cast<std::int64_t>(std::llround(std::max(0.0, count)))};
}

double asDouble(base::Bytes size)
{
    return static_cast<double>(size.count);
}

/// The largest batch for which `value` is within the limit. `value` must not fall with the batch.
template <typename Value>
int largestWithin(base::Bytes limit, Value value)
{
    int within = 0;
    int beyond = kLargestFitting;
    if (value(beyond) <= asDouble(limit))
        return beyond;
    while (beyond - within > 1) {
        const int middle = within + (beyond - within) / 2;
        (value(middle) <= asDouble(limit) ? within : beyond) = middle;
    }
    return within;
}

} // namespace

base::Bytes liveBytes(const model::ModelRef& model, model::Precision precision, double areaRatio)
{
    double ends = 0;
    for (const auto* tensors : {&model.inputs, &model.outputs})
        for (const model::TensorSpec& tensor : *tensors)
            ends += elementsOf(tensor.shape, areaRatio) * valueBytes(tensor.dtype);
    double live = 0;
    // The input is live while the first layer computes.
    double before = model.inputs.empty() ? 0 : elementsOf(model.inputs.front().shape, areaRatio);
    for (const model::LayerSpec& layer : model.layers) {
        if (layer.outputShape.empty())
            continue;
        const double output = elementsOf(layer.outputShape, areaRatio);
        // While a layer computes, its input and its output are live; all else can be freed.
        live = std::max(live, before + output);
        before = output;
    }
    return bytes(ends + live * valueBytes(precision));
}

base::Bytes parameterBytes(const model::ModelRef& model, model::Precision precision)
{
    const double each = precision == model::Precision::fp8 ? 1 : valueBytes(precision);
    // Buffers are in the manifest's bytes and not in its count of parameters. Those bytes are of the model as imported.
    const double imported = asDouble(model.parameterBytes);
    // fp32 values have four bytes, so a quarter of the size is their number.
    return bytes(imported > 0 ? imported * each / 4 : static_cast<double>(model.parameters) * each);
}

EngineMemory assumedEngineMemory()
{
    // Typical, least and largest engine of those that were measured without any knowledge of this one.
    return {bytes(300 * kMiB), bytes(40 * kMiB), bytes(1024 * kMiB), false};
}

EngineMemory engineMemory(base::Bytes resident)
{
    // The resident engine is known; only what it allocates for a model is added.
    const double loaded = asDouble(resident);
    return {bytes(loaded + 60 * kMiB), bytes(loaded + 10 * kMiB), bytes(loaded + 200 * kMiB), true};
}

EngineMemory engineMemory(std::vector<base::Bytes> rests)
{
    std::sort(rests.begin(), rests.end());
    return {rests[rests.size() / 2], rests.front(), rests.back(), true};
}

MemoryModel::MemoryModel(const model::ModelRef& model, model::Precision precision, const EngineMemory& engine,
                         std::vector<PeakOfBatch> peaks, double areaRatio)
    : m_engine(engine), m_peaks(std::move(peaks)), m_parameters(asDouble(parameterBytes(model, precision))),
      m_live(asDouble(liveBytes(model, precision, areaRatio)))
{
    std::sort(m_peaks.begin(), m_peaks.end(), [](const PeakOfBatch& a, const PeakOfBatch& b) {
        // Of peaks of one batch, the largest stands first and is kept by unique().
        return std::pair(a.batch, b.peak) < std::pair(b.batch, a.peak);
    });
    m_peaks.erase(
        std::unique(m_peaks.begin(), m_peaks.end(), [](const auto& a, const auto& b) { return a.batch == b.batch; }),
        m_peaks.end());
    const double ownLive = asDouble(liveBytes(model, precision));
    const double scale = ownLive > 0 ? m_live / ownLive : 1;
    m_growth = kTypicalGrowth * ownLive;
    if (m_peaks.empty()) {
        m_growth *= scale;
        m_anchor = asDouble(engine.typical) + kTypicalCopies * m_parameters;
        return;
    }
    const PeakOfBatch& first = m_peaks.front();
    const PeakOfBatch& last = m_peaks.back();
    if (last.batch > first.batch) {
        const double slope = asDouble(last.peak - std::min(last.peak, first.peak)) / (last.batch - first.batch);
        // A model without layers has no live bytes that could bound it.
        m_growth = m_live > 0 && !model.layers.empty() ? std::min(slope, kMostMeasuredGrowth * ownLive) : slope;
    }
    m_anchorBatch = last.batch;
    m_anchor = asDouble(last.peak);
    // The batches between the ends are compared with the line through the ends.
    for (std::size_t i = 1; i + 1 < m_peaks.size(); ++i)
        m_errors.push_back(std::abs(total(m_peaks[i].batch) / asDouble(m_peaks[i].peak) - 1));
    // Of a sample of another size, only what grows with the batch is larger.
    m_anchor += (scale - 1) * m_growth * m_anchorBatch;
    m_growth *= scale;
}

MemoryBasis MemoryModel::basis() const
{
    if (m_peaks.empty())
        return m_engine.known ? MemoryBasis::engine : MemoryBasis::layers;
    return m_peaks.size() == 1 ? MemoryBasis::probe : MemoryBasis::probes;
}

std::pair<double, double> MemoryModel::interval(double batch) const
{
    if (m_peaks.empty())
        return {asDouble(m_engine.low) + m_parameters + kLeastGrowth * m_live * batch,
                asDouble(m_engine.high) + kMostCopies * m_parameters + kMostGrowth * m_live * batch};
    const double value = total(batch);
    double error = kLeastError;
    for (const double seen : m_errors)
        error = std::max(error, seen);
    if (batch > m_anchorBatch)
        // Each doubling beyond the last measured batch adds to the error.
        error += kErrorOfDoubling * std::log2(batch / m_anchorBatch);
    double low = value * (1 - error);
    double high = value * (1 + error);
    // With one peak the slope is assumed, so its bounds are those of all models.
    if (m_peaks.size() == 1) {
        const double away = batch - m_anchorBatch;
        const double least = m_anchor + kLeastGrowth * m_live * away;
        const double most = m_anchor + kMostGrowth * m_live * away;
        low = std::min({low, least, most});
        high = std::max({high, least, most});
    }
    return {low, high};
}

MemoryEstimate MemoryModel::at(int batch) const
{
    MemoryEstimate estimate;
    const auto [low, high] = interval(batch);
    const double value = std::max(total(batch), 0.0);
    const double parameters = std::min(m_parameters, value);
    const double activations = std::min(m_growth * batch, value - parameters);
    estimate.parameters = bytes(parameters);
    estimate.activations = bytes(activations);
    estimate.rest = bytes(value - parameters - activations);
    estimate.total = estimate.parameters + estimate.activations + estimate.rest;
    // Rounding must not put the estimate outside of its own interval.
    estimate.low = std::min(bytes(low), estimate.total);
    estimate.high = std::max(bytes(high), estimate.total);
    return estimate;
}

int MemoryModel::largestBatch(base::Bytes limit) const
{
    return largestWithin(limit, [this](int batch) { return total(batch); });
}

int MemoryModel::surelyFits(base::Bytes limit) const
{
    return largestWithin(limit, [this](int batch) { return interval(batch).second; });
}

} // namespace apertune::search
