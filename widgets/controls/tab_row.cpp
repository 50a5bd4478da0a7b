// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tab_row.h"

#include "widgets/controls/flow_layout.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QAbstractButton>
#include <QMouseEvent>
#include <QPainter>

#include <functional>

namespace apertune::controls {
namespace {

class Tab final : public QAbstractButton
{
public:
    Tab(const QString& text, QWidget* parent) : QAbstractButton(parent)
    {
        setText(text);
        setCheckable(true);
        setAutoExclusive(true);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }

    QSize sizeHint() const override
    {
        // Measured in the strong font, so that choosing a tab moves none of the others.
        const QFontMetrics metrics(theme::font(theme::Type::bodyStrong));
        return {metrics.horizontalAdvance(text()) + 24, metrics.height() + 18};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

    std::function<void()> onPointed; ///< called after a click of the mouse

protected:
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        const bool click = isDown() && event->button() == Qt::LeftButton && hitButton(event->position().toPoint());
        QAbstractButton::mouseReleaseEvent(event);
        if (click)
            onPointed();
    }
    void paintEvent(QPaintEvent*) override
    {
        const theme::Tokens& t = theme::current();
        QPainter painter(this);
        const bool on = isChecked();
        painter.setFont(theme::font(on ? theme::Type::bodyStrong : theme::Type::body));
        painter.setPen(!isEnabled() ? t.text3 : on || underMouse() ? t.text : t.text2);
        painter.drawText(rect().adjusted(0, 0, 0, -2), Qt::AlignCenter, text());
        if (on)
            painter.fillRect(QRect(4, height() - 2, width() - 8, 2), t.accent);
        if (hasFocus())
            theme::drawFocusRing(painter, QRectF(rect()).adjusted(1, 2, -1, -4));
    }
};

} // namespace

TabRow::TabRow(QWidget* parent) : QWidget(parent)
{
    m_layout = new FlowLayout(this, 2);
    setAccessibleName(tr("Parts of the page"));
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        for (QAbstractButton* tab : m_tabs)
            tab->updateGeometry();
        update();
    });
}

int TabRow::addTab(const QString& text, const QString& toolTip)
{
    auto* tab = new Tab(text, this);
    tab->setAccessibleName(text);
    tab->setToolTip(toolTip);
    const int index = static_cast<int>(m_tabs.size());
    tab->onPointed = [this, index] { Q_EMIT pointed(index); };
    m_layout->addWidget(tab);
    m_tabs.push_back(tab);
    tab->setChecked(index == 0);
    tab->setFocusPolicy(index == 0 ? Qt::StrongFocus : Qt::ClickFocus);
    connect(tab, &QAbstractButton::toggled, this, [this, tab, index](bool on) {
        // Tab stops at the current tab, however it was chosen, and the arrow keys go on from there.
        tab->setFocusPolicy(on ? Qt::StrongFocus : Qt::ClickFocus);
        if (on)
            Q_EMIT chosen(index);
    });
    return index;
}

void TabRow::setCurrent(int index)
{
    m_tabs[static_cast<std::size_t>(index)]->setChecked(true);
}

QString TabRow::text(int index) const
{
    return m_tabs[static_cast<std::size_t>(index)]->text();
}

void TabRow::focusCurrent()
{
    if (current() >= 0)
        m_tabs[static_cast<std::size_t>(current())]->setFocus(Qt::ShortcutFocusReason);
}

int TabRow::current() const
{
    for (std::size_t i = 0; i < m_tabs.size(); ++i)
        if (m_tabs[i]->isChecked())
            return static_cast<int>(i);
    return -1;
}

} // namespace apertune::controls
