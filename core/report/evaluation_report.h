// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/evaluation.h"

#include <cstddef>
#include <string>

namespace apertune::report {

/// Returns the title of a metric: "top-1" for "top1", "mIoU" for "miou", "mAP" for "map", "mAP at 0.50" for "map50".
/// Other names are returned unchanged.
base::Message metricMessage(const std::string& name);

/// Returns "75 % [41, 93]", or "75 % (no interval)".
base::Message shareMessage(const model::Interval& share);

/// Returns "8 labelled images of val, 1 could not be read".
base::Message imagesMessage(const model::Accuracy& accuracy);

/// Returns the loss of agreement by a layer's int8: "0.0031", or "0" when it is below the resolution of a cosine.
std::string lossText(double cosine);

/// Return the reports for a terminal, with at most `width` columns when it is > 0 and at most `rows` layers when it is
/// > 0.
std::string accuracyText(const model::Accuracy& accuracy, int width = 0);
std::string sensitivityText(const model::Sensitivity& sensitivity, std::size_t rows = 0, int width = 0);

} // namespace apertune::report
