// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/trace_gateway.h"
#include "app/gui/presenters/trace_report.h"
#include "app/gui/session/task_runner.h"
#include "core/timeline/range_statistics.h"
#include "core/timeline/timeline.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>

namespace apertune::gui {

/// The verification of a finding, running or finished.
struct VerificationRun
{
    bool running = false;
    QString step;                                   ///< current step while it runs: "measure"
    std::optional<runs::Verification> verification; ///< set when it has finished
    base::Error error;                              ///< set when it failed; empty if it was cancelled
};

/// The open trace, and the one time filter that applies to all of its figures. Opening, search, statistics and reports
/// run as tasks, and their results are immutable. GUI thread.
class TraceSession : public QObject
{
    Q_OBJECT
public:
    enum class Phase { none, loading, ready, failed };

    TraceSession(TaskRunner& tasks, std::shared_ptr<TraceGateway> gateway, QObject* parent = nullptr);

    /// Opens a recording of any kind that the importers know. The former trace stays until the new one is there.
    void openFile(const QString& file);
    /// Opens a trace of a workspace.
    void openStored(const std::filesystem::path& workspace, store::TraceId trace, const QString& name);
    /// Runs a trial once more while everything is recorded, stores the trace in the workspace and shows it.
    void capture(const std::filesystem::path& workspace, model::TrialId trial, const QString& name,
                 const CaptureExtent& extent = {});
    void cancel();

    Phase phase() const { return m_phase; }
    const QString& name() const { return m_name; }
    const QString& step() const { return m_step; } ///< step of a capture while it runs: "warm-up"; else empty
    double progress() const { return m_progress; } ///< 0…1 while loading
    const base::Error& error() const { return m_error; }
    /// The reason why the hardware counters that a capture was to read are missing.
    const std::optional<base::Error>& noCounters() const { return m_noCounters; }

    const timeline::TimelinePtr& timeline() const { return m_timeline; } ///< null before the first trace
    /// Statistics of the filter's range, else of the whole trace; null while they are computed.
    const std::shared_ptr<const timeline::RangeStatistics>& statistics() const { return m_statistics; }

    /// The report for the filter's range, else for the steady iterations. After a change of the filter the former
    /// report stays until the new one is there. It is null while the first one is computed.
    const TraceReportPtr& report() const { return m_report; }
    /// The report without a filter; null while it is computed.
    const TraceReportPtr& wholeReport() const { return m_whole; }
    /// Whether statistics and report belong to the present filter.
    bool isCurrent() const { return !m_settle.isActive() && m_reportedFor == m_filter && m_report && m_statistics; }

    /// The workspace of a stored trace; empty for a trace that was opened from a file.
    const std::filesystem::path& workspace() const { return m_workspace; }
    /// The id of a stored trace in its workspace; 0 for a trace that was opened from a file.
    std::int64_t traceId() const { return m_context.traceId; }

    const std::optional<trace::TimeRange>& filter() const { return m_filter; }
    void setFilter(std::optional<trace::TimeRange> range);

    /// Asks the timeline to show a range or an event, for other views.
    void show(trace::TimeRange range) { Q_EMIT rangeRequested(range); }
    void show(timeline::EventRef event) { Q_EMIT eventRequested(event); }

    /// Names the tab that the page is to show next: "timeline". Empty: the page chooses.
    void wantTab(const QString& tab) { m_tab = tab; }
    const QString& wantedTab() const { return m_tab; }

    /// Names the trace of the workspace that the difference is to be shown to; empty: the page chooses.
    void wantOther(std::optional<store::TraceId> trace) { m_other = trace; }
    const std::optional<store::TraceId>& wantedOther() const { return m_other; }

    /// Whether a finding can be verified: the trace is that of a trial in the workspace, and a switch makes the change.
    bool canVerify(const advice::Finding& finding) const;
    /// Whether the trace is that of a trial in the workspace.
    bool isOfTrial() const { return m_ofTrial.has_value(); }
    /// Measures the trial with and without the change. Returns false while another verification runs. `key` is the name
    /// of the run; empty: the finding's rule. `commandLine` repeats it; empty: that of `apertune trace verify`.
    bool verifyFinding(const advice::Finding& finding, const std::string& key = {},
                       const std::string& commandLine = {});
    bool isVerifying() const;
    void cancelVerification();
    /// The verification with that key; null: none was started on this trace.
    const VerificationRun* run(const std::string& key) const;

    bool isSettled() const;

Q_SIGNALS:
    void changed(); ///< the phase, the progress or the trace changed
    void statisticsChanged();
    void filterChanged();
    void reportChanged();
    void verificationChanged();
    void rangeRequested(apertune::trace::TimeRange range);
    void eventRequested(apertune::timeline::EventRef event);

private:
    using Loader = std::function<base::Result<OpenedTrace>(const LoadTask&)>;
    void open(const QString& name, Loader loader, const std::filesystem::path& workspace = {});
    void deliver(base::Result<OpenedTrace> opened, const std::filesystem::path& workspace);
    void computeStatistics();
    void computeReport();

    TaskRunner& m_tasks;
    std::shared_ptr<TraceGateway> m_gateway;
    Phase m_phase = Phase::none;
    QString m_name;
    QString m_tab;
    std::optional<store::TraceId> m_other;
    QString m_step;
    double m_progress = 0;
    base::Error m_error;
    std::optional<base::Error> m_noCounters;
    timeline::TimelinePtr m_timeline;
    std::shared_ptr<const timeline::RangeStatistics> m_statistics;
    advice::Context m_context;
    TraceReportPtr m_whole; ///< report of the trace without a filter
    TraceReportPtr m_report;
    std::optional<trace::TimeRange> m_reportedFor; ///< the filter that m_report holds for
    std::optional<trace::TimeRange> m_filter;
    std::filesystem::path m_workspace;       ///< the workspace of a stored trace
    std::optional<store::TraceId> m_ofTrial; ///< the traced trial's trace, if the trace is one of a trial
    std::map<std::string, VerificationRun> m_verifications; ///< the key is that of verifyFinding()
    QTimer m_settle;                                        ///< delays the statistics until a drag pauses
};

} // namespace apertune::gui
