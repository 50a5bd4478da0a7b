// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/shortcut_sheet.h"

#include "app/gui/session/shortcuts.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <array>

namespace apertune::gui {
namespace {

/// The bindings of one place: a column of key caps, and the actions beside it.
class KeyList final : public QWidget
{
public:
    KeyList(KeyGroup group, QWidget* parent) : QWidget(parent), m_group(std::move(group))
    {
        QStringList lines;
        for (const controls::KeyBinding& binding : m_group.keys)
            lines << QStringLiteral("%1: %2").arg(keysText(binding), binding.text);
        setAccessibleName(m_group.title);
        setAccessibleDescription(lines.join(QLatin1Char('\n')));
        setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    }

    QSize minimumSizeHint() const override { return sizeHint(); }
    QSize sizeHint() const override
    {
        const QFontMetrics body(theme::font(theme::Type::body));
        int texts = 0;
        for (const controls::KeyBinding& binding : m_group.keys)
            texts = std::max(texts, body.horizontalAdvance(binding.text));
        return {capsWidth() + kGap + texts + 2, titleHeight() + static_cast<int>(m_group.keys.size()) * rowHeight()};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const theme::Tokens& t = theme::current();
        QPainter painter(this);
        painter.setFont(theme::font(theme::Type::bodyStrong));
        painter.setPen(t.text);
        painter.drawText(QRect(0, 0, width(), rowHeight()), Qt::AlignLeft | Qt::AlignVCenter, m_group.title);
        const int caps = capsWidth();
        int y = titleHeight();
        for (const controls::KeyBinding& binding : m_group.keys) {
            int x = 0;
            painter.setFont(theme::font(theme::Type::caption));
            for (const QString& name : shown(binding)) {
                const QRect cap(x, y + 2, capWidth(name), rowHeight() - 4);
                theme::drawBox(painter, cap, t.raised, t.border, 4);
                painter.setPen(t.text);
                painter.drawText(cap, Qt::AlignCenter, name);
                x += cap.width() + 4;
            }
            painter.setFont(theme::font(theme::Type::body));
            painter.setPen(t.text2);
            painter.drawText(QRect(caps + kGap, y, width() - caps - kGap, rowHeight()),
                             Qt::AlignLeft | Qt::AlignVCenter, binding.text);
            y += rowHeight();
        }
    }

private:
    static constexpr int kGap = 12;

    static int rowHeight() { return QFontMetrics(theme::font(theme::Type::body)).height() + 5; }
    static int titleHeight() { return rowHeight() + 4; }
    static int capWidth(const QString& name)
    {
        return std::max(rowHeight() - 4, QFontMetrics(theme::font(theme::Type::caption)).horizontalAdvance(name) + 12);
    }
    static QStringList shown(const controls::KeyBinding& binding)
    {
        const QStringList names = controls::keyNames(binding);
        return names.size() > 3 ? QStringList{keysText(binding)} : names;
    }
    int capsWidth() const
    {
        int widest = 0;
        for (const controls::KeyBinding& binding : m_group.keys) {
            int width = -4;
            for (const QString& name : shown(binding))
                width += capWidth(name) + 4;
            widest = std::max(widest, width);
        }
        return widest;
    }

    KeyGroup m_group;
};

} // namespace

ShortcutSheet::ShortcutSheet(const PageTable& pages, QWidget* window) : QWidget(window)
{
    setAccessibleName(tr("Keyboard shortcuts"));
    setFocusPolicy(Qt::StrongFocus);
    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget(m_scroll);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(24, 20, 24, 20);
    columns->setSpacing(32);
    std::vector<KeyGroup> groups = keyGroups(pages);
    std::array<QVBoxLayout*, 3> places{};
    for (QVBoxLayout*& place : places) {
        place = new QVBoxLayout;
        place->setSpacing(16);
        columns->addLayout(place, 1);
    }
    std::size_t next = 0;
    for (KeyGroup& group : groups) {
        const bool isLong = group.keys.size() > 20;
        if (isLong) {
            const auto half = group.keys.begin() + static_cast<std::ptrdiff_t>((group.keys.size() + 1) / 2);
            KeyGroup rest{tr("%1, selection and search").arg(group.title), {half, group.keys.end()}};
            group.keys.erase(half, group.keys.end());
            places[next]->addWidget(new KeyList(std::move(group), content));
            next = (next + 1) % places.size();
            group = std::move(rest);
        }
        places[next]->addWidget(new KeyList(std::move(group), content));
        next = (next + 1) % places.size();
    }
    for (QVBoxLayout* place : places)
        place->addStretch(1);
    m_scroll->setWidget(content);
    m_scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    hide();
}

void ShortcutSheet::toggle()
{
    if (isVisible()) {
        leave();
        return;
    }
    m_before = window()->focusWidget();
    setGeometry(parentWidget()->rect());
    show();
    raise();
    setFocus(Qt::ShortcutFocusReason);
}

void ShortcutSheet::leave()
{
    hide();
    for (QWidget* widget : window()->findChildren<QWidget*>()) // the widget may be gone by now
        if (widget == m_before && widget->isVisible())
            widget->setFocus(Qt::ShortcutFocusReason);
}

void ShortcutSheet::keyPressEvent(QKeyEvent* event)
{
    QScrollBar* bar = m_scroll->verticalScrollBar();
    switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Up:
        bar->setValue(bar->value() + (event->key() == Qt::Key_Down ? 40 : -40));
        break;
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
        bar->setValue(bar->value() + (event->key() == Qt::Key_PageDown ? bar->pageStep() : -bar->pageStep()));
        break;
    case Qt::Key_Shift:
    case Qt::Key_Control:
    case Qt::Key_Alt:
        break;
    default:
        leave();
    }
}

/// The sheet is as large as its content, in the middle of the window. In a smaller window it scrolls.
void ShortcutSheet::resizeEvent(QResizeEvent*)
{
    const QSize wanted = m_scroll->widget()->sizeHint() + QSize(4, 4);
    const QSize size = wanted.boundedTo(this->size() - QSize(48, 48));
    const auto bar = [](int needed, int there) {
        return needed > there ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff;
    };
    m_scroll->setHorizontalScrollBarPolicy(bar(wanted.width(), size.width()));
    m_scroll->setVerticalScrollBarPolicy(bar(wanted.height(), size.height()));
    m_scroll->setGeometry(QRect(QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size));
}

void ShortcutSheet::mousePressEvent(QMouseEvent*)
{
    leave();
}

void ShortcutSheet::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    QColor veil = t.canvas;
    veil.setAlphaF(0.86F);
    painter.fillRect(rect(), veil);
    theme::drawBox(painter, QRectF(m_scroll->geometry()).adjusted(-1, -1, 1, 1), t.panel, t.border, 10);
}

} // namespace apertune::gui
