// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::workload::image_errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kUnreadableJpeg{"image.unreadable_jpeg", {"why"}};
inline constexpr MessageKind kFourColours{"image.four_colours"};
inline constexpr MessageKind kTooManyPixels{"image.too_many_pixels", {"pixels"}};
inline constexpr MessageKind kImpossibleJpeg{"image.impossible_jpeg"};
inline constexpr MessageKind kUnwritableJpeg{"image.unwritable_jpeg", {"why"}};
inline constexpr MessageKind kNoSize{"image.no_size"};
inline constexpr MessageKind kTooSmall{"image.too_small", {"pixels"}};
inline constexpr MessageKind kNoDeviation{"image.no_deviation"};

// Hints on what to do.
inline constexpr MessageKind kLeaveOutOrSave{"image.leave_out_or_save"};
inline constexpr MessageKind kSaveAsRgb{"image.save_as_rgb"};
inline constexpr MessageKind kLeaveOutOrScale{"image.leave_out_or_scale"};
inline constexpr MessageKind kJpegLimits{"image.jpeg_limits"};

inline constexpr std::array kAll{kUnreadableJpeg, kFourColours, kTooManyPixels,   kImpossibleJpeg,
                                 kUnwritableJpeg, kNoSize,      kTooSmall,        kNoDeviation,
                                 kLeaveOutOrSave, kSaveAsRgb,   kLeaveOutOrScale, kJpegLimits};

} // namespace apertune::workload::image_errors
