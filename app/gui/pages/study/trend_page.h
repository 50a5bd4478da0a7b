// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/trend_view.h"
#include "app/gui/session/page.h"

#include <optional>

class QStackedLayout;
class QVBoxLayout;

namespace apertune::controls {
class Chip;
class CommandLine;
class EmptyState;
class Panel;
class SearchField;
} // namespace apertune::controls
namespace apertune::plots {
class ChartView;
}
namespace apertune::tables {
class LeanTable;
}

namespace apertune::gui {

/// The page that follows each configuration over time, through all studies of the workspace: its trials with their
/// intervals, the steps between them, and what changed there.
class TrendPage final : public Page
{
    Q_OBJECT
public:
    TrendPage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;
    void cancelOrClear() override;
    void setFilter(const QString& text) override;

private:
    QWidget* makeContent();
    QWidget* makeHistory(QWidget* parent);
    void load();
    void present(std::shared_ptr<const TrendsView> view);
    void showRows();
    void showTrend();
    void showSentences(const comparison::Trend& trend);
    void showTrial(model::TrialId trial);
    const comparison::Trend* chosen() const;

    std::shared_ptr<const TrendsView> m_view; ///< null while it is read
    std::optional<std::int64_t> m_version;    ///< version of the workspace that m_view is of
    std::optional<model::TrialId> m_shown;    ///< the newest trial of the history that is shown, to keep the choice
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    controls::SearchField* m_filter = nullptr;
    controls::Chip* m_once = nullptr;
    tables::TextTableModel* m_trends = nullptr;
    tables::LeanTable* m_trendTable = nullptr;
    controls::Panel* m_chartPanel = nullptr;
    plots::ChartView* m_chart = nullptr;
    tables::TextTableModel* m_points = nullptr;
    tables::LeanTable* m_pointTable = nullptr;
    QWidget* m_sentences = nullptr; ///< made again for each history
    QVBoxLayout* m_sentenceLayout = nullptr;
    controls::CommandLine* m_command = nullptr;
};

} // namespace apertune::gui
