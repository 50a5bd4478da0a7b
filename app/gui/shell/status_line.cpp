// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/status_line.h"

#include "app/gui/session/app_context.h"
#include "widgets/controls/label.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>

namespace apertune::gui {

StatusLine::StatusLine(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 4, 16, 4);
    layout->setSpacing(24);
    m_workspace = new controls::Label({}, theme::Type::caption, controls::Tone::secondary, this);
    m_job = new controls::Label({}, theme::Type::caption, controls::Tone::secondary, this);
    m_machine = new controls::Label({}, theme::Type::caption, controls::Tone::secondary, this);
    m_machine->setElided(true);
    m_machine->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(m_workspace);
    layout->addWidget(m_job);
    layout->addWidget(m_machine, 1);
    setAccessibleName(tr("Status"));
    connect(&context.session, &Session::workspaceChanged, this, &StatusLine::refreshWorkspace);
    connect(&context.session, &Session::machineChanged, this, &StatusLine::refreshMachine);
    connect(&context.session, &Session::snapshotChanged, this, &StatusLine::refreshMachine);
    connect(&context.jobs, &Jobs::stateChanged, this, &StatusLine::refreshJob);
    refreshWorkspace();
    refreshJob();
    refreshMachine();
}

void StatusLine::refreshWorkspace()
{
    const Session& session = m_context.session;
    const QString name = theme::toQt(session.file().filename().string());
    m_workspace->setToolTip(theme::toQt(session.file().string()));
    if (!session.isLoaded()) {
        m_workspace->setText(tr("Opening %1 …").arg(name));
    } else if (session.loadError()) {
        m_workspace->setText(tr("%1: cannot be read").arg(name));
    } else if (!session.workspaceExists()) {
        m_workspace->setText(tr("%1: new workspace").arg(name));
    } else {
        m_workspace->setText(tr("%1: %2").arg(
            name, theme::counted(static_cast<qint64>(session.studies().size()), tr("study"), tr("studies"))));
    }
}

void StatusLine::refreshJob()
{
    const JobState& job = m_context.jobs.state();
    if (job.kind == JobState::Kind::none) {
        m_job->setText(tr("idle"));
    } else if (job.kind == JobState::Kind::importing) {
        m_job->setText(tr("importing %1").arg(job.title));
    } else if (job.kind == JobState::Kind::underLoad) {
        m_job->setText(tr("%1 under load").arg(job.title));
    } else if (job.kind == JobState::Kind::measuringClaims) {
        m_job->setText(job.total > 0 ? tr("measuring claims: %1 of %2").arg(job.done + 1).arg(job.total)
                                     : tr("measuring claims"));
    } else {
        m_job->setText(job.total > 0 ? tr("sweeping %1: %2 of %3").arg(job.title).arg(job.done).arg(job.total)
                                     : tr("sweeping %1").arg(job.title));
    }
    m_job->setTone(job.busy() ? controls::Tone::accent : controls::Tone::secondary);
}

void StatusLine::refreshMachine()
{
    const auto& machine = m_context.session.machine();
    if (!machine) {
        m_machine->setText({});
        return;
    }
    QStringList parts;
    for (const model::Device& device : machine->devices) {
        QString text = theme::toQt(device.name.empty() ? device.id : device.name);
        if (device.clockMhz > 0)
            text += tr(" %1 MHz").arg(device.clockMhz);
        parts << text;
    }
    for (const auto& [name, value] : machine->environment.settings)
        if (name == "governor")
            parts << tr("governor %1").arg(theme::toQt(value));
    if (machine->environment.loadAverage > 0)
        parts << tr("load %1").arg(theme::number(machine->environment.loadAverage, 2));
    const auto snapshot = m_context.session.snapshot();
    if (const double floor = snapshot ? snapshot->noiseFloor() : 0; floor > 0)
        parts << tr("differences below %1 % cannot be detected").arg(theme::number(floor * 100, 2));
    m_machine->setText(parts.join(QStringLiteral("  ·  ")));
}

void StatusLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::current().panel);
    painter.fillRect(QRect(0, 0, width(), 1), theme::current().line);
}

} // namespace apertune::gui
