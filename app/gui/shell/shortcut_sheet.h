// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page_spec.h"

#include <QWidget>

class QScrollArea;

namespace apertune::gui {

/// All shortcuts, by place, in a sheet that covers the window. A click closes it, and so does any key that does not
/// scroll. It lists the tables that the views use, so it is always complete. GUI thread.
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
    QWidget* m_before = nullptr; ///< the widget that had the focus; only compared
};

} // namespace apertune::gui
