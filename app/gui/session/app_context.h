// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/jobs.h"
#include "app/gui/session/page_spec.h"
#include "app/gui/session/session.h"
#include "app/gui/session/settings.h"
#include "app/gui/session/task_runner.h"
#include "app/gui/session/trace_session.h"
#include "widgets/controls/info_bar.h"

#include <QObject>

#include <memory>

namespace apertune::gui {

class EngineGateway;
class ExportGateway;
class Gateway;

/// Everything that a page may use; the program owns it. Pages start work through `jobs` and `tasks`, read `session`,
/// and use the signals to ask the window for what only the window can do. GUI thread.
class AppContext : public QObject
{
    Q_OBJECT
public:
    AppContext(Settings& settings, const std::shared_ptr<Gateway>& gateway, const PageTable& pages,
               QObject* parent = nullptr);
    ~AppContext() override;

    Settings& settings;
    std::shared_ptr<StudyGateway> studyGateway;
    std::shared_ptr<TraceGateway> traceGateway;
    std::shared_ptr<ExportGateway> exportGateway;
    std::shared_ptr<JobGateway> jobGateway;
    std::shared_ptr<EngineGateway> engineGateway;
    const PageTable& pages; ///< all pages of the window
    TaskRunner tasks;
    Session session;
    Jobs jobs;
    TraceSession traces;

    void navigate(PageId page) { Q_EMIT navigationRequested(page); }
    /// Shows a message strip under the header. It never opens a dialog.
    void notify(const controls::InfoBar::Message& message) { Q_EMIT messageRequested(message); }
    void dismiss(const QString& id) { Q_EMIT dismissRequested(id); }
    /// Finds out which devices and engines this machine has and what can be recorded on it, in a task that takes
    /// seconds. Session::machineChanged() tells that it has ended.
    void probeMachine();
    void openWorkspace(const QString& file);
    /// Opens a dropped or chosen file: a workspace, a model to import, or a recording to show. For any other file it
    /// says what is possible.
    void openFile(const QString& file);
    /// Shows a recording of Apertune or of another tool.
    void openTrace(const QString& file);
    /// Asks the user for a recording.
    void chooseTrace() { Q_EMIT traceWanted(); }
    static QString traceFilter();
    static bool isTraceName(const QString& file);
    /// The patterns of model files for a file dialog ("*.pt *.pth …"), and a test of a single name.
    static QString modelPatterns();
    static bool isModelName(const QString& file);

Q_SIGNALS:
    void navigationRequested(apertune::gui::PageId page);
    void traceWanted(); ///< the user is to choose a recording
    void messageRequested(const apertune::controls::InfoBar::Message& message);
    void dismissRequested(const QString& id);
};

} // namespace apertune::gui
