// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// Selects the rows of a trace behind a statement. One description gives both the text of a query over the views of a
/// workspace (kernel, copy, operator_call, …) and the number of rows that it returns, so that the two cannot differ.
/// Only the sources of this folder use it.
struct Rows
{
    std::vector<trace::EventKind> kinds; ///< only copies when directions, sizes or pageable are set
    trace::TimeRange window;             ///< the events that start in it
    std::optional<std::int64_t> device{};
    std::optional<std::uint32_t> track{};
    std::optional<std::vector<std::string>> names{}; ///< the event has one of these names
    std::vector<std::string> parts{};   ///< the name contains one of these, whatever its case; letters and digits only
    std::vector<std::string> without{}; ///< the name contains none of these
    std::int64_t shorterThan = 0;       ///< in ns; 0: any length
    std::int64_t longerThan = 0;        ///< in ns, not shorter than that; 0: any length
    std::vector<trace::CopyDirection> directions{};
    std::vector<std::int64_t> sizes{}; ///< bytes
    std::int64_t mostBytes = 0;        ///< largest size; 0: any size
    bool pageable = false;             ///< one end of the copy is pageable memory
    /// When set, the rows are the pauses between the events in the window, in ns, that are longer than this. Only
    /// device or track restrict them.
    std::optional<std::int64_t> gaps{};
};

namespace rows {

Rows kernels(const Facts& facts);
/// All work of the device or, without a device, of the busiest thread.
Rows everything(const Facts& facts);
Rows gaps(const Facts& facts, std::int64_t longerThan);
Rows calls(const Facts& facts, std::vector<std::string> parts, std::vector<std::string> without = {});
Rows launches(const Facts& facts);
/// Calls that may be first ones, see HostCall::first: launches, loaded modules and other preparations of 1 ms or more.
Rows firstCalls(const Facts& facts);
/// The calls with which captures of graphs begin.
Rows captures(const Facts& facts);
Rows waits(const Facts& facts);
Rows allocationCalls(const Facts& facts);
Rows copies(const Facts& facts, std::vector<trace::CopyDirection> directions);
/// The operators of the busiest thread.
Rows operators(const Facts& facts);
/// The kernels (without a device, the operators) for whose names `fits` is true.
Rows work(const Facts& facts, const std::function<bool(std::uint32_t name, analysis::OpClass)>& fits);

} // namespace rows

/// Returns the query for `rows` of a trace; the trace is chosen when the query is run if `traceId` is 0.
std::string queryOf(const Rows& rows, std::int64_t traceId);

/// Makes the evidence for `rows` of the trace Context::traceId.
Evidence evidence(const Facts& facts, const Rows& rows, trace::TimeRange range);

} // namespace apertune::advice
