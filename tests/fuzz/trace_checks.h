// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <string_view>

namespace apertune::fuzz {

/// Requires what every reader of a trace relies on: indices lie within their lists, columns are as long as their
/// series, events are in order, do not end before they begin, and end before the end of time.
void requireSound(const trace::Trace& trace);

/// The bytes of an input as events: any name, id, detail and value; sorted, and none ends after the end of time.
trace::EventColumns columnsOf(std::string_view bytes);

bool sameEvents(const trace::EventColumns& a, const trace::EventColumns& b);

/// A small trace with every sort of event, track and detail.
trace::Trace sampleTrace();

} // namespace apertune::fuzz
