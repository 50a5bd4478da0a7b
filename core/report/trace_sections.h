// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/trace/analysis/device_use.h"
#include "core/trace/analysis/iterations.h"
#include "core/trace/analysis/kernel_table.h"
#include "core/trace/analysis/launches.h"
#include "core/trace/analysis/memory_timeline.h"
#include "core/trace/analysis/roofline.h"
#include "core/trace/analysis/transfers.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::report {

/// The analyses of a trace, ready to be told. Everything is about the whole recording unless a name says otherwise.
struct TraceAnalyses
{
    TraceAnalyses(const trace::analysis::TraceIndex& index, const trace::analysis::OperatorForest& forest,
                  const trace::analysis::Iterations& iterations, const trace::analysis::Ceilings& ceilings);

    const trace::analysis::TraceIndex& index;
    const trace::analysis::OperatorForest& forest;
    const trace::analysis::Iterations& iterations;
    const trace::analysis::Ceilings ceilings;
    trace::analysis::Interval span; ///< from the first to the last event of work
    std::vector<trace::analysis::KernelRow> kernels;
    std::vector<trace::analysis::DeviceUse> uses;       ///< every device, from its first to its last work
    std::vector<trace::analysis::DeviceUse> steadyUses; ///< the same in the steady iterations; empty without any
    std::vector<trace::analysis::OperatorSummary> operatorTree;
    std::vector<trace::analysis::OperatorSummary> operators;
    trace::analysis::TransferLedger transfers;
    std::vector<trace::analysis::MemoryUse> memory;
    std::vector<trace::analysis::LaunchStatistics> launches; ///< in the order of `uses`
    std::vector<trace::analysis::IterationUse> strip;
    std::vector<trace::analysis::RooflineRow> roofline;
};

/// What recording cost: "An iteration takes 62.1 ± 0.4 ms, while recorded 63.0 ± 0.5 ms: 1.01× [1.00, 1.03] (n = …)".
std::string costText(const trace::RecordingCost& cost);
/// null where it was not measured.
base::Json costDocument(const std::optional<trace::RecordingCost>& cost);

/// The parts of "apertune.trace-report/1" (schema.md), one a section.
base::Json kernelsDocument(const TraceAnalyses& a);
base::Json operatorsDocument(const TraceAnalyses& a);
base::Json idleDocument(const TraceAnalyses& a);
base::Json transfersDocument(const TraceAnalyses& a);
base::Json memoryDocument(const TraceAnalyses& a);
base::Json countersDocument(const TraceAnalyses& a);
base::Json launchesDocument(const TraceAnalyses& a);
base::Json iterationsDocument(const TraceAnalyses& a);
base::Json rooflineDocument(const TraceAnalyses& a);

/// The same for people: tables with at most `rows` lines, at most `width` columns when width > 0. "" when there is
/// nothing of that sort in the trace.
std::string kernelsText(const TraceAnalyses& a, std::size_t rows, int width);
std::string operatorsText(const TraceAnalyses& a, std::size_t rows, int width);
std::string idleText(const TraceAnalyses& a, int width);
std::string transfersText(const TraceAnalyses& a, std::size_t rows, int width);
std::string memoryText(const TraceAnalyses& a, std::size_t rows, int width);
std::string countersText(const TraceAnalyses& a, std::size_t rows, int width);
std::string launchesText(const TraceAnalyses& a, int width);
std::string iterationsText(const TraceAnalyses& a, std::size_t rows, int width);
std::string rooflineText(const TraceAnalyses& a, std::size_t rows, int width);

} // namespace apertune::report
