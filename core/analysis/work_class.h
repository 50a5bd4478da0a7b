// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/event.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace apertune::analysis {

/// What kind of work an event is, as a picture colours it: a dozen classes that a person can tell apart, instead of a
/// colour for each of thousands of names.
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
    recorder,      ///< compilation and the recorder's own cost
    communication, ///< collective operations between devices
};
inline constexpr std::size_t kWorkClasses = 16;

/// The lasting word of a class: "matrix", "convolution", …
std::string_view toString(WorkClass workClass);

/// By the name of a kernel, an operator or a call, as the libraries of the field name them: what the analyses make of
/// it (analysis/names.h). Pure.
WorkClass classify(trace::EventKind kind, std::string_view name);

} // namespace apertune::analysis
