// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page_spec.h"

#include <QWidget>

class QScrollArea;

namespace apertune::gui {

/// All shortcuts over the whole window, by place; any key but those that scroll, a click or the same key again closes
/// it. What it lists are the tables that the keys are looked up in. GUI thread.
class ShortcutSheet : public QWidget
{
    Q_OBJECT
public:
    ShortcutSheet(const PageTable& pages, QWidget* window);

    void toggle();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void leave();

    QScrollArea* m_scroll = nullptr;
    QWidget* m_before = nullptr; ///< what had the focus; only compared
};

} // namespace apertune::gui
