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

/// A finding that is being tried, or was.
struct VerificationRun
{
    bool running = false;
    QString step;                                   ///< while it runs: "measure"
    std::optional<runs::Verification> verification; ///< when it came to an end
    base::Error error;                              ///< when it did not, and nobody cancelled it
};

/// The trace that the window looks at, and the one time filter that holds for all figures of it. Opening, search,
/// statistics and reports run as tasks; what is delivered is immutable. GUI thread.
class TraceSession : public QObject
{
    Q_OBJECT
public:
    enum class Phase { none, loading, ready, failed };

    TraceSession(TaskRunner& tasks, std::shared_ptr<TraceGateway> gateway, QObject* parent = nullptr);

    /// A recording of any kind that the importers know. The former trace stays until the new one is there.
    void openFile(const QString& file);
    /// A trace of a workspace.
    void openStored(const std::filesystem::path& workspace, store::TraceId trace, const QString& name);
    /// Runs a trial once more while everything is recorded, keeps the recording in the workspace and shows it.
    void capture(const std::filesystem::path& workspace, model::TrialId trial, const QString& name,
                 const CaptureExtent& extent = {});
    void cancel();

    Phase phase() const { return m_phase; }
    const QString& name() const { return m_name; }
    const QString& step() const { return m_step; } ///< of a capture, while loading: "warm-up"; else empty
    double progress() const { return m_progress; } ///< 0…1 while loading
    const base::Error& error() const { return m_error; }
    /// Why the hardware counters that a capture was to read are not there.
    const std::optional<base::Error>& noCounters() const { return m_noCounters; }

    const timeline::TimelinePtr& timeline() const { return m_timeline; } ///< null before the first trace
    /// Of the filter's range, else of the whole trace; null while it is being computed.
    const std::shared_ptr<const timeline::RangeStatistics>& statistics() const { return m_statistics; }

    /// Of the filter's range, else of the steady iterations. After a change of the filter the former one stays until
    /// the new one is there; null while the first one is being computed.
    const TraceReportPtr& report() const { return m_report; }
    /// Statistics and report are of the present filter.
    bool isCurrent() const { return !m_settle.isActive() && m_reportedFor == m_filter && m_report && m_statistics; }

    /// Where the trace is kept; empty: it was opened from a file and is kept nowhere.
    const std::filesystem::path& workspace() const { return m_workspace; }

    const std::optional<trace::TimeRange>& filter() const { return m_filter; }
    void setFilter(std::optional<trace::TimeRange> range);

    /// Another view asks the timeline for a range or an event.
    void show(trace::TimeRange range) { Q_EMIT rangeRequested(range); }
    void show(timeline::EventRef event) { Q_EMIT eventRequested(event); }

    /// The part of the page to show next, by name: "timeline"; empty: the page's choice.
    void wantTab(const QString& tab) { m_tab = tab; }
    const QString& wantedTab() const { return m_tab; }

    /// Whether the finding can be tried: the trace is of a trial of the workspace, and a switch does what it asks for.
    bool canVerify(const advice::Finding& finding) const;
    /// Runs the trial with and without the change. One at a time: false while another runs.
    bool prove(const advice::Finding& finding);
    void cancelVerification();
    /// Of the finding of that rule; null: none was begun on this trace.
    const VerificationRun* run(const std::string& rule) const;

    bool isSettled() const;

Q_SIGNALS:
    void changed(); ///< phase, progress, another trace
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
    QString m_step;
    double m_progress = 0;
    base::Error m_error;
    std::optional<base::Error> m_noCounters;
    timeline::TimelinePtr m_timeline;
    std::shared_ptr<const timeline::RangeStatistics> m_statistics;
    advice::Context m_context;
    TraceReportPtr m_whole; ///< of the trace without a filter
    TraceReportPtr m_report;
    std::optional<trace::TimeRange> m_reportedFor; ///< the filter that m_report holds for
    std::optional<trace::TimeRange> m_filter;
    std::filesystem::path m_workspace;                      ///< the workspace of a stored trace
    std::optional<store::TraceId> m_ofTrial;                ///< the trace, when a trial was traced
    std::map<std::string, VerificationRun> m_verifications; ///< the key is the rule
    QTimer m_settle;                                        ///< statistics wait until a drag pauses
};

} // namespace apertune::gui
