// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/model_ref.h"
#include "core/model/precision.h"

#include <utility>
#include <vector>

namespace apertune::search {

/// The basis of an estimate of memory, from the least to the most certain.
enum class MemoryBasis {
    layers, ///< the model's layers; what the engine itself takes is assumed
    engine, ///< the layers, and what the engine takes on this machine
    probe,  ///< one measured batch, and growth with the batch by the layers
    probes  ///< two measured batches
};

/// Estimated peak of memory at one batch: `total` is the sum of its three parts and lies in [low, high].
struct MemoryEstimate
{
    base::Bytes parameters{};  ///< weights and buffers, once
    base::Bytes activations{}; ///< everything that grows with the batch
    base::Bytes rest{};        ///< the engine, its copies of weights, and workspace that does not grow with the batch
    base::Bytes total{};
    base::Bytes low{};
    base::Bytes high{};
};

/// A measured peak of one configuration group.
struct PeakOfBatch
{
    int batch = 1;
    base::Bytes peak{};
};

/// Bytes that one sample needs while it passes through the model, by liveness over the layers' shapes: its inputs and
/// outputs, and the largest sum of a layer's output and that of the layer before it. Those two are alive at the same
/// time in any order of execution that is a chain; residual branches keep more, fused layers less.
/// `areaRatio` is the number of pixels of a sample over that of the model's own input; only tensors with a height and a
/// width grow with it.
base::Bytes liveBytes(const model::ModelRef& model, model::Precision precision, double areaRatio = 1);

/// Bytes of the weights and buffers at a precision.
base::Bytes parameterBytes(const model::ModelRef& model, model::Precision precision);

/// Memory that an engine takes for itself on a device.
struct EngineMemory
{
    base::Bytes typical{};
    base::Bytes low{};
    base::Bytes high{};
    bool known = false; ///< measured on this machine
};

/// Engine memory where nothing of it was measured: 40 MiB to 1 GiB. Small engines on a host are near the lower end,
/// CUDA contexts with their libraries near the upper one.
EngineMemory assumedEngineMemory();
/// Engine memory of a worker whose resident memory is `resident` with the engine loaded. Compiled code, threads and
/// caches add to it: 10 MiB to 200 MiB on the machines that the project measured.
EngineMemory engineMemory(base::Bytes resident);
/// Engine memory from the rests that peaks of several models leave beside weights and activations: median, least and
/// most.
/// REQUIRES: `rests` is not empty.
EngineMemory engineMemory(std::vector<base::Bytes> rests);

/// The peak of memory of one configuration group as a line over the batch b:
///     total(b) = peak + growth · (b − its batch)
///   - Two or more measured batches: the line through the smallest and the largest of them.
///   - One: the line through it, with the growth of the layers.
///   - None: engine + 2 · parameters + b · growth.
///
/// Growth by the layers is 2.5 · liveBytes() a sample, and between 1 and 5 times that; the parameters are there 1 to 3
/// times. On the machines that the project measured (two engines on a Xeon, LibTorch on an H100) 1.9 to 3.3 and 1.3 to
/// 2.9 times were seen. A measured growth is bounded by 0 and 8 · liveBytes(), because peaks of a process at small
/// batches differ by chance, and it scales with liveBytes() where `areaRatio` is not 1.
///
/// The interval of measured lines is the largest error at the other measured batches, at least 5 %, and 3 % more for
/// each doubling beyond the largest measured batch. With one measured batch the growth has the bounds above.
class MemoryModel
{
public:
    /// `peaks` are those of one group, in any order; of equal batches the largest counts.
    MemoryModel(const model::ModelRef& model, model::Precision precision, const EngineMemory& engine,
                std::vector<PeakOfBatch> peaks, double areaRatio = 1);

    MemoryEstimate at(int batch) const;
    MemoryBasis basis() const;
    /// The largest batch whose estimate is within `limit`; 0 when not even one sample is. A batch is never above 2^30.
    int largestBatch(base::Bytes limit) const;
    /// The same by the upper end of the interval.
    int surelyFits(base::Bytes limit) const;
    /// Error of the line at each measured batch that it does not go through, as a share of what was measured.
    const std::vector<double>& errors() const { return m_errors; }

private:
    double total(double batch) const { return m_anchor + m_growth * (batch - m_anchorBatch); }
    std::pair<double, double> interval(double batch) const;

    EngineMemory m_engine;
    std::vector<PeakOfBatch> m_peaks; ///< ascending by batch
    double m_parameters = 0;
    double m_live = 0;        ///< bytes a sample
    double m_anchor = 0;      ///< bytes at m_anchorBatch
    double m_anchorBatch = 0; ///< 0 without measured batches
    double m_growth = 0;      ///< bytes a sample
    std::vector<double> m_errors;
};

} // namespace apertune::search
