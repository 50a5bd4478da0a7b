// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/scroll_page.h"

#include <QEvent>
#include <QScrollBar>
#include <QVBoxLayout>

namespace apertune::controls {

ScrollPage::ScrollPage(QWidget* parent) : QScrollArea(parent)
{
    auto* content = new QWidget(this);
    m_body = new QVBoxLayout(content);
    m_body->setContentsMargins(16, 0, 16, 12);
    m_body->setSpacing(12);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    // Transparent, so that the window's canvas shows through.
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
}

QSize ScrollPage::minimumSizeHint() const
{
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
            QScrollArea::minimumSizeHint().height()};
}

bool ScrollPage::eventFilter(QObject* watched, QEvent* event)
{
    // QScrollArea does not forward changes of its content's minimum size.
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

} // namespace apertune::controls
