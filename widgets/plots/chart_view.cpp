// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_view.h"

#include "widgets/plots/chart_csv.h"
#include "widgets/plots/chart_drawing.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPicture>
#include <QToolTip>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apertune::plots {
namespace {

constexpr int kRing = 3;         ///< room around the plot for the focus ring
constexpr int kMostParts = 1000; ///< assistive tools may visit every part

/// Finds the n-th point of all series; false when there are fewer.
bool findPoint(const ChartContent& content, int n, const ChartSeries*& series, std::size_t& index)
{
    auto left = static_cast<std::size_t>(n);
    for (const ChartSeries& of : content.series) {
        if (left < of.x.size()) {
            series = &of;
            index = left;
            return true;
        }
        left -= of.x.size();
    }
    return false;
}

/// Formats a value; whole numbers have no decimals.
QString valueText(double value)
{
    return value == std::floor(value) && std::abs(value) < 1e15 ? theme::count(static_cast<qint64>(value))
                                                                : theme::number(value, 4);
}

QString pointText(const ChartContent& content, const ChartSeries& series, std::size_t i)
{
    QString text = QStringLiteral("%1: %2, %3: %4")
                       .arg(content.x.title, valueText(series.x[i]), content.y.title, valueText(series.y[i]));
    const QString label = i < series.labels.size() ? series.labels[i] : series.name;
    return label.isEmpty() ? text : QStringLiteral("%1, %2").arg(label, text);
}

} // namespace

struct ChartView::Impl
{
    QCustomPlot* plot = nullptr;
    ChartContent content;
    qint64 selected = kNone;
    qint64 hovered = kNone;
    QCPGraph* ring = nullptr;
    bool keyboard = false; ///< has the focus, and not by a click
    QStringList ticks;     ///< shown labels of the x axis
    std::vector<QCPItemText*> notes;
    std::function<QString(qint64)> toolTip;
    std::function<QString(qint64)> command;

    /// Redraws unless the plot is empty: QCustomPlot cannot paint then, and a page that was never shown has no size.
    void redraw(bool later)
    {
        if (!plot->viewport().isEmpty())
            plot->replot(later ? QCustomPlot::rpQueuedReplot : QCustomPlot::rpRefreshHint);
    }

    /// Calls visit(x, y, id) for all points that can be hit.
    template <typename Visit>
    void forEachPoint(Visit visit) const
    {
        for (const ChartSeries& series : content.series)
            for (std::size_t i = 0; i < series.ids.size(); ++i)
                visit(series.x[i], series.y[i], series.ids[i]);
    }
};

ChartView::ChartView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kRing, kRing, kRing, kRing);
    m_impl->plot = new QCustomPlot(this);
    layout->addWidget(m_impl->plot);
    m_impl->plot->setMinimumSize(60, 40); // it replots by itself when it is resized, and cannot at size 0
    // The view itself has the focus, so that its keys work wherever the user clicks.
    m_impl->plot->setFocusPolicy(Qt::NoFocus);
    m_impl->plot->setMouseTracking(true);
    m_impl->plot->setAntialiasedElements(QCP::aePlottables | QCP::aeScatters | QCP::aeItems);
    m_impl->plot->axisRect()->setMinimumMargins(QMargins(8, 10, 18, 4));
    m_impl->plot->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(nullptr);
    controls::setPaintedRole(this, controls::PaintedRole::chart);
    rebuild();
}

ChartView::~ChartView() = default;

void ChartView::setContent(ChartContent content)
{
    m_impl->content = std::move(content);
    rebuild();
}

const ChartContent& ChartView::content() const
{
    return m_impl->content;
}

void ChartView::setSelected(qint64 id)
{
    if (m_impl->selected != id) {
        m_impl->selected = id;
        placeSelection();
        m_impl->redraw(true);
    }
}

qint64 ChartView::selected() const
{
    return m_impl->selected;
}

void ChartView::setToolTipSource(std::function<QString(qint64)> source)
{
    m_impl->toolTip = std::move(source);
}

void ChartView::setCommandSource(std::function<QString(qint64)> source)
{
    m_impl->command = std::move(source);
}

void ChartView::rebuild()
{
    QCustomPlot& plot = *m_impl->plot;
    const theme::Tokens& t = theme::current();
    const ChartContent& content = m_impl->content;
    m_impl->notes.clear();
    drawContent(plot, content);
    for (const ChartNote& note : content.notes) {
        auto* text = new QCPItemText(&plot);
        text->setText(note.text);
        text->setFont(theme::font(theme::Type::caption));
        text->setColor(note.color);
        // Notes are placed in pixels after the plot knows its axes.
        text->position->setType(QCPItemPosition::ptAbsolute);
        text->setPadding(QMargins(4, 1, 4, 1));
        QColor ground = t.panel;
        ground.setAlphaF(0.82F);
        text->setBrush(ground);
        m_impl->notes.push_back(text);
    }
    // The ring marks the selected point above all others.
    m_impl->ring = plot.addGraph();
    m_impl->ring->setLineStyle(QCPGraph::lsNone);
    m_impl->ring->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(t.text, 2), Qt::NoBrush, 16));
    placeSelection();
    m_impl->redraw(false);
    thinTicks();
    placeNotes();
}

