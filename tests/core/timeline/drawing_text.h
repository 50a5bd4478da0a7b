// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_layout.h"

#include <string>

namespace apertune::timeline {

/// Describes a drawing as text, one record per line.
std::string describe(const Timeline& timeline, const TimelineDrawing& drawing);

} // namespace apertune::timeline
