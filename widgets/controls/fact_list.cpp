// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/fact_list.h"

#include "widgets/controls/accessible.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace apertune::controls {
namespace {

constexpr int kGap = 16;
constexpr int kIcon = 20;

} // namespace

FactList::FactList(QWidget* parent) : QWidget(parent)
{
    setPaintedRole(this, PaintedRole::table);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void FactList::setFacts(std::vector<Fact> facts)
{
    m_facts = std::move(facts);
    QStringList lines;
    for (const Fact& fact : m_facts) {
        lines << fact.name + QStringLiteral(": ") + fact.value;
    }
    setAccessibleName(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int FactList::rowHeight() const
{
    return QFontMetrics(theme::font(theme::Type::body)).height() + 6;
}

int FactList::nameWidth() const
{
    double widest = 0;
    for (const Fact& fact : m_facts) {
        widest = std::max(widest, theme::tabularWidth(theme::font(theme::Type::body), fact.name) +
                                      (fact.iconName.isEmpty() ? 0 : kIcon));
    }
    return static_cast<int>(std::ceil(widest));
}

bool FactList::isCut(const Fact& fact) const
{
    return theme::tabularWidth(theme::font(theme::Type::body), fact.value) > width() - nameWidth() - kGap;
}

QSize FactList::sizeHint() const
{
    double widest = 0;
    for (const Fact& fact : m_facts) {
        widest = std::max(widest, theme::tabularWidth(theme::font(theme::Type::body), fact.value));
    }
    return {nameWidth() + kGap + static_cast<int>(std::ceil(widest)), static_cast<int>(m_facts.size()) * rowHeight()};
}

QSize FactList::minimumSizeHint() const
{
    return {nameWidth() + kGap + 60, sizeHint().height()};
}

void FactList::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    const QFont font = theme::font(theme::Type::body);
    const int names = nameWidth();
    QPainter painter(this);
    QRectF row(0, 0, width(), rowHeight());
    for (const Fact& fact : m_facts) {
        QRectF name = row;
        const QColor ink = toneColor(fact.tone);
        if (!fact.iconName.isEmpty()) {
            theme::drawIcon(painter, fact.iconName, QRectF(0, row.center().y() - 7, 14, 14), ink);
            name.setLeft(kIcon);
        }
        painter.setPen(t.text2);
        name.setRight(names + 1);
        theme::drawTabular(painter, name, Qt::AlignLeft, font, fact.name);
        painter.setPen(ink);
        theme::drawTabular(painter, row.adjusted(names + kGap, 0, 0, 0), Qt::AlignLeft, font, fact.value);
        row.translate(0, rowHeight());
    }
}

bool FactList::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto row = static_cast<std::size_t>(std::max(0, help->pos().y()) / rowHeight());
        QString text;
        if (row < m_facts.size()) {
            const Fact& fact = m_facts[row];
            text = isCut(fact) ? fact.value : QString();
            if (!fact.toolTip.isEmpty()) {
                text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + fact.toolTip;
            }
        }
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace apertune::controls
