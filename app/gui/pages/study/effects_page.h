// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/effects_view.h"
#include "app/gui/session/page.h"

class QStackedLayout;

namespace apertune::controls {
class CommandLine;
class EmptyState;
class Label;
class Panel;
class SearchField;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
}

namespace apertune::gui {

/// The page that says what each setting of a study changes by itself: time, memory, energy, first answer and quality,
/// from pairs of trials that differ in it alone. The pairs behind the selected effect stand below it.
class EffectsPage final : public Page
{
    Q_OBJECT
public:
    EffectsPage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;
    void cancelOrClear() override;
    void setFilter(const QString& text) override;

private:
    QWidget* makeContent();
    void present(std::shared_ptr<const EffectsView> view);
    void showPairs();

    std::shared_ptr<const model::StudySnapshot> m_snapshot;
    std::shared_ptr<const EffectsView> m_view; ///< null while it is computed
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    controls::Panel* m_pairPanel = nullptr;
    controls::SearchField* m_filter = nullptr;
    controls::CommandLine* m_command = nullptr;
    tables::TextTableModel* m_effects = nullptr;
    tables::TextTableModel* m_pairs = nullptr;
    tables::LeanTable* m_effectTable = nullptr;
    tables::LeanTable* m_pairTable = nullptr;
};

} // namespace apertune::gui
