// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/claims_view.h"
#include "app/gui/session/page.h"

class QComboBox;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QStackedLayout;

namespace apertune::controls {
class CommandLine;
class EmptyState;
class FactList;
class Label;
class Panel;
class SearchField;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
}

namespace apertune::gui {

/// The page that puts the claims of optimization guides beside what this workspace measured. The selected claim has its
/// condition and the measurements behind it below. The header's action shows the plan of what is missing with its time,
/// and then carries it out as a job.
class ClaimsPage final : public Page
{
    Q_OBJECT
public:
    ClaimsPage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;
    void cancelOrClear() override;
    void setFilter(const QString& text) override;

private:
    enum View { nothing, content, plan };

    QWidget* makeContent();
    QWidget* makeClaims(QWidget* parent);
    QWidget* makeDetail(QWidget* parent);
    QWidget* makeProgress(QWidget* parent);
    QWidget* makePlan();
    void load();
    void present(const base::Result<std::shared_ptr<const ClaimsView>>& loaded);
    void showRows();
    void showClaim();
    void openTrial(model::TrialId trial);
    void showPlan();
    void showTime();
    void leavePlan();
    void measure();
    void refreshJob();
    ClaimFilter filter() const;
    base::Nanoseconds budget() const;

    std::shared_ptr<const ClaimsView> m_view; ///< null until the first one was computed
    claims::ClaimPlan m_plan;                 ///< plan for the claims that pass the filter
    bool m_loading = false;
    std::filesystem::path m_file; ///< workspace and version of m_view
    std::optional<std::int64_t> m_version;

    QAction* m_back = nullptr;
    QAction* m_measure = nullptr;
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    QComboBox* m_state = nullptr;
    QComboBox* m_topic = nullptr;
    controls::SearchField* m_search = nullptr;
    tables::TextTableModel* m_claims = nullptr;
    tables::LeanTable* m_claimTable = nullptr;
    controls::Label* m_none = nullptr; ///< in place of an empty table
    controls::FactList* m_facts = nullptr;
    controls::Panel* m_pairPanel = nullptr;
    tables::TextTableModel* m_pairs = nullptr;
    tables::LeanTable* m_pairTable = nullptr;
    controls::CommandLine* m_command = nullptr;
    QWidget* m_progress = nullptr;
    controls::Label* m_phase = nullptr;
    QProgressBar* m_bar = nullptr;
    QPushButton* m_stop = nullptr;
    tables::TextTableModel* m_planned = nullptr;
    tables::LeanTable* m_planTable = nullptr;
    controls::Label* m_time = nullptr;
    QSpinBox* m_seconds = nullptr;
    controls::CommandLine* m_planCommand = nullptr;
};

} // namespace apertune::gui
