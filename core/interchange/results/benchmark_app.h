// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/results/parsed.h"

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace apertune::interchange::results {

/// Returns the value of the first of the keys that a report has, as text; empty when it has none.
using ReportLookup = std::function<std::string(std::initializer_list<std::string_view> keys)>;

/// The result in a report of benchmark_app, whose JSON and tables have the same facts. The C++ program writes
/// latency_median, the Python program "latency (ms)". Private to this folder.
Parsed benchmarkAppReport(const ReportLookup& valueOf);

} // namespace apertune::interchange::results
