// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/zoo_card.h"

#include "app/gui/presenters/model_view.h"
#include "core/models/zoo.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/format.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QPainter>

namespace apertune::gui {

ZooCard::ZooCard(const models::ZooEntry& entry, QWidget* parent) : QAbstractButton(parent)
{
    setText(theme::toQt(entry.name));
    m_facts = taskWord(entry.task);
    if (entry.parameters > 0)
        m_facts += QStringLiteral(" · ") + theme::magnitude(static_cast<double>(entry.parameters));
    setAccessibleName(tr("Tune %1").arg(text()));
    setAccessibleDescription(theme::fromCore(entry.summary));
    setToolTip(tr("%1\nClick to import and tune it").arg(theme::fromCore(entry.summary)));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QSize ZooCard::sizeHint() const
{
    const QFontMetrics body(theme::font(theme::Type::bodyStrong));
    const QFontMetrics caption(theme::font(theme::Type::caption));
    return {160 * theme::textSize() / theme::kDefaultTextSize, body.height() + caption.height() + 20};
}

void ZooCard::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    const bool hovered = underMouse() && isEnabled();
    theme::drawBox(painter, rect(),
                   isDown()  ? t.accentSoft
                   : hovered ? t.raised
                             : QColor(),
                   hovered ? t.border : t.line, 6);
    if (hasFocus())
        theme::drawFocusRing(painter, rect());
    QRectF inside = QRectF(rect()).adjusted(10, 8, -10, -8);
    if (hovered) {
        theme::drawIcon(painter, QStringLiteral("play"), QRectF(inside.right() - 14, inside.center().y() - 8, 16, 16),
                        t.accent);
        inside.setRight(inside.right() - 18);
    }
    const QFont strong = theme::font(theme::Type::bodyStrong);
    const QFont caption = theme::font(theme::Type::caption);
    painter.setPen(t.text);
    const double line = QFontMetricsF(strong).height();
    theme::drawTabular(painter, QRectF(inside.left(), inside.top(), inside.width(), line), Qt::AlignLeft, strong,
                       text());
    painter.setPen(t.text2);
    theme::drawTabular(painter,
                       QRectF(inside.left(), inside.top() + line + 2, inside.width(), QFontMetricsF(caption).height()),
                       Qt::AlignLeft, caption, m_facts);
}

} // namespace apertune::gui
