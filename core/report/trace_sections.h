// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/collectives.h"
#include "core/analysis/device_use.h"
#include "core/analysis/iterations.h"
#include "core/analysis/kernel_table.h"
#include "core/analysis/launches.h"
#include "core/analysis/memory_timeline.h"
#include "core/analysis/roofline.h"
#include "core/analysis/transfers.h"
#include "core/base/json.h"
#include "core/model/measurement.h"
#include "core/trace/trace.h"

#include <optional>
#include <vector>

namespace apertune::report {

/// All analyses of a trace, ready for output. They cover the whole recording unless a name says otherwise.
/// Thread rule: immutable after construction.
/// REQUIRES: the arguments outlive this object.
struct TraceAnalyses
{
    TraceAnalyses(const analysis::TraceIndex& index, const analysis::OperatorForest& forest,
                  const analysis::Iterations& iterations, const analysis::Ceilings& ceilings);

    const analysis::TraceIndex& index;
    const analysis::OperatorForest& forest;
    const analysis::Iterations& iterations;
    const analysis::Ceilings ceilings;
    trace::TimeRange span; ///< time between the first and the last event of work
    std::vector<analysis::KernelRow> kernels;
    std::vector<analysis::DeviceUse> uses;       ///< every device, from its first to its last work
    std::vector<analysis::DeviceUse> steadyUses; ///< every device in the steady iterations; empty without any
    std::vector<analysis::OperatorSummary> operatorTree;
    std::vector<analysis::OperatorSummary> operators;
    analysis::TransferLedger transfers;
    std::vector<analysis::CollectiveRow> collectives;
    std::vector<analysis::MemoryUse> memory;
    std::vector<analysis::LaunchStatistics> launches; ///< in the order of `uses`
    std::vector<analysis::IterationUse> strip;
    std::vector<analysis::RooflineRow> roofline;
};

/// Returns the median time of the steady iterations, in ns, with its interval; nullopt without iterations.
std::optional<model::Interval> steadyTime(const TraceAnalyses& analyses);

/// Returns what recording cost; null when it was not measured.
base::Json costDocument(const std::optional<trace::RecordingCost>& cost);

/// The parts of "apertune.trace-report/1" (schema.md), one for each section.
base::Json kernelsDocument(const TraceAnalyses& a);
base::Json operatorsDocument(const TraceAnalyses& a);
base::Json idleDocument(const TraceAnalyses& a);
base::Json transfersDocument(const TraceAnalyses& a);
base::Json collectivesDocument(const TraceAnalyses& a);
base::Json memoryDocument(const TraceAnalyses& a);
base::Json launchesDocument(const TraceAnalyses& a);
base::Json iterationsDocument(const TraceAnalyses& a);
base::Json rooflineDocument(const TraceAnalyses& a);

} // namespace apertune::report
