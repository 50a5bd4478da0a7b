// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/event.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace apertune::analysis {

/// The kind of work of an event, which decides its colour in a timeline. A dozen classes can be distinguished by eye;
/// thousands of names cannot.
enum class WorkClass : std::uint8_t {
    other,
    matrix, ///< matrix products
    convolution,
    attention,
    normalization, ///< batch, layer and group norm
    elementwise,   ///< activations, additions, casts, fused pointwise kernels
    reduction,     ///< sums, pooling, arg-max, softmax
    copy,          ///< transfers, layout changes, gathering and scattering
    fill,
    launch, ///< a host call that hands work to a device
    wait,   ///< a host or a stream waits for a device
    allocation,
    call,          ///< any other host call
    annotation,    ///< intervals that the program named
    recorder,      ///< compilation, and the overhead of the recorder itself
    communication, ///< collective operations between devices
};
inline constexpr std::size_t kWorkClasses = 16;

/// The persistent name of a class: "matrix", "convolution", …
std::string_view toString(WorkClass workClass);

/// Returns the class of an event, from the name of its kernel, operator or call (see core/analysis/names.h). Pure.
WorkClass classify(trace::EventKind kind, std::string_view name);

} // namespace apertune::analysis
