// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page.h"

#include <QTimer>

class QComboBox;

namespace apertune::controls {
class CommandLine;
class EmptyState;
class FactList;
class Label;
class Panel;
} // namespace apertune::controls
namespace apertune::plots {
class HeatMap;
}

namespace apertune::gui {

class AxesEditor;
class GoalEditor;
class MemoryPanel;

/// Designs a sweep. Axes and goal are on the left. On the right is the plan, made again after every change: which
/// configurations run, which cannot and why, and the estimated time and memory.
class SweepPage final : public Page
{
    Q_OBJECT
public:
    SweepPage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;

private:
    QWidget* makeDesign();
    QWidget* makePlan();
    void offerMachine();
    void refreshModels();
    /// The chosen model. A model of the zoo has the facts that are known before its import.
    std::optional<model::ModelRef> chosenModel() const;
    std::optional<study::StudyRequest> request();
    void planSoon();
    void plan();
    void start();
    void refreshActions();

    QComboBox* m_models = nullptr;
    AxesEditor* m_axes = nullptr;
    GoalEditor* m_goal = nullptr;
    controls::Label* m_headline = nullptr;
    controls::Label* m_estimate = nullptr;
    plots::HeatMap* m_grid = nullptr;
    controls::FactList* m_reasons = nullptr;
    controls::Panel* m_reasonPanel = nullptr;
    MemoryPanel* m_memory = nullptr;
    controls::CommandLine* m_command = nullptr;
    QAction* m_reset = nullptr;
    QAction* m_start = nullptr;
    QTimer m_delay;
    int m_runnable = 0;
    bool m_planned = false;
    QString m_chosen; ///< a model of the zoo that the user chose; empty: none
};

} // namespace apertune::gui
