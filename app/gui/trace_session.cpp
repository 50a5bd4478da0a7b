// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/trace_session.h"

#include "widgets/theme/format.h"

#include <QFileInfo>

namespace apertune::gui {
namespace {

const QString kOpen = QStringLiteral("open");
const QString kReport = QStringLiteral("report");
const QString kStatistics = QStringLiteral("statistics");
constexpr int kSettle = 60; // ms

} // namespace

TraceSession::TraceSession(TaskRunner& tasks, std::shared_ptr<Gateway> gateway, QObject* parent)
    : QObject(parent), m_tasks(tasks), m_gateway(std::move(gateway))
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettle);
    connect(&m_settle, &QTimer::timeout, this, &TraceSession::computeStatistics);
}

void TraceSession::openFile(const QString& file)
{
    const std::filesystem::path path(theme::toStd(QFileInfo(file).absoluteFilePath()));
    open(QFileInfo(file).fileName(),
         [gateway = m_gateway, path](const LoadTask& task) { return gateway->importTrace(path, task); });
}

void TraceSession::openStored(const std::filesystem::path& workspace, store::TraceId trace, const QString& name)
{
    open(name, [gateway = m_gateway, workspace, trace](const LoadTask& task) {
        return gateway->storedTrace(workspace, trace, task);
    });
}

void TraceSession::capture(const std::filesystem::path& workspace, model::TrialId trial, const QString& name)
{
    open(name, [gateway = m_gateway, workspace, trial](const LoadTask& task) {
        return gateway->traceTrial(workspace, trial, task);
    });
}

void TraceSession::open(const QString& name, Loader loader)
{
    m_name = name;
    m_phase = Phase::loading;
    m_progress = 0;
    m_step.clear();
    Q_EMIT changed();
    m_tasks.start(
        this, kOpen,
        [this, loader = std::move(loader)](const TaskRunner::Scope& scope) -> base::Result<trace::TimelinePtr> {
            LoadTask task;
            task.stop = scope.stop();
            task.progress = [this, &scope](double share) {
                scope.post([this, share] { // runs only while this task and its receiver live
                    m_progress = share;
                    Q_EMIT changed();
                });
            };
            task.phase = [this, &scope](const std::string& phase) {
                scope.post([this, step = theme::toQt(phase)] {
                    m_step = step;
                    Q_EMIT changed();
                });
            };
            const base::Result<trace::TracePtr> loaded = loader(task);
            if (!loaded)
                return loaded.error();
            trace::TimelinePtr timeline = trace::Timeline::build(*loaded, scope.stop());
            if (!timeline)
                return base::Error{base::ErrorCode::cancelled, "Opening was cancelled."};
            return timeline;
        },
        [this](base::Result<trace::TimelinePtr> timeline) { deliver(std::move(timeline)); });
}

void TraceSession::deliver(base::Result<trace::TimelinePtr> timeline)
{
    if (!timeline) {
        m_error = timeline.error();
        m_phase =
            m_error.code == base::ErrorCode::cancelled ? (m_timeline ? Phase::ready : Phase::none) : Phase::failed;
        Q_EMIT changed();
        return;
    }
    m_timeline = std::move(*timeline);
    m_phase = Phase::ready;
    m_filter.reset();
    m_statistics.reset();
    m_report.reset();
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
    m_settle.stop();
    const trace::TimeRange range = m_filter.value_or(m_timeline->extent());
    m_tasks.start(
        this, kStatistics,
        [timeline = m_timeline, range](const TaskRunner::Scope& scope) {
            return trace::rangeStatistics(*timeline, range, scope.stop());
        },
        [this](std::shared_ptr<const trace::RangeStatistics> statistics) {
            m_statistics = std::move(statistics);
            Q_EMIT statisticsChanged();
        });
}

void TraceSession::computeReport()
{
    m_tasks.start(
        this, kReport, [trace = m_timeline->tracePtr()](const TaskRunner::Scope&) { return makeTraceReport(trace); },
        [this](TraceReportPtr report) {
            m_report = std::move(report);
            Q_EMIT reportChanged();
        });
}

bool TraceSession::isSettled() const
{
    return m_phase != Phase::loading && !m_settle.isActive() &&
           (!m_timeline || (m_statistics != nullptr && m_report != nullptr));
}

} // namespace apertune::gui
