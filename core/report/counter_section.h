// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/trace_sections.h"

#include <cstddef>
#include <string>

namespace apertune::report {

/// The counters of a trace over the whole recording, in the order of its tracks.

/// The section of "apertune.trace-report/1" (schema.md).
base::Json countersDocument(const TraceAnalyses& a);

/// The same for people: a table with at most `rows` lines and, when width > 0, at most `width` columns. Empty when the
/// trace has no counters.
std::string countersText(const TraceAnalyses& a, std::size_t rows, int width);

} // namespace apertune::report
