// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/names.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace apertune::analysis {

/// The features by which a work is recognised in another trace. Equal numbers stand for equal texts; 0 is unknown and
/// equals nothing.
struct WorkKey
{
    std::uint32_t name = 0;
    std::uint32_t shortName = 0;
    std::uint32_t origin = 0; ///< the operator that it belongs to, with the shapes of its inputs
    std::uint32_t shape = 0;  ///< the launch shape of a kernel, the shapes of an operator's inputs, the size of a copy
    OpClass opClass = OpClass::other;
    double time = 0; ///< ns in an iteration
};

/// How alike two works are, least first.
///  - Traffic of one class is not alike: a fused kernel takes the place of several.
///  - Of one operator, a product is like a product, and a fill like a fill: helpers are not like the work they help.
///  - Work with a shape and without a short name is known by its place alone; it is like any product.
enum class Likeness : std::uint8_t { none, sameProduct, sameShortName, sameOrigin, sameName, sameNameAndOrigin };
Likeness likeness(const WorkKey& a, const WorkKey& b);

/// Two works that take the same place in their sequences.
struct AlignedPair
{
    std::size_t a = 0;
    std::size_t b = 0;
    Likeness likeness = Likeness::none;
};

/// Largest number of pairs that one alignment considers.
inline constexpr std::size_t kMostCells = 64'000'000;

/// Returns the pairs of the alignment with the highest worth in total, in the order of both sequences (Needleman &
/// Wunsch, J. Mol. Biol. 48, 1970, without a penalty for gaps). Likeness decides the worth of a pair; equal shapes and
/// similar times add to it. Takes a byte for each pair of works that it considers. Exchanging the sequences exchanges
/// the members of the pairs, except where sequences of equal length and time have several best alignments. Sequences of
/// more than `mostCells` pairs are first divided at names that occur once in each, then into equal parts.
std::vector<AlignedPair> align(std::span<const WorkKey> a, std::span<const WorkKey> b,
                               std::size_t mostCells = kMostCells);

} // namespace apertune::analysis
