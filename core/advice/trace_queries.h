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

/// Rows of a trace behind a statement. One description gives both the text of a query over the views of a workspace
/// (kernel, copy, operator_call, …) and the number of rows that it returns, so that the two cannot differ. Private to
/// this folder.
struct Rows
{
    std::vector<trace::EventKind> kinds; ///< copies alone where directions, sizes or pageable restrict them
    analysis::Interval window;           ///< that start in it
    std::optional<std::int64_t> device{};
    std::optional<std::uint32_t> track{};
    std::optional<std::vector<std::string>> names{}; ///< one of these
    std::vector<std::string> parts{};   ///< the name holds one of these, whatever its case; letters and digits only
    std::vector<std::string> without{}; ///< and none of these
    std::int64_t shorterThan = 0;       ///< ns; 0: of any length
    std::vector<trace::CopyDirection> directions{};
    std::vector<std::int64_t> sizes{}; ///< bytes
    std::int64_t mostBytes = 0;        ///< 0: any
    bool pageable = false;             ///< at either end
    /// Instead of the events the times between them, longer than this, within the window. Restricted by device or track
    /// only.
    std::optional<std::int64_t> gaps{};
};

namespace rows {

Rows kernels(const Facts& facts);
/// All that the device, or without one the busiest thread, does.
Rows everything(const Facts& facts);
Rows gaps(const Facts& facts, std::int64_t longerThan);
Rows calls(const Facts& facts, std::vector<std::string> parts, std::vector<std::string> without = {});
Rows launches(const Facts& facts);
Rows waits(const Facts& facts);
Rows allocationCalls(const Facts& facts);
Rows copies(const Facts& facts, std::vector<trace::CopyDirection> directions);
/// Operators of the busiest thread.
Rows operators(const Facts& facts);
/// Kernels, or without a device operators, of the names that fit.
Rows work(const Facts& facts, const std::function<bool(std::uint32_t name, analysis::OpClass)>& fits);

} // namespace rows

/// Of the trace that Context::traceId names.
Evidence evidence(const Facts& facts, const Rows& rows, analysis::Interval range);

} // namespace apertune::advice