/// Hides labels below the axis that would overlap the previous one. Their grid lines stay.
void ChartView::thinTicks()
{
    constexpr double kBetween = 6;
    const QFontMetricsF metrics(theme::font(theme::Type::caption));
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    ticker->setSubTickCount(0);
    m_impl->ticks.clear();
    double taken = -1e9;
    for (const ChartAxis::Tick& tick : m_impl->content.x.ticks) {
        const double middle = m_impl->plot->xAxis->coordToPixel(tick.at);
        const double half = metrics.horizontalAdvance(tick.text) / 2;
        // A label that would touch the one before it is left out; its tick stays.
        const bool fits = middle - half >= taken + kBetween;
        ticker->addTick(tick.at, fits ? tick.text : QString());
        if (fits) {
            taken = middle + half;
            m_impl->ticks << tick.text;
        }
    }
    m_impl->plot->xAxis->setTicker(ticker);
    m_impl->redraw(true);
}

QStringList ChartView::shownTicks() const
{
    return m_impl->ticks;
}

void ChartView::placeSelection()
{
    QVector<double> x;
    QVector<double> y;
    if (m_impl->selected != kNone) {
        m_impl->forEachPoint([&](double px, double py, qint64 id) {
            // Of points with the same id, the first is marked.
            if (id == m_impl->selected && x.isEmpty()) {
                x.append(px);
                y.append(py);
            }
        });
    }
    m_impl->ring->setData(x, y);
}

void ChartView::placeNotes()
{
    if (m_impl->notes.empty())
        return;
    const QRect area = m_impl->plot->axisRect()->rect();
    const QFontMetrics metrics(theme::font(theme::Type::caption));
    for (std::size_t i = 0; i < m_impl->notes.size(); ++i) {
        const ChartNote& note = m_impl->content.notes[i];
        const QPointF point(m_impl->plot->xAxis->coordToPixel(note.x), m_impl->plot->yAxis->coordToPixel(note.y));
        const int width = metrics.horizontalAdvance(note.text) + 8;
        if (note.beside) {
            m_impl->notes[i]->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
            m_impl->notes[i]->position->setCoords(
                std::min(point.x() + 6, std::max<double>(area.left(), area.right() - width)), point.y());
            continue;
        }
        // The note is above the point, or below when there is no room, and does not leave the plot sideways.
        const bool above = point.y() - area.top() > metrics.height() + 12;
        m_impl->notes[i]->setPositionAlignment(Qt::AlignHCenter | (above ? Qt::AlignBottom : Qt::AlignTop));
        m_impl->notes[i]->position->setCoords(
            std::clamp(point.x(), area.left() + width / 2.0,
                       std::max(area.left() + width / 2.0, area.right() - width / 2.0)),
            point.y() + (above ? -10 : 10));
    }
    m_impl->redraw(true);
}

QPointF ChartView::positionOf(double x, double y) const
{
    return m_impl->plot->mapToParent(
        QPointF(m_impl->plot->xAxis->coordToPixel(x), m_impl->plot->yAxis->coordToPixel(y)));
}

QRectF ChartView::plotArea() const
{
    return QRectF(m_impl->plot->axisRect()->rect()).translated(m_impl->plot->pos());
}

qint64 ChartView::hit(QPointF at, double radius) const
{
    qint64 best = kNone;
    // The nearest point within the radius is hit.
    double nearest = radius * radius;
    m_impl->forEachPoint([&](double x, double y, qint64 id) {
        const QPointF d = positionOf(x, y) - at;
        const double distance = QPointF::dotProduct(d, d);
        if (distance < nearest) {
            nearest = distance;
            best = id;
        }
    });
    return best;
}

int ChartView::partCount()
{
    std::size_t count = 0;
    for (const ChartSeries& series : content().series)
        count += series.x.size();
    return static_cast<int>(std::min<std::size_t>(count, kMostParts));
}

controls::PaintedParts::Part ChartView::part(int index)
{
    const ChartSeries* series = nullptr;
    std::size_t i = 0;
    if (!findPoint(content(), index, series, i))
        return {};
    const QPoint at = positionOf(series->x[i], series->y[i]).toPoint();
    return {pointText(content(), *series, i), i < series->ids.size() ? toolTipOf(series->ids[i]) : QString(),
            QRect(at - QPoint(8, 8), QSize(16, 16))};
}

