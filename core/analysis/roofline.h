// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::analysis {

/// Peak rates of the machine, measured or from a data sheet. 0: not known.
struct Ceilings
{
    double flops = 0;             ///< FLOP/s of a large matrix product at the precision of the trace
    double memoryBandwidth = 0;   ///< bytes/s, read + written, of a large copy within the device
    double pinnedBandwidth = 0;   ///< bytes/s from pinned host memory to the device
    double pageableBandwidth = 0; ///< bytes/s from pageable host memory to the device
    std::string source;           ///< origin of the rates: "measured on cuda:0, fp16"
    bool fromDataSheet = false;   ///< the rates were not measured, see data_sheets.h
    bool complete() const { return flops > 0 && memoryBandwidth > 0; }
    /// The arithmetic intensity where the two roofs meet, in FLOP/byte.
    /// REQUIRES: complete()
    double ridge() const { return flops / memoryBandwidth; }
};

/// Parses the shapes of an operator's inputs, "[[1, 3, 224, 224], [64, 3, 7, 7], []]": one list for each tensor, an
/// empty list for other inputs. Lists of tensors are flattened. The result is empty when the text is no such list.
using Shapes = std::vector<std::vector<std::int64_t>>;
std::optional<Shapes> parseShapes(std::string_view text);
/// Returns the bytes per element of the first tensor in an operator's input types, "[\"float\", \"c10::Half\"]". It is
/// 4 when the types are unknown.
int elementBytes(std::string_view types);

/// Arithmetic and minimum memory traffic of one call, from its shapes.
struct OperatorCost
{
    double flops = 0; ///< a multiply-add counts 2
    double bytes = 0; ///< every operand read once, the result written once
    double intensity() const { return bytes > 0 ? flops / bytes : 0; }
};

/// Returns the cost of an operator whose shapes determine it, in FLOP:
///  - convolution: 2 · N · K · Ho · Wo · C/g · kh · kw, for input [N, C, …], weight [K, C/g, kh, kw] and `output`
///    […, Ho, Wo].
///  - linear: 2 · rows · K · N, for input [rows…, K] and weight [N, K].
///  - mm, addmm: 2 · M · K · N. The batched bmm, baddbmm and matmul multiply this by their batch.
///  - attention: 4 · B · H · L · S · E, for query [B, H, L, E] and key [B, H, S, E].
///  - element-wise operators, normalisation, pooling, copies: 1 per element. They read the input and write as much.
///
/// Backward operators have no cost. `output` is the shape of the result (see rooflineTable()), or nullptr when unknown.
/// A convolution without `output` is assumed to have stride 1 and padding, which gives the largest possible cost.
std::optional<OperatorCost> operatorCost(std::string_view name, OpClass opClass, const Shapes& inputs,
                                         int bytesPerElement, const std::vector<std::int64_t>* output = nullptr);

enum class Bound : std::uint8_t { unknown, compute, memory, latency };
std::string_view toString(Bound bound);

/// One point of the roofline: all calls of an operator with the same shapes in a window.
struct RooflineRow
{
    std::uint32_t name = 0;   ///< StringId
    std::uint32_t shapes = 0; ///< StringId
    std::int64_t calls = 0;
    std::int64_t time = 0; ///< device time; host time where no device works
    OperatorCost cost;     ///< sum over all calls
    OpClass opClass = OpClass::other;
    double achieved = 0;    ///< FLOP/s
    double bandwidth = 0;   ///< bytes/s of the minimum traffic
    double attainable = 0;  ///< min(flops, bandwidth × intensity) FLOP/s; 0 without ceilings
    double efficiency = -1; ///< share of the nearer roof, 0..1 (above 1: see below); -1: unknown
    /// The roof that limits the point. It is latency when the point reaches less than a tenth of either roof.
    Bound bound = Bound::unknown;
    /// True when the point is more than 5 % above the roof, which exceeds the noise of ceilings. Do not trust the rate:
    /// the ceiling was measured too low, operands came from a cache, or less was computed than the shapes suggest.
    bool aboveRoof() const { return efficiency > 1.05; }
};

/// Returns the operators with a known cost and no caller with a known cost, sorted by time. The output shape of a
/// convolution is searched among the inputs of the next eight operators on its thread.
std::vector<RooflineRow> rooflineTable(const TraceIndex& index, const OperatorForest& forest, TimeRange window,
                                       const Ceilings& ceilings);

} // namespace apertune::analysis
