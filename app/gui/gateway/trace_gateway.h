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
#include <string>
#include <vector>

namespace apertune::gui {

/// The options of a capture.
struct CaptureExtent
{
    bool counters = false; ///< also read the GPU's hardware counters, in passes of their own
    trace::GraphRecords graphs = trace::GraphRecords::nodes;
};

/// A trace, as the gateway delivers it.
struct OpenedTrace
{
    trace::TracePtr trace;
    timeline::TimelinePtr timeline{};            ///< null: the caller builds it
    std::optional<store::TraceId> withoutMips{}; ///< set for a stored trace whose mips are not stored yet
    advice::Context context{};                   ///< the traced trial and its machine
    std::optional<store::TraceId> ofTrial{};     ///< set for a stored trace of a trial, whose findings can be verified
    std::optional<base::Error> noCounters{};     ///< reason why requested hardware counters are missing
};

/// Records, reads and verifies traces. The thread rule and the failures are those of StudyGateway.
class TraceGateway
{
public:
    virtual ~TraceGateway() = default;

    /// The traces of a workspace, newest first.
    virtual base::Result<std::vector<store::TraceSummary>> traces(const std::filesystem::path& file) = 0;

    /// Imports a recording of Apertune or of another tool. The importer is chosen by the file's content.
    virtual base::Result<OpenedTrace> importTrace(const std::filesystem::path& recording, const LoadTask& task) = 0;

    /// Runs the trial once more while everything is recorded, and stores the trace in the workspace. With counters, two
    /// more passes read the GPU's hardware counters; each is stored as a trace of its own.
    virtual base::Result<OpenedTrace> traceTrial(const std::filesystem::path& file, model::TrialId trial,
                                                 const CaptureExtent& extent, const LoadTask& task) = 0;

    virtual base::Result<OpenedTrace> storedTrace(const std::filesystem::path& file, store::TraceId trace,
                                                  const LoadTask& task) = 0;

    /// Stores a timeline's mips beside its trace, so that it opens faster next time. A workspace that another program
    /// is writing stays as it is.
    virtual base::Status keepMips(const std::filesystem::path& file, store::TraceId trace,
                                  const timeline::Timeline& timeline) = 0;

    /// Runs the experiment that verifies a finding of a trial's trace, and stores it as a study. `commandLine` repeats
    /// it; empty: that of `apertune trace verify`.
    virtual base::Result<runs::Verification> verifyFinding(const std::filesystem::path& file, store::TraceId trace,
                                                           const advice::Finding& finding,
                                                           const std::string& commandLine, const LoadTask& task) = 0;
};

} // namespace apertune::gui
