// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QHash>
#include <QPointer>
#include <QVariant>
#include <QWidget>

namespace apertune::controls {
namespace {

constexpr char kRole[] = "apertunePaintedRole";

PaintedParts* partsOf(QWidget* widget)
{
    return dynamic_cast<PaintedParts*>(widget);
}

/// One part of a self-painted widget. It may outlive the part, and is invalid then.
class PartInterface final : public QAccessibleInterface
{
public:
    PartInterface(QWidget* widget, int index) : m_widget(widget), m_index(index) {}

    int index() const { return m_index; }

    bool isValid() const override { return m_widget && m_index < partsOf(m_widget)->partCount(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_widget ? m_widget->window()->windowHandle() : nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_widget); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }

    QString text(QAccessible::Text which) const override
    {
        const PaintedParts::Part part = partNow();
        return which == QAccessible::Name                                        ? part.name
               : which == QAccessible::Description || which == QAccessible::Help ? part.detail
                                                                                 : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override
    {
        const QRect place = partNow().place;
        return place.isEmpty() ? QRect() : QRect(m_widget->mapToGlobal(place.topLeft()), place.size());
    }
    QAccessible::Role role() const override
    {
        const QAccessibleInterface* whole = parent();
        return whole && whole->role() == QAccessible::Table ? QAccessible::Cell : QAccessible::ListItem;
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid)
            return state;
        const bool current = partsOf(m_widget)->currentPart() == m_index;
        state.readOnly = true;
        state.focusable = true;
        state.selectable = true;
        state.selected = current;
        state.focused = current && m_widget->hasFocus();
        state.offscreen = partNow().place.isEmpty();
        return state;
    }

private:
    PaintedParts::Part partNow() const { return isValid() ? partsOf(m_widget)->part(m_index) : PaintedParts::Part{}; }

    QPointer<QWidget> m_widget;
    int m_index;
};

/// A self-painted widget. Its children are its own widgets (a scroll bar) first, then its parts.
class PaintedInterface final : public QAccessibleWidget
{
public:
    explicit PaintedInterface(QWidget* widget) : QAccessibleWidget(widget) {}
    ~PaintedInterface() override
    {
        for (const QAccessible::Id id : std::as_const(m_made))
            // Qt deletes interfaces with their objects, but parts have no QObject.
            QAccessible::deleteAccessibleInterface(id);
    }

    QAccessible::Role role() const override
    {
        return static_cast<QAccessible::Role>(widget()->property(kRole).toInt());
    }
    int childCount() const override { return firstPart() + partCount(); }
    QAccessibleInterface* child(int index) const override
    {
        if (index < firstPart())
            return QAccessibleWidget::child(index);
        const int part = index - firstPart();
        if (part >= partCount())
            return nullptr;
        const auto known = m_made.constFind(part);
        // An interface is made once for each part; the destructor frees it.
        if (known != m_made.constEnd())
            return QAccessible::accessibleInterface(*known);
        auto* made = new PartInterface(widget(), part);
        m_made.insert(part, QAccessible::registerAccessibleInterface(made));
        return made;
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        if (const auto* part = dynamic_cast<const PartInterface*>(child))
            return firstPart() + part->index();
        return QAccessibleWidget::indexOfChild(child);
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        const QPoint at = widget()->mapFromGlobal(QPoint(x, y));
        for (int i = partCount() - 1; i >= 0; --i) // later parts are drawn on top
            if (partsOf(widget())->part(i).place.contains(at))
                return child(firstPart() + i);
        return QAccessibleWidget::childAt(x, y);
    }
    QAccessibleInterface* focusChild() const override
    {
        const int current = widget()->hasFocus() && partsOf(widget()) ? partsOf(widget())->currentPart() : -1;
        return current >= 0 ? child(firstPart() + current) : QAccessibleWidget::focusChild();
    }

private:
    int firstPart() const { return QAccessibleWidget::childCount(); }
    int partCount() const { return partsOf(widget()) ? partsOf(widget())->partCount() : 0; }

    mutable QHash<int, QAccessible::Id> m_made;
};

QAccessible::Role roleOf(PaintedRole role)
{
    switch (role) {
    case PaintedRole::chart:
        return QAccessible::Chart;
    case PaintedRole::table:
        return QAccessible::Table;
    case PaintedRole::figure:
        return QAccessible::StaticText;
    case PaintedRole::button:
        return QAccessible::Button;
    case PaintedRole::message:
        return QAccessible::AlertMessage;
    }
    return QAccessible::Client;
}

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    return widget && widget->property(kRole).isValid() ? new PaintedInterface(widget) : nullptr;
}

} // namespace

void setPaintedRole(QWidget* widget, PaintedRole role)
{
    // Qt keeps factories for the whole process, and asks each of them for every object.
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
    widget->setProperty(kRole, static_cast<int>(roleOf(role)));
}

void announceCurrentPart(QWidget* widget)
{
    PaintedParts* parts = partsOf(widget);
    if (!QAccessible::isActive() || !parts || !widget->hasFocus())
        return;
    const QAccessibleInterface* whole = QAccessible::queryAccessibleInterface(widget);
    const int current = parts->currentPart();
    if (!whole || current < 0)
        return;
    QAccessibleEvent event(widget, QAccessible::Focus);
    // The parts follow the children that are widgets.
    event.setChild(whole->childCount() - parts->partCount() + current);
    QAccessible::updateAccessibility(&event);
}

} // namespace apertune::controls
