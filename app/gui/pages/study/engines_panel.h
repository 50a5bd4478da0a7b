// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "widgets/controls/panel.h"

#include <QDateTime>

#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

class QGridLayout;
class QPushButton;

namespace apertune::controls {
class Label;
} // namespace apertune::controls

namespace apertune::gui {

class AppContext;
struct EngineRow;

/// The inference engines of this machine. Buttons add engines with pip to Apertune's own folder, with progress and
/// cancel, and remove them from there. GUI thread.
class EnginesPanel final : public controls::Panel
{
    Q_OBJECT
public:
    EnginesPanel(AppContext& context, QWidget* parent);

private:
    void refresh();
    void updateButtons();
    void addRow(int line, const EngineRow& engine);
    void askToAdd(const EngineRow& engine);
    void askToRemove(const EngineRow& engine);
    void add(const EngineRow& engine);
    void remove(const EngineRow& engine);
    void showProgress(const QString& title, base::Bytes bytes);

    AppContext& m_context;
    controls::Label* m_none = nullptr; ///< the advice where no engine is there
    QWidget* m_list = nullptr;
    QGridLayout* m_grid = nullptr;
    std::vector<std::pair<QPushButton*, QString>> m_buttons; ///< with their tool tips
    QWidget* m_progress = nullptr;
    controls::Label* m_progressText = nullptr;
    QDateTime m_began;                        ///< when the engine that is being added was begun
    std::shared_ptr<std::stop_source> m_stop; ///< ends the adding of an engine; null: none is being added
};

} // namespace apertune::gui
