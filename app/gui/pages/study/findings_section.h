// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/study_findings_view.h"

#include <QWidget>

class QVBoxLayout;

namespace apertune::controls {
class CommandLine;
}

namespace apertune::gui {

/// What rules find in a study, as cards with their evidence. A click on a trial of the evidence leads to it. GUI
/// thread.
class FindingsSection : public QWidget
{
    Q_OBJECT
public:
    explicit FindingsSection(QWidget* parent = nullptr);

    /// Null empties the section.
    void setView(std::shared_ptr<const StudyFindingsView> view);

Q_SIGNALS:
    void trialChosen(apertune::model::TrialId trial);

private:
    QWidget* makeCard(const StudyFindingCard& finding, QWidget* parent);

    std::shared_ptr<const StudyFindingsView> m_view;
    QVBoxLayout* m_layout = nullptr;
    controls::CommandLine* m_command = nullptr;
};

} // namespace apertune::gui
