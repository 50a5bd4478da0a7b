// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/chrome/file_facts.h"
#include "core/interchange/perfetto/packet_reader.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <functional>

namespace apertune::interchange::perfetto {

/// Makes a trace of the packets of a recording: relates the clocks, joins beginnings and ends, and adds what is missing
/// as losses. `facts` has the name of the trace. `recorded`: the bytes of all packets. Calls `goesOn` with the events
/// so far now and then.
/// Failures: cancelled (`goesOn` returned false), corrupt (no event), unsupported (few bytes that make too much text).
base::Result<trace::Trace> assembled(Packets& packets, chrome::FileFacts facts, std::size_t recorded,
                                     const std::function<bool(std::size_t)>& goesOn);

} // namespace apertune::interchange::perfetto
