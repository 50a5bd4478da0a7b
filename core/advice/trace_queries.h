// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/analysis/intervals.h"
#include "core/trace/details.h"

#include <cstdint>
#include <string>
#include <vector>

/// The texts of evidence queries, over the views that a workspace has for a trace: one a kind of event (kernel, copy,
/// runtime_call, operator_call, …). Pure text: nothing here runs them. The trace is chosen where they are run
/// (`apertune query --trace`).
namespace apertune::advice::queries {

using trace::analysis::Interval;

std::string deviceWork(std::int64_t device, Interval window);
std::string tinyKernels(std::int64_t device, Interval window);
std::string launches(Interval window);
std::string copies(trace::CopyDirection direction, Interval window);
std::string pageableCopies(Interval window);
std::string waits(Interval window);
std::string blockingCopies(Interval window); ///< the calls
std::string allocationCalls(Interval window);
std::string kernelsNamed(const std::vector<std::string>& names, Interval window);
std::string operators(Interval window);
std::string operatorsNamed(const std::vector<std::string>& names, Interval window);
std::string operatorsNamed(const std::string& part, Interval window);
std::string memory(std::int64_t device);

} // namespace apertune::advice::queries
