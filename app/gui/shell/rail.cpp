// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/rail.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QAbstractButton>
#include <QKeySequence>
#include <QPainter>
#include <QVBoxLayout>

namespace apertune::gui {
namespace {

constexpr int kWidth = 92;

/// A button of the rail. The buttons are exclusive, so that assistive tools see a choice and not a row of check boxes.
class RailButton final : public QAbstractButton
{
public:
    RailButton(const QString& iconName, const QString& text, QWidget* parent)
        : QAbstractButton(parent), m_icon(iconName)
    {
        setText(text);
        setAccessibleName(text);
        setCheckable(true);
        // One page is shown at a time.
        setAutoExclusive(true);
        // A click leaves the focus with the page.
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    }

    QSize sizeHint() const override
    {
        const QFontMetrics metrics(theme::font(theme::Type::caption));
        return {kWidth, 22 + metrics.height() + 20};
    }

    /// In a low window the entries move together, so that all of them stay in reach. The rail's edge takes a pixel.
    QSize minimumSizeHint() const override { return {kWidth - 1, sizeHint().height() - 14}; }

    void setDot(bool dot)
    {
        m_dot = dot;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const theme::Tokens& t = theme::current();
        QPainter painter(this);
        const bool on = isChecked();
        if (on || underMouse())
            painter.fillRect(rect(), on ? t.raised : theme::mixed(t.panel, t.raised, 0.6));
        if (on)
            painter.fillRect(QRect(0, 0, 3, height()), t.accent);
        QFont font = theme::font(theme::Type::caption);
        // The font has several weights, so its height is taken for the one in use.
        font.setWeight(on ? QFont::DemiBold : QFont::Medium);
        const int text = QFontMetrics(font).height();
        const int top = (height() - 22 - 4 - text) / 2;
        const QRectF icon(width() / 2.0 - 11, top, 22, 22);
        theme::drawIcon(painter, m_icon, icon, on ? t.accent : t.text2);
        if (m_dot) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(t.panel, 2));
            painter.setBrush(t.good);
            painter.drawEllipse(icon.topRight() + QPointF(1, 2), 5, 5);
        }
        painter.setFont(font);
        painter.setPen(on ? t.text : t.text2);
        painter.drawText(QRect(0, top + 26, width(), text), Qt::AlignCenter, this->text());
        if (hasFocus())
            theme::drawFocusRing(painter, QRectF(rect()).adjusted(4, 2, -4, -2));
    }

private:
    QString m_icon;
    bool m_dot = false;
};

} // namespace

Rail::Rail(const PageTable& pages, QWidget* parent) : QWidget(parent), m_pages(pages)
{
    setAccessibleName(tr("Pages"));
    setFixedWidth(kWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 1, 8);
    layout->setSpacing(2);
    for (const PageSpec& page : pages) {
        auto* button = new RailButton(QString::fromLatin1(page.icon), page.shownLabel(), this);
        button->setToolTip(
            tr("%1 (%2)").arg(page.shownLabel(), QKeySequence(page.shortcut).toString(QKeySequence::NativeText)));
        // The last page, the settings, stands at the bottom.
        if (&page == &pages.back())
            layout->addStretch(1);
        layout->addWidget(button);
        m_buttons.push_back(button);
        connect(button, &QAbstractButton::clicked, this, [this, id = page.id] { Q_EMIT pageChosen(id); });
    }
    // The text size is part of the theme, so the buttons change their height.
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        for (QAbstractButton* button : m_buttons)
            button->updateGeometry();
        update();
    });
}

void Rail::setCurrent(PageId page)
{
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        QAbstractButton* button = m_buttons[i];
        const bool chosen = m_pages[i].id == page;
        button->setChecked(chosen);
        // Tab stops at the current page, and the arrow keys go on from there.
        button->setFocusPolicy(chosen ? Qt::TabFocus : Qt::NoFocus);
    }
}

void Rail::setBusy(bool busy)
{
    for (std::size_t i = 0; i < m_buttons.size(); ++i)
        static_cast<RailButton*>(m_buttons[i])->setDot(busy && m_pages[i].id == PageId::live);
}

void Rail::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), t.line);
}

} // namespace apertune::gui
