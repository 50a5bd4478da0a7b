// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/baseline_bar.h"

#include "widgets/controls/flow_layout.h"
#include "widgets/controls/label.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/icons.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Tone;

namespace {

/// "release (t12)", or "t12" for a baseline without a name.
QString baselineWord(const model::Baseline& baseline)
{
    const QString trial = QStringLiteral("t%1").arg(baseline.trial.value);
    return baseline.name.empty() ? trial : QStringLiteral("%1 (%2)").arg(theme::toQt(baseline.name), trial);
}

} // namespace

BaselineBar::BaselineBar(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* line = new QWidget(this);
    auto* flow = new controls::FlowLayout(line, 8);
    m_star = new QPushButton(line);
    m_star->setIcon(theme::icon(QStringLiteral("star")));
    m_star->setToolTip(tr("Baselines are found by name on the command line, and offered wherever trials are compared"));
    m_name = new QLineEdit(line);
    m_name->setPlaceholderText(tr("name: release"));
    m_name->ensurePolished(); // the style sets the font
    m_name->setMinimumWidth(m_name->fontMetrics().horizontalAdvance(m_name->placeholderText()) + 22);
    m_name->setAccessibleName(tr("Name of the baseline"));
    m_name->setToolTip(tr("A letter first; then up to 63 letters, digits, '.', '_' and '-'. It is unique in the "
                          "workspace."));
    m_setName = new QPushButton(tr("Set the name"), line);
    m_others = new QComboBox(line);
    m_others->setAccessibleName(tr("Baseline to compare with"));
    m_others->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_others->setMinimumContentsLength(18);
    m_compare = new QPushButton(tr("Compare with this baseline"), line);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_star), static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_setName),
          static_cast<QWidget*>(m_others), static_cast<QWidget*>(m_compare)})
        flow->addWidget(widget);
    layout->addWidget(line);
    auto* problem = new QWidget(this);
    auto* problemFlow = new controls::FlowLayout(problem, 8);
    m_problem = new Label({}, theme::Type::body, Tone::warn, problem);
    m_take = new QPushButton(tr("Move the name here"), problem);
    problemFlow->addWidget(m_problem);
    problemFlow->addWidget(m_take);
    layout->addWidget(problem);
    connect(m_star, &QPushButton::clicked, this, [this] { change(!m_context.session.baselineOf(m_trial), {}, false); });
    connect(m_setName, &QPushButton::clicked, this, [this] { change(true, m_name->text(), false); });
    connect(m_name, &QLineEdit::returnPressed, this, [this] {
        if (m_setName->isEnabled())
            change(true, m_name->text(), false);
    });
    connect(m_take, &QPushButton::clicked, this, [this] { change(true, m_name->text(), true); });
    connect(m_name, &QLineEdit::textChanged, this, &BaselineBar::showProblem);
    connect(m_compare, &QPushButton::clicked, this, &BaselineBar::compare);
    connect(&context.session, &Session::workspaceChanged, this, &BaselineBar::refresh);
    connect(&context.session, &Session::trialSelected, this, &BaselineBar::refresh);
    refresh();
}

void BaselineBar::refresh()
{
    const Session& session = m_context.session;
    const model::Baseline* own = session.baselineOf(session.selectedTrial());
    const QString name = own ? theme::toQt(own->name) : QString();
    // The workspace is read again after each change; a name that is being typed stays.
    if (session.selectedTrial() != m_trial || !m_name->hasFocus())
        m_name->setText(name);
    m_trial = session.selectedTrial();
    m_star->setText(own ? tr("Remove the baseline mark") : tr("Mark as a baseline"));
    m_star->setEnabled(static_cast<bool>(m_trial));
    const QString before = m_others->currentText();
    m_others->clear();
    for (const StarredTrial& starred : session.baselines())
        if (starred.baseline.trial != m_trial)
            m_others->addItem(baselineWord(starred.baseline), static_cast<qlonglong>(starred.baseline.trial.value));
    m_others->setCurrentIndex(std::max(0, m_others->findText(before)));
    m_others->setVisible(m_others->count() > 0);
    m_compare->setVisible(m_others->count() > 0);
    showProblem();
}

/// Says why the typed name cannot be set, before it is tried.
void BaselineBar::showProblem()
{
    const Session& session = m_context.session;
    const std::string name = theme::toStd(m_name->text());
    const model::Baseline* own = session.baselineOf(m_trial);
    const bool same = own ? own->name == name : name.empty();
    const base::Status valid = name.empty() ? base::Status() : model::checkBaselineName(name);
    const auto other =
        std::find_if(session.baselines().begin(), session.baselines().end(), [&](const StarredTrial& starred) {
            return !name.empty() && starred.baseline.name == name && starred.baseline.trial != m_trial;
        });
    const bool taken = other != session.baselines().end();
    m_setName->setEnabled(m_trial && !same && valid && !taken);
    m_take->setVisible(taken);
    m_problem->setText(!valid  ? theme::fromCore(valid.error())
                       : taken ? tr("Trial t%1 has this name.").arg(other->baseline.trial.value)
                               : QString());
    m_problem->parentWidget()->setVisible(!m_problem->text().isEmpty());
}

void BaselineBar::change(bool starred, const QString& name, bool replace)
{
    if (!m_trial)
        return;
    m_context.tasks.start(
        this, QStringLiteral("baseline"),
        [gateway = m_context.studyGateway, file = m_context.session.file(),
         change = BaselineChange{m_trial, starred, theme::toStd(name), replace}](const TaskRunner::Scope&) {
            return gateway->changeBaseline(file, change);
        },
        [this](const base::Status& changed) {
            if (changed) {
                m_name->clearFocus();
                m_context.session.requestReading();
                return;
            }
            m_problem->setText(theme::fromCore(changed.error()));
            m_problem->parentWidget()->show();
        });
}

void BaselineBar::compare()
{
    Session& session = m_context.session;
    const model::TrialId other{m_others->currentData().toLongLong()};
    for (const StarredTrial& starred : session.baselines())
        if (starred.baseline.trial == other && session.snapshot()) {
            session.setComparison({session.file(), starred.study, other},
                                  {session.file(), session.snapshot()->study.id, m_trial});
            m_context.navigate(PageId::compare);
            return;
        }
}

} // namespace apertune::gui
