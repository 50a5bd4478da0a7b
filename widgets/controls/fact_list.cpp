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

constexpr int kNameGap = 16;
constexpr int kIcon = 20;
constexpr int kMaxLines = 4;

/// Returns the length of the longest beginning of `text` that is not wider than `width`. It ends at a space or a slash
/// if there is one.
qsizetype breakAt(const QString& text, const QFont& font, double width)
{
    qsizetype fits = 0;
    qsizetype pretty = 0;
    for (qsizetype i = 1; i <= text.size() && theme::tabularWidth(font, text.left(i)) <= width; ++i) {
        fits = i;
        const bool end = i == text.size();
        // Paths break behind a slash, all else at a blank.
        if (end || text.at(i) == QLatin1Char(' ') || text.at(i - 1) == QLatin1Char('/'))
            pretty = i;
    }
    // At least one character, so that the caller makes progress on any width.
    return std::max<qsizetype>(1, pretty > 0 ? pretty : fits);
}

} // namespace

FactList::FactList(QWidget* parent) : QWidget(parent)
{
    setPaintedRole(this, PaintedRole::table);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void FactList::setFacts(std::vector<Fact> facts)
{
    m_facts = std::move(facts);
    QStringList lines;
    for (const Fact& fact : m_facts)
        lines << fact.name + QStringLiteral(": ") + fact.value;
    setAccessibleName(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int FactList::lineHeight() const
{
    return QFontMetrics(theme::font(theme::Type::body)).height();
}

int FactList::rowHeight() const
{
    return lineHeight() + 6;
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

QStringList FactList::linesOf(const Fact& fact, int width) const
{
    const QFont font = theme::font(theme::Type::body);
    const double room = std::max(40, width - nameWidth() - kNameGap);
    QStringList lines;
    QString rest = fact.value;
    // The last line takes the rest and is elided when it is drawn.
    while (lines.size() + 1 < kMaxLines && theme::tabularWidth(font, rest) > room) {
        const qsizetype end = breakAt(rest, font, room);
        lines << rest.left(end);
        rest = rest.mid(end).trimmed();
    }
    lines << rest;
    return lines;
}

bool FactList::isCut(const Fact& fact) const
{
    return theme::tabularWidth(theme::font(theme::Type::body), linesOf(fact, width()).last()) >
           width() - nameWidth() - kNameGap;
}

bool FactList::isClipped() const
{
    return std::any_of(m_facts.begin(), m_facts.end(), [this](const Fact& fact) { return isCut(fact); });
}

QSize FactList::sizeHint() const
{
    double widest = 0;
    for (const Fact& fact : m_facts)
        widest = std::max(widest, theme::tabularWidth(theme::font(theme::Type::body), fact.value));
    return {nameWidth() + kNameGap + static_cast<int>(std::ceil(widest)),
            static_cast<int>(m_facts.size()) * rowHeight()};
}

QSize FactList::minimumSizeHint() const
{
    return {nameWidth() + kNameGap + 60, sizeHint().height()};
}

int FactList::heightForWidth(int width) const
{
    int height = 0;
    for (const Fact& fact : m_facts)
        height += rowHeight() + static_cast<int>(linesOf(fact, width).size() - 1) * lineHeight();
    return height;
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
        QRectF line = row.adjusted(names + kNameGap, 0, 0, 0);
        for (const QString& text : linesOf(fact, width())) {
            theme::drawTabular(painter, line, Qt::AlignLeft, font, text);
            line.translate(0, lineHeight());
        }
        row.moveTop(line.top() + rowHeight() - lineHeight());
    }
}

bool FactList::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QString text;
        int bottom = 0;
        for (const Fact& fact : m_facts) {
            const int top = bottom;
            bottom += rowHeight() + static_cast<int>(linesOf(fact, width()).size() - 1) * lineHeight();
            if (help->pos().y() >= top && help->pos().y() < bottom) {
                text = isCut(fact) ? fact.value : QString();
                if (!fact.toolTip.isEmpty())
                    text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + fact.toolTip;
            }
        }
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace apertune::controls
