// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/drop_hint.h"

#include "app/gui/session/app_context.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QFileInfo>
#include <QPainter>

namespace apertune::gui {

DropHint::DropHint(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

QString DropHint::actionFor(const QString& file)
{
    const QFileInfo info(file);
    const QString suffix = info.suffix().toLower();
    if (suffix == QStringLiteral("apertune"))
        return tr("Open workspace %1").arg(info.fileName());
    if (AppContext::isModelName(file))
        return tr("Import model %1").arg(info.fileName());
    if (AppContext::isTraceName(file))
        return tr("Open recording %1").arg(info.fileName());
    return tr("%1 is no workspace, model or recording").arg(info.fileName());
}

void DropHint::showFor(const QString& file)
{
    m_text = actionFor(file);
    setAccessibleName(m_text);
    setGeometry(parentWidget()->rect());
    show();
    raise();
}

void DropHint::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    QColor veil = t.canvas;
    veil.setAlphaF(0.86F);
    painter.fillRect(rect(), veil);
    const QRectF box = QRectF(rect()).adjusted(24, 24, -24, -24);
    theme::drawBox(painter, box, QColor(), t.accent, 10, 2);
    theme::drawIcon(painter, QStringLiteral("drop"), QRectF(box.center().x() - 24, box.center().y() - 60, 48, 48),
                    t.accent);
    painter.setFont(theme::font(theme::Type::title));
    painter.setPen(t.text);
    painter.drawText(box.translated(0, 24), Qt::AlignCenter, m_text);
}

} // namespace apertune::gui
