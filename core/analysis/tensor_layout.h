// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace apertune::analysis {

/// Returns whether the first input of an operator has its channels last in memory (NHWC), by the recorded shapes and
/// strides of its inputs. Returns nullopt when the texts do not contain it, when it has fewer than four dimensions, and
/// when both layouts are the same: one channel, or images of one pixel.
std::optional<bool> isChannelsLast(std::string_view shapes, std::string_view strides);

/// Time of convolutions by the layout of their input.
struct ConvolutionLayouts
{
    std::int64_t first = 0;   ///< ns with channels first (NCHW)
    std::int64_t last = 0;    ///< ns with channels last
    std::int64_t unknown = 0; ///< ns of convolutions whose strides were not recorded

    /// Returns whether most of the time is known to be with channels last.
    bool isMostlyLast() const { return last > first + unknown; }
};

/// Returns the layouts of the convolutions that start in `window`, weighted by the time of their device work, or of the
/// call when they have none. The outermost operator with strides decides for each convolution.
ConvolutionLayouts convolutionLayouts(const TraceIndex& index, const OperatorForest& forest, TimeRange window);

} // namespace apertune::analysis
