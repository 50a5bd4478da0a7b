// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/layout_lint.h"

#include "widgets/controls/fact_list.h"
#include "widgets/controls/kpi_card.h"
#include "widgets/controls/label.h"
#include "widgets/plots/heat_map.h"
#include "widgets/tables/column_header.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QScrollArea>
#include <QScrollBar>

#include <gtest/gtest.h>

namespace apertune::testing {
namespace {

std::string describe(const QWidget* widget)
{
    QString text = QString::fromLatin1(widget->metaObject()->className());
    text += QStringLiteral(" “%1”").arg(widget->accessibleName());
    if (const auto* label = qobject_cast<const QLabel*>(widget))
        text += QStringLiteral(" [%1]").arg(label->text());
    else if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
        text += QStringLiteral(" [%1]").arg(button->text());
    return text.toStdString();
}

void lintLabel(const QLabel* label)
{
    const auto* own = qobject_cast<const controls::Label*>(label);
    if (label->text().isEmpty() || (own && own->isElided()))
        return;
    const int height = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
    EXPECT_GE(label->height(), height) << "cut in height: " << describe(label);
    if (!label->wordWrap()) {
        EXPECT_GE(label->width(), label->sizeHint().width()) << "cut in width: " << describe(label);
    }
    EXPECT_GE(theme::contrast(label->palette().color(QPalette::WindowText), theme::current().panel), 4.5)
        << describe(label);
}

void lintControl(const QWidget* widget)
{
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    const auto* edit = qobject_cast<const QLineEdit*>(widget);
    if (edit && qobject_cast<const QAbstractSpinBox*>(edit->parentWidget()))
        return; // part of the spin box, which is looked at itself
    if (button && !button->text().isEmpty()) {
        EXPECT_GE(widget->width(), widget->minimumSizeHint().width()) << "cut: " << describe(widget);
        EXPECT_GE(widget->height(), widget->minimumSizeHint().height()) << "cut: " << describe(widget);
    }
    if (button) {
        EXPECT_GE(std::min(widget->width(), widget->height()), 24) << "small target: " << describe(widget);
    }
    if (edit && edit->text().isEmpty() && !edit->placeholderText().isEmpty()) {
        const QMargins margins = edit->textMargins();
        EXPECT_GE(edit->width() - margins.left() - margins.right() - 8,
                  edit->fontMetrics().horizontalAdvance(edit->placeholderText()))
            << "placeholder cut: " << describe(widget);
    }
    const bool reachable = widget->focusPolicy() != Qt::NoFocus && widget->isEnabled();
    const bool control = button || edit || qobject_cast<const QComboBox*>(widget) ||
                         qobject_cast<const QAbstractSpinBox*>(widget) ||
                         qobject_cast<const QAbstractItemView*>(widget) || qobject_cast<const QProgressBar*>(widget) ||
                         qobject_cast<const controls::KpiCard*>(widget) ||
                         qobject_cast<const plots::HeatMap*>(widget) || qobject_cast<const QPlainTextEdit*>(widget);
    if (control && (reachable || button)) {
        const QString name = button && widget->accessibleName().isEmpty() ? button->text() : widget->accessibleName();
        EXPECT_FALSE(name.isEmpty()) << "nameless: " << describe(widget) << " in " << describe(widget->parentWidget());
    }
}

void lintTable(const tables::LeanTable* table)
{
    for (int column = 0; column + 1 < table->model()->columnCount(); ++column) {
        if (!table->isColumnHidden(column) && !table->columns()->isHidden()) {
            EXPECT_GE(table->columns()->sectionSize(column), table->columns()->widthOf(column))
                << "header cut: " << describe(table) << " column " << column;
        }
    }
}

void lintOverlap(const QWidget* parent)
{
    std::vector<const QWidget*> shown;
    for (const QObject* child : parent->children()) {
        const auto* widget = qobject_cast<const QWidget*>(child);
        if (widget && widget->isVisible() && !widget->isWindow() && !widget->size().isEmpty() &&
            !widget->testAttribute(Qt::WA_TransparentForMouseEvents)) {
            shown.push_back(widget);
        }
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
        for (std::size_t j = i + 1; j < shown.size(); ++j) {
            EXPECT_FALSE(shown[i]->geometry().intersects(shown[j]->geometry()))
                << "overlap: " << describe(shown[i]) << " and " << describe(shown[j]);
        }
    }
}

} // namespace

void lint(const QWidget& window)
{
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible())
            continue;
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            lintLabel(label);
        if (const auto* card = qobject_cast<const controls::KpiCard*>(widget)) {
            EXPECT_FALSE(card->isClipped()) << "card cut: " << describe(card) << card->figure().detail.toStdString();
        }
        if (const auto* facts = qobject_cast<const controls::FactList*>(widget)) {
            EXPECT_FALSE(facts->isClipped()) << "value cut: " << describe(facts);
            EXPECT_GE(facts->height(), facts->heightForWidth(facts->width())) << "cut in height: " << describe(facts);
        }
        if (const auto* table = qobject_cast<const tables::LeanTable*>(widget))
            lintTable(table);
        lintControl(widget);
        const bool layoutParent = widget->layout() != nullptr;
        if (layoutParent)
            lintOverlap(widget);
        if (const auto* area = qobject_cast<const QScrollArea*>(widget)) {
            EXPECT_LE(area->widget()->minimumSizeHint().width(), area->viewport()->width())
                << "wider than its page: " << describe(area);
        }
    }
}

} // namespace apertune::testing
