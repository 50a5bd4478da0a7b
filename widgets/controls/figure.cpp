// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/figure.h"

#include "widgets/theme/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QWidget>

namespace apertune::controls {

QString explanation(const Figure& figure)
{
    QStringList lines;
    for (const QString& line : {figure.definition, figure.sample, figure.command})
        if (!line.isEmpty())
            lines << line;
    return lines.join(QLatin1Char('\n'));
}

void attachFigure(QWidget* widget, const Figure& figure)
{
    widget->setToolTip(explanation(figure));
    widget->setAccessibleName(
        QStringList({figure.caption, figure.value, figure.unit}).join(QLatin1Char(' ')).simplified());
    widget->setAccessibleDescription(
        QStringList({figure.detail, figure.sample, figure.definition}).join(QStringLiteral(". ")));
    widget->setContextMenuPolicy(Qt::CustomContextMenu);
    // A widget gets a new figure with every snapshot. Without this, each figure would add another menu.
    QObject::disconnect(widget, &QWidget::customContextMenuRequested, widget, nullptr);
    const QString value = QStringList({figure.value, figure.unit}).join(QLatin1Char(' ')).simplified();
    QObject::connect(widget, &QWidget::customContextMenuRequested, widget,
                     [widget, value, command = figure.command](const QPoint& at) {
                         showCopyMenu(widget, widget->mapToGlobal(at), value, command);
                     });
}

QMenu* makeCopyMenu(QWidget* parent, const QString& value, const QString& command)
{
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& iconName, const QString& text, const QString& content) {
        if (!content.isEmpty()) {
            QAction* action = menu->addAction(theme::icon(iconName), text);
            QObject::connect(action, &QAction::triggered, menu,
                             [content] { QApplication::clipboard()->setText(content); });
        }
    };
    add(QStringLiteral("copy"), QWidget::tr("Copy “%1”").arg(value), value);
    add(QStringLiteral("terminal"), QWidget::tr("Copy command line"), command);
    if (!command.isEmpty()) {
        menu->addSeparator();
        QAction* shown = menu->addAction(command);
        shown->setEnabled(false);
    }
    return menu;
}

void showCopyMenu(QWidget* parent, const QPoint& global, const QString& value, const QString& command)
{
    makeCopyMenu(parent, value, command)->popup(global);
}

} // namespace apertune::controls
