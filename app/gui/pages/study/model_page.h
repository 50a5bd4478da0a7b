// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/model_view.h"
#include "app/gui/session/page.h"

class QPushButton;
class QStackedWidget;

namespace apertune::controls {
class KpiCard;
class Panel;
class SearchField;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
}

namespace apertune::gui {

class ImportBar;
class MemoryPanel;

/// The choice of a model, and its structure: the workspace's models and the zoo, import, the facts of the manifest, the
/// memory that a run is estimated to need, and the layers with their costs.
class ModelPage final : public Page
{
    Q_OBJECT
public:
    ModelPage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    void cancelOrClear() override;
    void setFilter(const QString& text) override;
    bool isReady() const override;

private:
    QWidget* makeList(QWidget* parent);
    QWidget* makeModel(QWidget* parent);
    QWidget* makeOffer(QWidget* parent);
    void refreshList();
    void refreshModel();
    void refreshMemory(const model::ModelRef& model);
    void choose(qint64 key);
    void tune();
    const ModelChoice* choice() const;
    const model::ModelRef* imported() const;

    std::vector<ModelChoice> m_choices;
    QString m_chosen; ///< source of the zoo entry that is shown; empty: the session's model
    bool m_quiet = false;
    tables::TextTableModel* m_list = nullptr;
    tables::LeanTable* m_listTable = nullptr;
    ImportBar* m_import = nullptr;
    QStackedWidget* m_stack = nullptr;
    std::array<controls::KpiCard*, 4> m_cards{};
    std::array<controls::FactList*, 2> m_facts{}; ///< two lists side by side
    MemoryPanel* m_memory = nullptr;
    std::string m_memoryOf; ///< content hash of the model whose memory is shown or worked out
    bool m_estimated = false;
    controls::Panel* m_layerPanel = nullptr;
    controls::SearchField* m_filter = nullptr;
    tables::TextTableModel* m_layers = nullptr;
    tables::LeanTable* m_layerTable = nullptr;
    controls::Label* m_noLayers = nullptr;
    controls::Label* m_offerTitle = nullptr;
    controls::Label* m_offerText = nullptr;
    QPushButton* m_offerImport = nullptr;
    QAction* m_design = nullptr;
    QAction* m_tune = nullptr;
};

} // namespace apertune::gui
