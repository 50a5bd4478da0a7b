// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/app_context.h"

#include "app/gui/gateway/gateway.h"
#include "widgets/theme/format.h"

#include <QFileInfo>

namespace apertune::gui {
AppContext::AppContext(Settings& shared, const std::shared_ptr<Gateway>& gateway, const PageTable& table,
                       QObject* parent)
    : QObject(parent), settings(shared), studyGateway(gateway), traceGateway(gateway), exportGateway(gateway),
      jobGateway(gateway), engineGateway(gateway), pages(table), jobs(session, tasks, jobGateway),
      traces(tasks, traceGateway)
{
}

AppContext::~AppContext() = default;

void AppContext::probeMachine()
{
    tasks.start(
        this, QStringLiteral("probe"), [gateway = studyGateway](const TaskRunner::Scope&) { return gateway->probe(); },
        [this](Machine machine) { session.setMachine(std::move(machine)); });
}

void AppContext::openWorkspace(const QString& file)
{
    const QString path = QFileInfo(file).absoluteFilePath();
    settings.addRecentWorkspace(path);
    session.setFile(std::filesystem::path(theme::toStd(path)));
}

QString AppContext::traceFilter()
{
    return tr("Recordings (*.json *.json.gz *.json.zst *.sqlite *.db *.nsys-rep *.pftrace *.apertrace);;All files (*)");
}

bool AppContext::isTraceName(const QString& file)
{
    const QString name = file.toLower();
    // The last entry does not open, but its message says how to make a file that does.
    for (const char* ending : {".json", ".gz", ".zst", ".sqlite", ".db", ".nsys-rep", ".qdrep", ".pftrace",
                               ".perfetto-trace", ".apertrace", ".ncu-rep"}) {
        if (name.endsWith(QLatin1String(ending)))
            return true;
    }
    return false;
}

QString AppContext::modelPatterns()
{
    return QStringLiteral("*.pt *.pt2 *.pth *.ts *.torchscript *.onnx *.xml");
}

bool AppContext::isModelName(const QString& file)
{
    return modelPatterns().split(QLatin1Char(' ')).contains(QStringLiteral("*.") + QFileInfo(file).suffix().toLower());
}

void AppContext::openTrace(const QString& file)
{
    traces.openFile(file);
    navigate(PageId::trace);
}

void AppContext::openFile(const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == QStringLiteral("apertune")) {
        openWorkspace(file);
        return;
    }
    if (isModelName(file)) {
        models::ImportRequest request;
        request.source = theme::toStd(file);
        if (jobs.importModel(request))
            navigate(PageId::model);
        else
            notify({controls::Tone::warn, tr("Another job is running. Import the model when it has finished.")});
        return;
    }
    if (suffix == QStringLiteral("py")) {
        notify({controls::Tone::secondary,
                tr("A Python file needs the name of the function that makes the model: on the Model page, enter "
                   "python:%1:FUNCTION.")
                    .arg(file),
                tr("Go to Model"), [this] { navigate(PageId::model); }});
        return;
    }
    if (isTraceName(file)) {
        openTrace(file);
        return;
    }
    notify({controls::Tone::warn,
            tr("“%1” is no workspace (.apertune), model (%2) or recording (.json, .json.gz, .sqlite). "
               "Export the model with torch.jit.save, or name a zoo model on the Model page.")
                .arg(QFileInfo(file).fileName(),
                     modelPatterns().remove(QLatin1Char('*')).replace(QLatin1Char(' '), QStringLiteral(", ")))});
}

} // namespace apertune::gui
