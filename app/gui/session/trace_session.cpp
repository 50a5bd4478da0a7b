// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/trace_session.h"

#include "app/gui/presenters/phase_word.h"
#include "widgets/theme/format.h"

#include <QFileInfo>

#include <algorithm>

namespace apertune::gui {
namespace {

const QString kOpen = QStringLiteral("open");
const QString kMips = QStringLiteral("mips");
const QString kVerify = QStringLiteral("verify");
const QString kReport = QStringLiteral("report");
const QString kStatistics = QStringLiteral("statistics");
constexpr int kSettle = 60; // ms that a drag has to pause before statistics are computed

} // namespace

TraceSession::TraceSession(TaskRunner& tasks, std::shared_ptr<TraceGateway> gateway, QObject* parent)
    : QObject(parent), m_tasks(tasks), m_gateway(std::move(gateway))
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettle);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        computeStatistics();
        computeReport();
    });
}

void TraceSession::openFile(const QString& file)
{
    const std::filesystem::path path(theme::toStd(QFileInfo(file).absoluteFilePath()));
    open(QFileInfo(file).fileName(),
         [gateway = m_gateway, path](const LoadTask& task) { return gateway->importTrace(path, task); });
}

void TraceSession::openStored(const std::filesystem::path& workspace, store::TraceId trace, const QString& name)
{
    open(
        name,
        [gateway = m_gateway, workspace, trace](const LoadTask& task) {
            return gateway->storedTrace(workspace, trace, task);
        },
        workspace);
}

void TraceSession::capture(const std::filesystem::path& workspace, model::TrialId trial, const QString& name,
                           const CaptureExtent& extent)
{
    open(
        name,
        [gateway = m_gateway, workspace, trial, extent](const LoadTask& task) {
            return gateway->traceTrial(workspace, trial, extent, task);
        },
        workspace);
}

void TraceSession::open(const QString& name, Loader loader, const std::filesystem::path& workspace)
{
    m_name = name;
    m_phase = Phase::loading;
    m_progress = 0;
    m_step.clear();
    Q_EMIT changed();
    m_tasks.start(
        this, kOpen,
        [this, loader = std::move(loader)](const TaskRunner::Scope& scope) -> base::Result<OpenedTrace> {
            LoadTask task;
            task.stop = scope.stop();
            task.progress = [this, &scope](double share) {
                scope.post([this, share] { // dropped if the task is stale or its receiver is gone
                    m_progress = share;
                    Q_EMIT changed();
                });
            };
            task.phase = [this, &scope](study::Phase phase) {
                scope.post([this, step = phaseWord(phase)] {
                    m_step = step;
                    Q_EMIT changed();
                });
            };
            base::Result<OpenedTrace> opened = loader(task);
            // An imported recording has no timeline yet; a stored one was opened with it.
            if (opened && !opened->timeline)
                opened->timeline = timeline::Timeline::build(opened->trace, scope.stop());
            if (opened && !opened->timeline)
                return base::plainError(base::ErrorCode::cancelled, theme::toStd(tr("Opening was cancelled.")));
            return opened;
        },
        [this, workspace](base::Result<OpenedTrace> opened) { deliver(std::move(opened), workspace); });
}

void TraceSession::deliver(base::Result<OpenedTrace> opened, const std::filesystem::path& workspace)
{
    if (!opened) {
        m_error = opened.error();
        m_phase =
            // A cancelled opening leaves the former trace on the page.
            m_error.code == base::ErrorCode::cancelled ? (m_timeline ? Phase::ready : Phase::none) : Phase::failed;
        Q_EMIT changed();
        return;
    }
    m_timeline = std::move(opened->timeline);
    m_context = std::move(opened->context);
    m_noCounters = std::move(opened->noCounters);
    // A verification of the former trace would be shown at a finding of the new one.
    cancelVerification();
    m_verifications.clear();
    m_workspace = workspace;
    m_ofTrial = opened->ofTrial;
    if (!workspace.empty() && !m_timeline->trace().name.empty())
        m_name = theme::toQt(m_timeline->trace().name); // a trace from a file keeps the name of the file
    if (opened->withoutMips)                            // quiet: the user does not wait for it
        m_tasks.start(
            this, kMips,
            [gateway = m_gateway, workspace, id = *opened->withoutMips, timeline = m_timeline](
                const TaskRunner::Scope&) { static_cast<void>(gateway->keepMips(workspace, id, *timeline)); },
            [] {}, TaskRunner::Noise::quiet);
    m_phase = Phase::ready;
    m_filter.reset();
    m_statistics.reset();
    m_tasks.cancel(this, kReport); // it works on the former trace
    m_whole.reset();
    m_report.reset();
    m_reportedFor.reset();
    computeStatistics();
    computeReport();
    Q_EMIT changed();
    Q_EMIT filterChanged();
}

