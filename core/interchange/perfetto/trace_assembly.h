// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/chrome/file_facts.h"
#include "core/interchange/perfetto/packet_reader.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <functional>

namespace apertune::interchange::perfetto {

/// Builds a trace from the packets of a recording: relates the clocks, joins beginnings and ends, and adds losses for
/// missing data. `facts` has the name of the trace, and `recorded` is the size of all packets in bytes. `keepGoing` is
/// called now and then with the number of events so far.
/// Failures: cancelled (`keepGoing` returned false), corrupt (no event), unsupported (few bytes that expand to too much
/// text).
base::Result<trace::Trace> assembled(Packets& packets, chrome::FileFacts facts, std::size_t recorded,
                                     const std::function<bool(std::size_t)>& keepGoing);

} // namespace apertune::interchange::perfetto
