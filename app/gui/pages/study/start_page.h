// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page.h"
#include "core/models/zoo.h"

class QMenu;
class QPushButton;
class QVBoxLayout;

namespace apertune::controls {
class FactList;
class Label;
class Panel;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
class TextTableModel;
} // namespace apertune::tables

namespace apertune::gui {

/// The first page: recent studies, models to try, and this machine with what can be recorded on it.
class StartPage final : public Page
{
    Q_OBJECT
public:
    StartPage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;

private:
    QWidget* makeLeft();
    QWidget* makeRight();
    void refreshStudies();
    void refreshMachine();
    void refreshRecent();
    void fillStudyMenu(QMenu* menu, model::StudyId id);
    void askToDelete(model::StudyId id, const QString& name);
    void openSample();
    void chooseFile();
    void tune(const models::ZooEntry& entry);
    QWidget* makeBroken(QWidget* parent);
    void showLoadError();
    void repair();

    tables::TextTableModel* m_studies = nullptr;
    tables::LeanTable* m_studyTable = nullptr;
    controls::Label* m_noStudies = nullptr;
    QWidget* m_broken = nullptr; ///< shown instead of the studies of a workspace that cannot be read
    controls::Label* m_brokenTitle = nullptr;
    controls::Label* m_brokenText = nullptr;
    QPushButton* m_repair = nullptr;
    controls::Panel* m_zoo = nullptr;
    QPushButton* m_sample = nullptr;
    QAction* m_sweep = nullptr;
    controls::FactList* m_machine = nullptr;
    controls::FactList* m_capabilities = nullptr;
    QVBoxLayout* m_recent = nullptr;
    controls::Panel* m_recentPanel = nullptr;
};

} // namespace apertune::gui
