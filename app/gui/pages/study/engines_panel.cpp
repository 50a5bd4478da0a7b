// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/engines_panel.h"

#include "app/gui/gateway/engine_gateway.h"
#include "app/gui/presenters/machine_view.h"
#include "app/gui/session/app_context.h"
#include "core/base/text.h"
#include "widgets/controls/label.h"
#include "widgets/controls/question.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>

namespace apertune::gui {

using controls::Label;
using controls::Tone;

EnginesPanel::EnginesPanel(AppContext& context, QWidget* parent)
    : Panel(tr("Inference engines"), parent), m_context(context)
{
    m_none = new Label(tr("No engine is installed, so nothing can be measured yet. Add one."), theme::Type::body,
                       Tone::warn, this);
    m_none->setWordWrap(true);
    m_progress = new QWidget(this);
    auto* progress = new QHBoxLayout(m_progress);
    progress->setContentsMargins(0, 0, 0, 0);
    m_progressText = new Label({}, theme::Type::body, Tone::secondary, m_progress);
    m_progressText->setWordWrap(true);
    auto* cancel = new QPushButton(tr("Cancel"), m_progress);
    cancel->setAccessibleName(tr("Cancel adding the engine"));
    connect(cancel, &QPushButton::clicked, this, [this] {
        if (m_stop)
            m_stop->request_stop();
    });
    progress->addWidget(m_progressText, 1);
    progress->addWidget(cancel);
    body()->addWidget(m_none);
    body()->addWidget(m_progress);
    connect(&context.session, &Session::machineChanged, this, &EnginesPanel::refresh);
    connect(&context.jobs, &Jobs::stateChanged, this, &EnginesPanel::updateButtons);
    refresh();
}

void EnginesPanel::refresh()
{
    m_buttons.clear();
    delete m_list;
    m_list = new QWidget(this);
    m_grid = new QGridLayout(m_list);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(1, 1);
    body()->addWidget(m_list);
    const auto& machine = m_context.session.machine();
    m_none->setVisible(machine && !hasEngine(*machine));
    if (!machine) {
        m_grid->addWidget(new Label(tr("looking …"), theme::Type::body, Tone::secondary, m_list), 0, 0);
    } else {
        int line = 0;
        for (const EngineRow& engine : engineRows(*machine))
            addRow(line++, engine);
    }
    m_list->show(); // A layout shows new widgets only when the event loop comes to it.
    updateButtons();
}

void EnginesPanel::updateButtons()
{
    m_progress->setVisible(m_stop != nullptr);
    const bool busy = m_context.jobs.state().busy();
    for (const auto& [button, toolTip] : m_buttons) {
        button->setEnabled(!m_stop && !busy);
        button->setToolTip(busy ? tr("A job is running. What changes an engine would disturb its measurements.")
                                : toolTip);
    }
}

void EnginesPanel::addRow(int line, const EngineRow& engine)
{
    auto* name = new Label(engine.title, theme::Type::body, Tone::secondary, m_list);
    auto* state = new Label(engine.state, theme::Type::body, engine.tone, m_list);
    state->setElided(true);
    name->setToolTip(engine.toolTip);
    state->setToolTip(engine.toolTip);
    m_grid->addWidget(name, line, 0);
    m_grid->addWidget(state, line, 1);
    if (engine.change == EngineRow::Change::none)
        return;
    const bool adds = engine.change == EngineRow::Change::add;
    auto* button = new QPushButton(adds ? tr("Add") : tr("Remove"), m_list);
    button->setAccessibleName(adds ? tr("Add %1").arg(engine.title) : tr("Remove %1").arg(engine.title));
    theme::setButtonKind(button, theme::ButtonKind::quiet);
    m_buttons.emplace_back(button, (adds ? tr("Installs %1 with pip (apertune engine add %2)")
                                         : tr("Deletes %1 from Apertune's own folder (apertune engine remove %2)"))
                                       .arg(engine.title, theme::toQt(engine.engine.backend)));
    connect(button, &QPushButton::clicked, this,
            [this, engine, adds] { adds ? askToAdd(engine) : askToRemove(engine); });
    m_grid->addWidget(button, line, 2);
}

void EnginesPanel::askToAdd(const EngineRow& engine)
{
    const QString consequence =
        tr("pip downloads %1 with all that it needs into a folder of Apertune's own. No Python environment of yours is "
           "changed. An engine with the libraries of CUDA takes several GB on the disk.")
            .arg(theme::toQt(base::join(engine.engine.requirements, " ")));
    controls::ask(
        this, {tr("Add %1?").arg(engine.title), consequence, tr("Add"), tr("Cancel"), QMessageBox::AcceptRole, false},
        [this, engine] { add(engine); });
}

void EnginesPanel::add(const EngineRow& engine)
{
    if (m_stop)
        return;
    m_stop = std::make_shared<std::stop_source>();
    m_began = QDateTime::currentDateTime();
    showProgress(engine.title, {});
    updateButtons();
    m_context.tasks.start(
        this, QStringLiteral("add engine"),
        [this, gateway = m_context.engineGateway, engine, stop = m_stop](const TaskRunner::Scope& scope) {
            // The task has a stop token, too: it is stopped when the window closes.
            const std::stop_callback chain(scope.stop(), [stop] { stop->request_stop(); });
            const worker::AddObserver observer = [&](base::Bytes bytes) {
                scope.post([this, title = engine.title, bytes] { showProgress(title, bytes); });
            };
            return gateway->addEngine(engine.engine, observer, stop->get_token());
        },
        [this, title = engine.title](base::Result<worker::AddedEngine> added) {
            m_stop.reset();
            updateButtons();
            if (added) {
                m_context.notify({Tone::good, tr("%1 was added: %2.").arg(title, theme::bytes(added->size))});
                m_context.probeMachine();
            } else if (added.error().code == base::ErrorCode::cancelled) {
                m_context.notify({Tone::warn, tr("Adding %1 was cancelled. Nothing of it is left.").arg(title)});
            } else {
                m_context.notify({Tone::bad, theme::fromCore(added.error())});
            }
        });
}

void EnginesPanel::showProgress(const QString& title, base::Bytes bytes)
{
    const auto seconds = static_cast<double>(m_began.secsTo(QDateTime::currentDateTime()));
    m_progressText->setText(
        tr("Adding %1: %2 so far, %3").arg(title, theme::bytes(bytes), theme::duration(base::fromSeconds(seconds))));
}

void EnginesPanel::askToRemove(const EngineRow& engine)
{
    const controls::Question question{
        tr("Remove %1?").arg(engine.title),
        tr("Its packages in Apertune's own folder are deleted. Studies and exports stay."), tr("Remove"), tr("Keep"),
        QMessageBox::DestructiveRole};
    controls::ask(this, question, [this, engine] { remove(engine); });
}

void EnginesPanel::remove(const EngineRow& engine)
{
    m_context.tasks.start(
        this, QStringLiteral("remove engine"),
        [gateway = m_context.engineGateway, backend = engine.engine.backend](const TaskRunner::Scope&) {
            return gateway->removeEngine(backend);
        },
        [this, title = engine.title](base::Result<base::Bytes> removed) {
            if (!removed) {
                m_context.notify({Tone::bad, theme::fromCore(removed.error())});
                return;
            }
            m_context.notify({Tone::good, tr("%1 was removed: %2 are free.").arg(title, theme::bytes(*removed))});
            m_context.probeMachine();
        });
}

} // namespace apertune::gui
