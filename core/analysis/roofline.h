// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::analysis {

/// What the machine really reaches, measured once and handed in. 0: not measured.
struct Ceilings
{
    double flops = 0;             ///< FLOP/s of a large matrix product at the precision of the trace
    double memoryBandwidth = 0;   ///< bytes/s, read + written, of a large copy within the device
    double pinnedBandwidth = 0;   ///< bytes/s from pinned host memory to the device
    double pageableBandwidth = 0; ///< the same from pageable memory
    std::string source;           ///< where they come from: "measured on cuda:0, fp16"
    bool complete() const { return flops > 0 && memoryBandwidth > 0; }
    double ridge() const { return flops / memoryBandwidth; } ///< FLOP/byte. REQUIRES: complete()
};

/// The shapes of an operator's inputs, "[[1, 3, 224, 224], [64, 3, 7, 7], []]": a list a tensor, empty for what is
/// none. Lists of tensors are flattened. Nothing when the text is no such list.
using Shapes = std::vector<std::vector<std::int64_t>>;
std::optional<Shapes> parseShapes(std::string_view text);
/// Bytes of an element from an operator's input types, "[\"float\", \"c10::Half\"]", of the first tensor; 4 when not
/// said.
int elementBytes(std::string_view types);

/// Arithmetic and least traffic of one call, from its shapes.
struct OperatorCost
{
    double flops = 0; ///< a multiply-add counts 2
    double bytes = 0; ///< every operand read once, the result written once
    double intensity() const { return bytes > 0 ? flops / bytes : 0; }
};

/// Of operators whose cost the shapes tell:
///   convolution  2 · N · K · Ho · Wo · C/g · kh · kw      input [N, C, …], weight [K, C/g, kh, kw]; `output` gives Ho,
///   Wo linear       2 · rows · K · N                         input [rows…, K], weight [N, K] mm, addmm    2 · M · K ·
///   N                            bmm, baddbmm, matmul with their batch in front attention    4 · B · H · L · S · E
///   query [B, H, L, E], key [B, H, S, E] element-wise, normalisation, pooling, copies: 1 FLOP an element; input read,
///   as much written
/// None of backward operators. `output` is the shape of the result when it is known (see rooflineTable), else nullptr:
/// then a convolution is taken for one of stride 1 with padding, which is the most it can be.
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
    OperatorCost cost;     ///< of all calls
    OpClass opClass = OpClass::other;
    double achieved = 0;    ///< FLOP/s
    double bandwidth = 0;   ///< bytes/s of the least traffic
    double attainable = 0;  ///< min(flops, bandwidth × intensity) FLOP/s; 0 without ceilings
    double efficiency = -1; ///< of the nearer roof, 0..1 (above 1: a cache or a shape that misleads); -1 unknown
    /// The roof above it; latency when it reaches less than a tenth of either.
    Bound bound = Bound::unknown;
    /// Above the roof by more than ceilings scatter (5 %): the ceiling was measured too low, operands came from
    /// a cache, or the shapes say more than was computed. Not a rate to believe.
    bool aboveRoof() const { return efficiency > 1.05; }
};

/// Operators whose cost can be told and none above them whose cost can be told, by time. The output shape of a
/// convolution is looked for among the inputs of the eight operators that follow on its thread.
std::vector<RooflineRow> rooflineTable(const TraceIndex& index, const OperatorForest& forest, Interval window,
                                       const Ceilings& ceilings);

} // namespace apertune::analysis
