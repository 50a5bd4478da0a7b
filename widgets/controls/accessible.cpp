// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QVariant>
#include <QWidget>

namespace apertune::controls {
namespace {

constexpr char kRole[] = "apertunePaintedRole";

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    const QVariant role = widget ? widget->property(kRole) : QVariant();
    return role.isValid() ? new QAccessibleWidget(widget, static_cast<QAccessible::Role>(role.toInt())) : nullptr;
}

} // namespace

void setPaintedRole(QWidget* widget, PaintedRole role)
{
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
    QAccessible::Role shown = QAccessible::Chart;
    if (role == PaintedRole::table) {
        shown = QAccessible::Table;
    } else if (role == PaintedRole::figure) {
        shown = QAccessible::StaticText;
    }
    widget->setProperty(kRole, static_cast<int>(shown));
}

} // namespace apertune::controls
