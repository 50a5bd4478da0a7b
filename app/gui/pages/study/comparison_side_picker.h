// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/session.h"
#include "widgets/controls/panel.h"

#include <vector>

class QComboBox;

namespace apertune::gui {

/// The studies of one workspace that can be compared.
struct WorkspaceStudies
{
    std::filesystem::path file;
    std::vector<store::StudySummary> studies;
};

/// One side of the Compare page: a study of a workspace, as a whole or one trial of it. GUI thread.
class ComparisonSidePicker final : public controls::Panel
{
    Q_OBJECT
public:
    ComparisonSidePicker(const QString& title, const QString& name, QWidget* parent);

    /// The first workspace is the open one. Studies of the others show their file.
    void setStudies(const std::vector<WorkspaceStudies>& workspaces);
    /// Shows a side without a signal. `snapshot` of its study lists the configurations; it may be null.
    void setSide(const ComparisonSide& side, const std::shared_ptr<const model::StudySnapshot>& snapshot,
                 const QString& facts);

Q_SIGNALS:
    void chosen(const apertune::gui::ComparisonSide& side);
    void otherWorkspaceWanted();

private:
    void showStudy();
    void chooseStudy(int index);
    void chooseCell(int index);

    QComboBox* m_study = nullptr;
    QComboBox* m_cell = nullptr;
    controls::Label* m_facts = nullptr;
    std::vector<ComparisonSide> m_entries; ///< entries of m_study, in its order
    ComparisonSide m_side;
};

} // namespace apertune::gui