void TraceSession::cancel()
{
    m_tasks.cancel(this, kOpen);
    if (m_phase == Phase::loading) {
        m_phase = m_timeline ? Phase::ready : Phase::none;
        m_name = m_timeline ? theme::toQt(m_timeline->trace().name) : QString();
        Q_EMIT changed();
    }
}

void TraceSession::setFilter(std::optional<trace::TimeRange> range)
{
    if (m_filter == range)
        return;
    m_filter = range;
    m_settle.start();
    Q_EMIT filterChanged();
}

void TraceSession::computeStatistics()
{
    if (!m_timeline)
        return;
    // The range is settled now; a pending timer would compute the same again.
    m_settle.stop();
    // Ranges are half open. The end is moved by one so that an event that begins at the end of the trace counts.
    const trace::TimeRange extent = m_timeline->extent();
    const trace::TimeRange range = m_filter.value_or(trace::TimeRange{extent.start, extent.end + 1});
    m_tasks.start(
        this, kStatistics,
        [timeline = m_timeline, range](const TaskRunner::Scope& scope) {
            return timeline::rangeStatistics(*timeline, range, scope.stop());
        },
        [this](std::shared_ptr<const timeline::RangeStatistics> statistics) {
            m_statistics = std::move(statistics);
            Q_EMIT statisticsChanged();
        });
}

void TraceSession::computeReport()
{
    if (!m_timeline)
        return;
    const auto deliver = [this](const TraceReportPtr& report, const std::optional<trace::TimeRange>& filter) {
        m_report = report;
        m_reportedFor = filter;
        Q_EMIT reportChanged();
    };
    if (!m_whole) {
        if (m_tasks.isRunning(this, kReport))
            return; // the delivery of the running task looks at the filter
        m_tasks.start(
            this, kReport,
            [trace = m_timeline->tracePtr(), context = m_context](const TaskRunner::Scope&) {
                return makeTraceReport(trace, context);
            },
            [this, deliver](TraceReportPtr report) {
                m_whole = std::move(report);
                deliver(m_whole, std::nullopt);
                if (m_filter)
                    computeReport();
            });
        return;
    }
    // The report of the whole trace is kept, so that removing the filter needs no work.
    if (!m_filter || m_filter->empty()) {
        m_tasks.cancel(this, kReport);
        deliver(m_whole, m_filter);
        return;
    }
    m_tasks.start(
        this, kReport,
        [whole = m_whole, range = *m_filter](const TaskRunner::Scope&) { return makeTraceReport(*whole, range); },
        // The filter of the task is delivered with its report, because the present one may be another by then.
        [deliver, filter = m_filter](const TraceReportPtr& report) { deliver(report, filter); });
}

bool TraceSession::canVerify(const advice::Finding& finding) const
{
    return m_ofTrial && runs::canApply(finding.knob);
}

bool TraceSession::isVerifying() const
{
    return std::ranges::any_of(m_verifications, [](const auto& entry) { return entry.second.running; });
}

bool TraceSession::verifyFinding(const advice::Finding& finding, const std::string& key, const std::string& commandLine)
{
    if (!canVerify(finding) || isVerifying())
        return false;
    const std::string run = key.empty() ? finding.rule : key;
    m_verifications[run] = {true, {}, {}, {}};
    Q_EMIT verificationChanged();
    m_tasks.start(
        this, kVerify,
        [this, gateway = m_gateway, workspace = m_workspace, trace = *m_ofTrial, finding, run,
         commandLine](const TaskRunner::Scope& scope) {
            LoadTask task;
            task.stop = scope.stop();
            task.phase = [this, &scope, run](study::Phase phase) {
                scope.post([this, run, step = phaseWord(phase)] {
                    m_verifications[run].step = step;
                    Q_EMIT verificationChanged();
                });
            };
            return gateway->verifyFinding(workspace, trace, finding, commandLine, task);
        },
        [this, run](base::Result<runs::Verification> verification) {
            VerificationRun& ended = m_verifications[run];
            ended.running = false;
            if (verification)
                ended.verification = std::move(*verification);
            else if (verification.error().code != base::ErrorCode::cancelled)
                ended.error = verification.error();
            else
                // A verification that the user stopped leaves no trace in the list of findings.
                m_verifications.erase(run);
            Q_EMIT verificationChanged();
        });
    return true;
}

void TraceSession::cancelVerification()
{
    if (!m_tasks.isRunning(this, kVerify))
        return;
    m_tasks.cancel(this, kVerify);
    std::erase_if(m_verifications, [](const auto& entry) { return entry.second.running; });
    Q_EMIT verificationChanged();
}

const VerificationRun* TraceSession::run(const std::string& key) const
{
    const auto found = m_verifications.find(key);
    return found == m_verifications.end() ? nullptr : &found->second;
}

bool TraceSession::isSettled() const
{
    return m_phase != Phase::loading && (!m_timeline || isCurrent());
}

} // namespace apertune::gui
