// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/work_sequence.h"
#include "core/model/measurement.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::analysis {

/// The contents of a part of a difference.
enum class DifferenceKind : std::uint8_t {
    sameWork, ///< one kernel, or one operator of a host, that stands in both traces
    replaced, ///< other work in the same place: another kernel for an operator, one fused kernel for several
    removed,  ///< work of A alone
    added,    ///< work of B alone
    idle,     ///< the device waits (with a cause), or the host does something outside its operators
};
/// "same_work", "replaced", "removed", "added", "idle".
std::string_view toString(DifferenceKind kind);

/// Work of one short name in an iteration.
struct NamedWork
{
    std::string name; ///< short name: kernelName(), without the number that a compiler appends
    OpClass opClass = OpClass::other;
    double count = 0;                 ///< calls in an iteration
    std::set<std::uint32_t> recorded; ///< StringIds of the names as they were recorded
    trace::EventKind kind = trace::EventKind::kernel;
};

/// Adds a work of a sequence to the names of a part. `iterations` is the number of iterations of the sequence,
/// `samples` that of the samples in one of them.
void addName(std::vector<NamedWork>& names, const PlacedWork& work, std::size_t iterations, double samples);

/// Places of both sides that belong together, before parts with the same names are merged.
struct Places
{
    DifferenceKind kind = DifferenceKind::sameWork;
    std::vector<std::size_t> a; ///< indices into the works of A
    std::vector<std::size_t> b;
};

/// The works of an iteration from one product (matrix product, convolution or attention) that both sides have up to
/// the next one. It is a layer of the model wherever engines keep their products in order, whatever names they use. In
/// the place of a product, one side may have kUnrecordedWork.
struct DifferenceLayer
{
    std::int64_t position = 0; ///< number in the iteration from 1 on; 0: the works before the first product
    std::string module;        ///< module of the program that the layer belongs to, where the recorder stored it
    std::string shapes;        ///< shapes of the first two inputs of the layer's product, where they were recorded
    std::vector<NamedWork> a;  ///< works of A, the product first
    std::vector<NamedWork> b;
    model::Interval timeA; ///< ns of an iteration (of a sample)
    model::Interval timeB;
    model::Interval change; ///< timeB − timeA
};

/// Divides the places of both sides, in their order, into layers. Every place belongs to one layer, so the changes of
/// all layers are those of all works. `samplesA` and `samplesB` are the samples of an iteration.
std::vector<DifferenceLayer> differenceLayers(const WorkSequence& a, double samplesA, const WorkSequence& b,
                                              double samplesB, const std::vector<Places>& places);

} // namespace apertune::analysis
