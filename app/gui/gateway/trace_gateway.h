// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/load_task.h"
#include "core/advice/facts.h"
#include "core/base/result.h"
#include "core/runs/verification.h"
#include "core/store/store.h"
#include "core/timeline/timeline.h"
#include "core/trace/profiler.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace apertune::gui {

/// What a capture records beside what every one does.
struct CaptureExtent
{
    bool counters = false; ///< the GPU's hardware counters too, in passes of their own
    trace::GraphRecords graphs = trace::GraphRecords::nodes;
};

/// A trace as the gateway gives it.
struct OpenedTrace
{
    trace::TracePtr trace;
    timeline::TimelinePtr timeline{};            ///< null: the caller makes it
    std::optional<store::TraceId> withoutMips{}; ///< a stored trace whose mips are not kept yet
    advice::Context context{};                   ///< the traced trial and its machine
    std::optional<store::TraceId> ofTrial{};     ///< a stored trace of a trial: what it advises can be tried
    std::optional<base::Error> noCounters{};     ///< why hardware counters that were asked for are not there
};

/// Records, reads and verifies traces. Threads and failures: as StudyGateway.
class TraceGateway
{
public:
    virtual ~TraceGateway() = default;

    /// The traces of a workspace, newest first.
    virtual base::Result<std::vector<store::TraceSummary>> traces(const std::filesystem::path& file) = 0;

    /// A recording of this or another tool: what importers there are decide by its content.
    virtual base::Result<OpenedTrace> importTrace(const std::filesystem::path& recording, const LoadTask& task) = 0;

    /// Runs the trial once more while everything is recorded, and keeps the recording in the workspace. With
    /// counters two more passes read the GPU's hardware counters; each is kept as a trace beside the one that opens.
    virtual base::Result<OpenedTrace> traceTrial(const std::filesystem::path& file, model::TrialId trial,
                                                 const CaptureExtent& extent, const LoadTask& task) = 0;

    virtual base::Result<OpenedTrace> storedTrace(const std::filesystem::path& file, store::TraceId trace,
                                                  const LoadTask& task) = 0;

    /// Keeps a timeline's mips beside its trace, so that it opens faster next time. A workspace that is being written
    /// by somebody else stays as it is.
    virtual base::Status keepMips(const std::filesystem::path& file, store::TraceId trace,
                                  const timeline::Timeline& timeline) = 0;

    /// Tries what a finding of a trial's trace asks for, and keeps the verification as a study.
    virtual base::Result<runs::Verification> prove(const std::filesystem::path& file, store::TraceId trace,
                                                   const advice::Finding& finding, const LoadTask& task) = 0;
};

} // namespace apertune::gui
