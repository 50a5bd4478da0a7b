// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/evaluation.h"

#include <cstddef>
#include <string>

namespace apertune::report {

/// "top1" -> "top-1", "miou" -> "mIoU", "map" -> "mAP", "map50" -> "mAP at 0.50"; others as they are.
std::string metricTitle(const std::string& name);

/// "75 % [41, 93]"; "75 % (no interval)" where there is none.
std::string shareText(const model::Interval& share);

/// "8 labelled pictures of val, 1 could not be read".
std::string picturesText(const model::Accuracy& accuracy);

/// What a layer's int8 loses of the agreement, in words: "0.0031"; "0" below what cosines can tell.
std::string lossText(double cosine);

/// For a terminal: at most `width` columns when it is > 0, and at
/// most `rows` layers when that is.
std::string accuracyText(const model::Accuracy& accuracy, int width = 0);
std::string sensitivityText(const model::Sensitivity& sensitivity, std::size_t rows = 0, int width = 0);

} // namespace apertune::report
