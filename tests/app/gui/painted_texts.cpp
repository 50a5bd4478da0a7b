// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/painted_texts.h"

#include "widgets/plots/plot_source.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QWidget>

namespace apertune::testing {
namespace {

/// Keeps texts and forgets everything else.
class TextEngine final : public QPaintEngine
{
public:
    TextEngine() : QPaintEngine(AllFeatures) {}

    QStringList texts;

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawTextItem(const QPointF&, const QTextItem& item) override { texts << item.text(); }
    Type type() const override { return User; }
};

class TextDevice final : public QPaintDevice
{
public:
    explicit TextDevice(QSize size) : m_size(size) {}

    QPaintEngine* paintEngine() const override { return &m_engine; }
    const QStringList& texts() const { return m_engine.texts; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        case PdmNumColors:
            return 1 << 24;
        case PdmDepth:
            return 32;
        default:
            return 1;
        }
    }

private:
    QSize m_size;
    mutable TextEngine m_engine;
};

void addModel(const QAbstractItemModel& model, QStringList& texts)
{
    for (int column = 0; column < model.columnCount(); ++column) {
        for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole}) {
            texts << model.headerData(column, Qt::Horizontal, role).toString();
            for (int row = 0; row < std::min(model.rowCount(), 50); ++row)
                texts << model.index(row, column).data(role).toString();
        }
    }
}

} // namespace

QStringList paintedTexts(QWidget& window)
{
    TextDevice device(window.size());
    {
        QPainter painter(&device);
        window.render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
        for (const QWidget* widget : window.findChildren<QWidget*>())
            if (const auto* plot = dynamic_cast<const plots::PlotSource*>(widget); plot && widget->isVisible())
                plot->paintPlot(painter);
    }
    return device.texts();
}

QStringList accessibleTexts(QWidget& window)
{
    QStringList texts;
    QList<QWidget*> widgets = window.findChildren<QWidget*>();
    widgets << &window;
    for (const QWidget* widget : widgets) {
        if (!widget->isVisible())
            continue;
        texts << widget->toolTip() << widget->accessibleName() << widget->accessibleDescription()
              << (widget->isWindow() ? widget->windowTitle() : QString());
        if (const auto* edit = qobject_cast<const QLineEdit*>(widget))
            texts << edit->placeholderText();
        if (const auto* box = qobject_cast<const QComboBox*>(widget))
            addModel(*box->model(), texts);
        if (const auto* view = qobject_cast<const QAbstractItemView*>(widget); view && view->model())
            addModel(*view->model(), texts);
        for (const QAction* action : widget->actions())
            texts << action->text() << action->toolTip();
    }
    texts.removeAll(QString());
    return texts;
}

} // namespace apertune::testing