int ChartView::currentPart()
{
    if (selected() == kNone)
        return -1;
    std::size_t before = 0;
    for (const ChartSeries& series : content().series) {
        const auto found = std::find(series.ids.begin(), series.ids.end(), selected());
        if (found != series.ids.end()) {
            const auto at = before + static_cast<std::size_t>(found - series.ids.begin());
            // Screen readers are given a limited number of parts.
            return at < kMostParts ? static_cast<int>(at) : -1;
        }
        before += series.x.size();
    }
    return -1;
}

void ChartView::paintPlot(QPainter& painter) const
{
    // QCustomPlot needs a painter of its own class. A QPicture passes its strokes on as vectors.
    QPicture picture;
    QCPPainter recorder(&picture);
    m_impl->plot->toPainter(&recorder, m_impl->plot->width(), m_impl->plot->height());
    recorder.end();
    painter.drawPicture(0, 0, picture);
}

QString ChartView::toCsv() const
{
    return chartCsv(m_impl->content);
}

PlotSource::Point ChartView::pointAt(QPointF at) const
{
    const qint64 id = hit(at);
    return {toolTipOf(id), m_impl->command ? m_impl->command(id) : QString()};
}

QString ChartView::toolTipOf(qint64 id) const
{
    return id != kNone && m_impl->toolTip ? m_impl->toolTip(id) : QString();
}

QPointF ChartView::selectedAt() const
{
    QPointF at = plotArea().center();
    m_impl->forEachPoint([&](double x, double y, qint64 id) {
        if (id == m_impl->selected)
            at = positionOf(x, y);
    });
    return at;
}

bool ChartView::eventFilter(QObject* watched, QEvent* event)
{
    const auto mapped = [this](const QMouseEvent* mouse) { return m_impl->plot->mapToParent(mouse->position()); };
    switch (event->type()) {
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        hover(mapped(mouse), mouse->globalPosition().toPoint());
        break;
    }
    case QEvent::Leave:
        // Leaving the plot ends the hovering.
        hover(QPointF(-1e6, -1e6), {});
        break;
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        setFocus(Qt::MouseFocusReason);
        if (mouse->button() == Qt::LeftButton) {
            const qint64 id = hit(mapped(mouse));
            setSelected(id);
            Q_EMIT pointClicked(id);
        }
        break;
    }
    case QEvent::MouseButtonDblClick: {
        const qint64 id = hit(mapped(static_cast<QMouseEvent*>(event)));
        if (id != kNone)
            Q_EMIT pointActivated(id);
        break;
    }
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void ChartView::hover(QPointF at, QPoint global)
{
    const qint64 id = hit(at);
    if (id == m_impl->hovered)
        // The tool tip changes only with the point, or it would flicker.
        return;
    m_impl->hovered = id;
    m_impl->plot->setCursor(id == kNone ? Qt::ArrowCursor : Qt::PointingHandCursor);
    if (id != kNone && m_impl->toolTip)
        QToolTip::showText(global, toolTipOf(id), this);
    else
        QToolTip::hideText();
    Q_EMIT pointHovered(id);
}

void ChartView::step(int direction)
{
    std::vector<std::pair<double, qint64>> order;
    m_impl->forEachPoint([&](double x, double, qint64 id) { order.emplace_back(x, id); });
    if (order.empty())
        return;
    // Keys go through the points from left to right, over all series.
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto at = std::find_if(order.begin(), order.end(),
                                 [this](const auto& point) { return point.second == m_impl->selected; });
    auto index =
        // Without a selection, the first step leads to one of the ends.
        at == order.end() ? (direction > 0 ? -1 : static_cast<std::ptrdiff_t>(order.size())) : at - order.begin();
    index = std::clamp<std::ptrdiff_t>(index + direction, 0, static_cast<std::ptrdiff_t>(order.size()) - 1);
    const qint64 id = order[static_cast<std::size_t>(index)].second;
    setSelected(id);
    // Users of the keyboard get the tool tip that hovering shows.
    QToolTip::showText(mapToGlobal(selectedAt().toPoint() + QPoint(12, 12)), toolTipOf(id), this);
    controls::announceCurrentPart(this);
    Q_EMIT pointClicked(id);
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        step(-1);
        return;
    case Qt::Key_Right:
    case Qt::Key_Up:
        step(1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers() == Qt::NoModifier && m_impl->selected != kNone) {
            Q_EMIT pointActivated(m_impl->selected);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void ChartView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    m_impl->keyboard = event->reason() != Qt::MouseFocusReason;
    update();
}

void ChartView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    m_impl->keyboard = false;
    update();
}

void ChartView::paintEvent(QPaintEvent*)
{
    if (m_impl->keyboard) {
        QPainter painter(this);
        theme::drawFocusRing(painter, QRectF(rect()), 4);
    }
}

void ChartView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_impl->redraw(false);
    thinTicks();
    placeNotes();
}

} // namespace apertune::plots
