// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/comparison_side_picker.h"

#include "app/gui/presenters/tradeoffs_view.h"
#include "widgets/controls/label.h"
#include "widgets/theme/format.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace apertune::gui {

ComparisonSidePicker::ComparisonSidePicker(const QString& title, const QString& name, QWidget* parent)
    : Panel(title, parent)
{
    m_facts = new controls::Label({}, theme::Type::caption, controls::Tone::secondary, this);
    m_facts->setElided(true);
    m_study = new QComboBox(this);
    m_study->setAccessibleName(tr("Study of side %1").arg(name));
    m_study->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_study->setMinimumContentsLength(18);
    m_cell = new QComboBox(this);
    m_cell->setAccessibleName(tr("Configuration of side %1").arg(name));
    m_cell->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_cell->setMinimumContentsLength(12);
    auto* row = new QHBoxLayout;
    row->addWidget(m_study, 3);
    row->addWidget(m_cell, 2);
    body()->setSpacing(6);
    body()->addLayout(row);
    body()->addWidget(m_facts);
    connect(m_study, &QComboBox::activated, this, &ComparisonSidePicker::chooseStudy);
    connect(m_cell, &QComboBox::activated, this, &ComparisonSidePicker::chooseCell);
}

void ComparisonSidePicker::setStudies(const std::vector<WorkspaceStudies>& workspaces)
{
    m_study->clear();
    m_entries.clear();
    for (const WorkspaceStudies& workspace : workspaces) {
        for (const store::StudySummary& study : workspace.studies) {
            if (study.ok == 0)
                continue;
            QString text = theme::toQt(study.name);
            if (&workspace != &workspaces.front())
                text = tr("%1 in %2").arg(text, theme::toQt(workspace.file.filename().string()));
            m_study->addItem(text);
            m_study->setItemData(m_study->count() - 1, theme::toQt(workspace.file.string()), Qt::ToolTipRole);
            m_entries.push_back({workspace.file, study.id, {}});
        }
    }
    m_study->insertSeparator(m_study->count());
    m_study->addItem(tr("Another workspace …"));
    showStudy();
}

void ComparisonSidePicker::setSide(const ComparisonSide& side,
                                   const std::shared_ptr<const model::StudySnapshot>& snapshot, const QString& facts)
{
    m_side = side;
    m_facts->setText(facts);
    showStudy();
    m_cell->clear();
    m_cell->addItem(tr("Whole study"), qint64{0});
    if (snapshot) {
        for (const model::Trial& trial : snapshot->trials)
            if (trial.state == model::TrialState::ok)
                m_cell->addItem(configurationName(*snapshot, trial), static_cast<qint64>(trial.id.value));
    }
    m_cell->setCurrentIndex(std::max(0, m_cell->findData(static_cast<qint64>(side.trial.value))));
}

void ComparisonSidePicker::showStudy()
{
    int current = -1;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (m_entries[i].file == m_side.file && m_entries[i].study == m_side.study)
            current = static_cast<int>(i);
    m_study->setCurrentIndex(current);
}

void ComparisonSidePicker::chooseStudy(int index)
{
    if (index < 0 || index >= static_cast<int>(m_entries.size())) {
        showStudy(); // the last entry is an action and names no study
        Q_EMIT otherWorkspaceWanted();
        return;
    }
    Q_EMIT chosen(m_entries[static_cast<std::size_t>(index)]);
}

void ComparisonSidePicker::chooseCell(int index)
{
    ComparisonSide side = m_side;
    side.trial = model::TrialId{m_cell->itemData(index).toLongLong()};
    Q_EMIT chosen(side);
}

} // namespace apertune::gui
