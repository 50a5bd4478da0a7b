// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <string>

namespace apertune::report {

/// Returns the table for people: a line for each measured trial (latency ± half-width, throughput, memory, quality,
/// state) with the recommended one marked, then the others, named and grouped by reason. UTF-8; at most `width` columns
/// when width > 0.
std::string studyTable(const model::StudySnapshot& snapshot, int width = 0);

} // namespace apertune::report
