// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace_views/share_bar.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/style.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace apertune::trace_views {
namespace {

// Distances in logical pixels:
constexpr int kBar = 40;
constexpr int kGap = 12;
constexpr int kBetween = 24;
constexpr int kSwatch = 18;

} // namespace

ShareBar::ShareBar(QWidget* parent) : QWidget(parent)
{
    controls::setPaintedRole(this, controls::PaintedRole::chart);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Shares"));
    // The names below the bar wrap, so the height depends on the width.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void ShareBar::setParts(std::vector<Share> parts)
{
    m_parts = std::move(parts);
    m_hovered = -1;
    m_current = 0;
    QStringList lines;
    for (const Share& part : m_parts)
        lines << QStringLiteral("%1 %2").arg(part.name, part.value);
    setAccessibleDescription(lines.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

/// The place of each part: in the bar by its share, and in the rows of names below, as many as the width needs.
std::vector<ShareBar::Place> ShareBar::places(int width) const
{
    const QFont font = theme::font(theme::Type::body);
    const double line = QFontMetricsF(font).height() + 6;
    std::vector<Place> places;
    double sum = 0;
    double x = 0;
    double y = kBar + kGap;
    for (const Share& part : m_parts) {
        Place place;
        // Edges are rounded from the running sum and not the widths, so that rounding errors do not add up to a gap.
        const double left = std::round(sum * width);
        sum += part.share;
        // A small share stays visible, and shares whose sum exceeds 1 by rounding end at the edge.
        place.bar = QRectF(left, 0, std::max(1.0, std::round(std::min(1.0, sum) * width) - left), kBar);
        const double wanted = kSwatch + theme::tabularWidth(font, part.name + QLatin1Char(' ') + part.value) + 6;
        // The first name of a line stays, however long it is.
        if (x > 0 && x + wanted > width) {
            x = 0;
            y += line;
        }
        place.name = QRectF(x, y, wanted, line);
        x += wanted + kBetween;
        places.push_back(place);
    }
    return places;
}

int ShareBar::heightForWidth(int width) const
{
    const std::vector<Place> all = places(std::max(width, 100));
    return all.empty() ? kBar : static_cast<int>(std::ceil(all.back().name.bottom()));
}

QSize ShareBar::sizeHint() const
{
    return {600, heightForWidth(std::max(600, width()))};
}

QSize ShareBar::minimumSizeHint() const
{
    return {300, heightForWidth(std::max(300, width()))};
}

void ShareBar::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    const QFont font = theme::font(theme::Type::body);
    QFont strong = theme::font(theme::Type::bodyStrong);
    const std::vector<Place> all = places(width());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Share& part = m_parts[i];
        const QRectF& bar = all[i].bar;
        const bool lit = static_cast<int>(i) == m_hovered || (hasFocus() && static_cast<int>(i) == m_current);
        // A gap of one pixel between parts, if they are wide enough for it.
        painter.fillRect(bar.adjusted(0, 0, i + 1 < all.size() && bar.width() > 3 ? -1 : 0, 0),
                         lit ? theme::mixed(part.color, t.text, 0.18) : part.color);
        painter.setPen(theme::readableOn(part.color));
        if (bar.width() >= theme::tabularWidth(strong, part.value) + 12)
            theme::drawTabular(painter, bar, Qt::AlignHCenter, strong, part.value);
        if (hasFocus() && static_cast<int>(i) == m_current &&
            bar.width() > 6) // a tint alone is too little beside its neighbours
            painter.fillRect(bar.adjusted(2, kBar - 6, -2, -3), theme::readableOn(part.color));
        const QRectF& name = all[i].name;
        painter.fillRect(QRectF(name.x(), name.center().y() - 5, 10, 10), part.color);
        painter.setPen(lit ? t.text : t.text2);
        const QRectF words = name.adjusted(kSwatch, 0, 0, 0);
        theme::drawTabular(painter, words, Qt::AlignLeft, font, part.name);
        painter.setPen(t.text);
        theme::drawTabular(painter, words, Qt::AlignRight, font, part.value);
    }
    if (hasFocus())
        theme::drawFocusRing(painter, QRectF(0, 0, width(), kBar), 3);
}

controls::PaintedParts::Part ShareBar::part(int index)
{
    const Share& of = m_parts[static_cast<std::size_t>(index)];
    return {QStringLiteral("%1 %2").arg(of.name, of.value), of.toolTip,
            places(width())[static_cast<std::size_t>(index)].bar.toRect()};
}

int ShareBar::partAt(QPointF at) const
{
    const std::vector<Place> all = places(width());
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].bar.contains(at) || all[i].name.contains(at))
            return static_cast<int>(i);
    return -1;
}

void ShareBar::mouseReleaseEvent(QMouseEvent* event)
{
    const int part = partAt(event->position());
    if (event->button() == Qt::LeftButton && part >= 0) {
        m_current = part;
        Q_EMIT chosen(part);
    }
}

void ShareBar::mouseMoveEvent(QMouseEvent* event)
{
    const int part = partAt(event->position());
    if (part != m_hovered) {
        m_hovered = part;
        setCursor(part >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        update();
    }
}

void ShareBar::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

void ShareBar::keyPressEvent(QKeyEvent* event)
{
    const int count = static_cast<int>(m_parts.size());
    if (count > 0 && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Right ? 1 : -1), 0, count - 1);
        update();
        const Part shown = part(m_current);
        QToolTip::showText(mapToGlobal(shown.place.bottomLeft()), shown.detail, this);
        controls::announceCurrentPart(this);
    } else if (count > 0 &&
               (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)) {
        Q_EMIT chosen(m_current);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool ShareBar::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int part = partAt(help->pos());
        QToolTip::showText(help->globalPos(), part < 0 ? QString() : m_parts[static_cast<std::size_t>(part)].toolTip,
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace apertune::trace_views
