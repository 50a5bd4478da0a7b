// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/heat_map.h"

#include "core/base/csv.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/style.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apertune::plots {
namespace {

QRectF toRect(const Box& box)
{
    return {box.x, box.y, box.width, box.height};
}

} // namespace

HeatMap::HeatMap(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    controls::setPaintedRole(this, controls::PaintedRole::table);
    setAccessibleName(tr("Heat map"));
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void HeatMap::setData(HeatMapData content)
{
    m_data = std::move(content);
    // The colours span the shown values only: a scale from 0 would give all of them one colour.
    m_lo = std::numeric_limits<double>::max();
    m_hi = std::numeric_limits<double>::lowest();
    for (const HeatCell& cell : m_data.cells) {
        if (cell.state == HeatCell::State::value) {
            m_lo = std::min(m_lo, cell.value);
            m_hi = std::max(m_hi, cell.value);
        }
    }
    summarise();
    updateGeometry();
    update();
}

void HeatMap::setSelected(model::TrialId trial)
{
    if (m_selected != trial) {
        m_selected = trial;
        update();
    }
}

void HeatMap::summarise()
{
    const HeatCell* best = nullptr;
    std::size_t bestAt = 0;
    int measured = 0;
    for (std::size_t i = 0; i < m_data.cells.size(); ++i) {
        const HeatCell& cell = m_data.cells[i];
        if (cell.state == HeatCell::State::value) {
            ++measured;
            if (!best || cell.value > best->value) {
                best = &cell;
                bestAt = i;
            }
        }
    }
    const auto planned = std::count_if(m_data.cells.begin(), m_data.cells.end(),
                                       [](const HeatCell& cell) { return cell.state == HeatCell::State::planned; });
    // Before a study there is nothing but planned configurations.
    QString text = planned > 0 ? tr("%1 of %2 cells planned.").arg(planned).arg(m_data.cells.size())
                               : tr("%1 of %2 cells measured.").arg(measured).arg(m_data.cells.size());
    if (best) {
        const auto columns = static_cast<std::size_t>(m_data.columns.size());
        text += QLatin1Char(' ') + tr("Highest: %1 at %2, %3 %4.")
                                       .arg(best->text, m_data.rows.value(static_cast<qsizetype>(bestAt / columns)),
                                            m_data.columnTitle,
                                            m_data.columns.value(static_cast<qsizetype>(bestAt % columns)));
    }
    setAccessibleDescription(text);
}

HeatMapLayout HeatMap::layoutNow() const
{
    const QFont caption = theme::font(theme::Type::caption);
    HeatMapMetrics metrics;
    metrics.width = width();
    metrics.height = height();
    metrics.rows = static_cast<int>(m_data.rows.size());
    metrics.columns = static_cast<int>(m_data.columns.size());
    metrics.lineHeight = std::ceil(QFontMetricsF(caption).height());
    metrics.hasColumnTitle = !m_data.columnTitle.isEmpty();
    for (const QString& row : m_data.rows)
        metrics.widestRowLabel = std::max(metrics.widestRowLabel, theme::tabularWidth(caption, row));
    for (const HeatCell& cell : m_data.cells)
        metrics.widestCellText = std::max(metrics.widestCellText, theme::tabularWidth(caption, cell.text));
    return layOutHeatMap(metrics);
}

QSize HeatMap::sizeHint() const
{
    const auto rows = static_cast<int>(m_data.rows.size());
    const int rowHeight = rows > 16 ? 20 : 26; // the title of the columns stands below the last row
    return {std::max(220, static_cast<int>(m_data.columns.size()) * 56 + 90), std::max(120, rows * rowHeight + 40)};
}

QSize HeatMap::minimumSizeHint() const
{
    return {180, std::max(100, static_cast<int>(m_data.rows.size()) * 18 + 40)};
}

void HeatMap::paintCell(QPainter& painter, const HeatCell& cell, const Box& box, bool showText) const
{
    const theme::Tokens& t = theme::current();
    const QRectF rect = toRect(box);
    const QFont font = theme::font(theme::Type::caption);
    if (cell.state == HeatCell::State::value) {
        // With one value there is no span; it is the best one and gets the strongest colour.
        const double share = m_hi > m_lo ? (cell.value - m_lo) / (m_hi - m_lo) : 1;
        const QColor ground = theme::sequentialColor(share);
        painter.fillRect(rect, ground);
        if (showText) {
            painter.setPen(theme::readableOn(ground));
            theme::drawTabular(painter, rect, Qt::AlignHCenter, font, cell.text);
        }
        return;
    }
    painter.fillRect(rect, cell.state == HeatCell::State::planned ? t.accentSoft : t.missing);
    if (cell.state == HeatCell::State::failed) {
        QBrush hatch(t.missingHatch, Qt::BDiagPattern);
        painter.fillRect(rect, hatch);
        // The hatch would cross the letters, so they get ground of their own.
        if (showText) {
            const double width = theme::tabularWidth(font, cell.text) + 6;
            const double height = QFontMetricsF(font).height();
            painter.fillRect(QRectF(rect.center().x() - width / 2, rect.center().y() - height / 2, width, height),
                             t.missing);
        }
    }
    if (showText && !cell.text.isEmpty()) {
        painter.setPen(cell.state == HeatCell::State::failed    ? t.bad
                       : cell.state == HeatCell::State::planned ? t.accent
                                                                : t.text3);
        theme::drawTabular(painter, rect, Qt::AlignHCenter, font, cell.text);
    }
}

void HeatMap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintPlot(painter);
    if (hasFocus())
        theme::drawFocusRing(painter, rect(), 4);
}

void HeatMap::paintPlot(QPainter& painter) const
{
    const theme::Tokens& t = theme::current();
    const HeatMapLayout layout = layoutNow();
    const QFont font = theme::font(theme::Type::caption);
    painter.setPen(t.text2);
    for (std::size_t i = 0; i < layout.rowLabels.size(); ++i) {
        theme::drawTabular(painter, toRect(layout.rowLabels[i]), Qt::AlignRight, font,
                           m_data.rows.at(static_cast<qsizetype>(i)));
    }
    for (std::size_t i = 0; i < layout.columnLabels.size(); ++i) {
        theme::drawTabular(painter, toRect(layout.columnLabels[i]), Qt::AlignHCenter, font,
                           m_data.columns.at(static_cast<qsizetype>(i)));
    }
    if (!m_data.columnTitle.isEmpty())
        theme::drawTabular(painter, toRect(layout.columnTitle), Qt::AlignHCenter, font, m_data.columnTitle);
    for (std::size_t i = 0; i < layout.cells.size() && i < m_data.cells.size(); ++i)
        paintCell(painter, m_data.cells[i], layout.cells[i], layout.showText);
    const int chosen = selectedIndex();
    if (chosen >= 0 && chosen < static_cast<int>(layout.cells.size())) {
        // Two tones, so that the ring is visible on every cell colour.
        const QRectF box = toRect(layout.cells[static_cast<std::size_t>(chosen)]).adjusted(-2, -2, 2, 2);
        theme::drawBox(painter, box, QColor(), t.panel, 2, 4);
        theme::drawBox(painter, box, QColor(), t.text, 2, 2);
    }
}

int HeatMap::selectedIndex() const
{
    const auto found = std::find_if(m_data.cells.begin(), m_data.cells.end(),
                                    [this](const HeatCell& cell) { return m_selected && cell.trial == m_selected; });
    return found == m_data.cells.end() ? -1 : static_cast<int>(found - m_data.cells.begin());
}

QString HeatMap::toCsv() const
{
    base::CsvLine header;
    for (const QString& title : {m_data.rowTitle, m_data.columnTitle,
                                 m_data.valueTitle.isEmpty() ? tr("value") : m_data.valueTitle, tr("state")}) {
        header.text(title.toStdString());
    }
    std::string text = header.take();
    for (std::size_t i = 0; i < m_data.cells.size(); ++i) {
        const HeatCell& cell = m_data.cells[i];
        const auto columns = static_cast<std::size_t>(m_data.columns.size());
        const bool measured = cell.state == HeatCell::State::value;
        const QString state = measured                                 ? tr("measured")
                              : cell.state == HeatCell::State::planned ? tr("planned")
                              : cell.state == HeatCell::State::pending ? tr("not measured yet")
                              : cell.state == HeatCell::State::failed  ? cell.text
                                                                       : tr("not run");
        base::CsvLine line;
        line.text(m_data.rows.value(static_cast<qsizetype>(i / columns)).toStdString());
        line.text(m_data.columns.value(static_cast<qsizetype>(i % columns)).toStdString());
        // No number is written where none was measured; a 0 would be read as one.
        line.number(measured ? std::optional(cell.value) : std::nullopt).text(state.toStdString());
        text += line.take();
    }
    return QString::fromStdString(text);
}

PlotSource::Point HeatMap::pointAt(QPointF at) const
{
    const HeatCell* cell = cellUnder(at);
    if (!cell || !cell->trial)
        return {};
    return {cell->toolTip, m_data.command ? m_data.command(cell->trial) : QString()};
}

QPointF HeatMap::selectedAt() const
{
    const int chosen = selectedIndex();
    const HeatMapLayout layout = layoutNow();
    return chosen >= 0 && chosen < static_cast<int>(layout.cells.size())
               ? toRect(layout.cells[static_cast<std::size_t>(chosen)]).center()
               : QRectF(rect()).center();
}

controls::PaintedParts::Part HeatMap::part(int index)
{
    const HeatCell& cell = m_data.cells[static_cast<std::size_t>(index)];
    const qsizetype columns = std::max<qsizetype>(1, m_data.columns.size());
    const HeatMapLayout layout = layoutNow();
    const QString where =
        tr("%1, %2 %3")
            .arg(m_data.rows.value(index / columns), m_data.columnTitle, m_data.columns.value(index % columns));
    return {tr("%1: %2").arg(where, cell.text.isEmpty() ? tr("nothing measured") : cell.text), cell.toolTip,
            static_cast<std::size_t>(index) < layout.cells.size()
                ? toRect(layout.cells[static_cast<std::size_t>(index)]).toRect()
                : QRect()};
}

const HeatCell* HeatMap::cellUnder(QPointF at) const
{
    const std::optional<int> index = layoutNow().cellAt(at.x(), at.y());
    return index && static_cast<std::size_t>(*index) < m_data.cells.size()
               ? &m_data.cells[static_cast<std::size_t>(*index)]
               : nullptr;
}

void HeatMap::mousePressEvent(QMouseEvent* event)
{
    const HeatCell* cell = cellUnder(event->position());
    if (event->button() == Qt::LeftButton && cell && cell->trial) {
        setSelected(cell->trial);
        Q_EMIT trialClicked(cell->trial);
    }
}

void HeatMap::mouseDoubleClickEvent(QMouseEvent* event)
{
    const HeatCell* cell = cellUnder(event->position());
    if (cell && cell->trial)
        Q_EMIT trialActivated(cell->trial);
}

void HeatMap::keyPressEvent(QKeyEvent* event)
{
    const int columns = static_cast<int>(m_data.columns.size());
    const int count = static_cast<int>(m_data.cells.size());
    const int at = std::max(0, selectedIndex());
    int delta = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        delta = -1;
        break;
    case Qt::Key_Right:
        delta = 1;
        break;
    case Qt::Key_Up:
        delta = -columns;
        break;
    case Qt::Key_Down:
        delta = columns;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_selected && event->modifiers() == Qt::NoModifier) {
            Q_EMIT trialActivated(m_selected);
            return;
        }
        break;
    default:
        break;
    }
    if (delta == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    // Up and down move by a whole row of the map.
    for (int next = at + delta; next >= 0 && next < count; next += delta) {
        const HeatCell& cell = m_data.cells[static_cast<std::size_t>(next)];
        // Cells without a trial are passed over: nothing could be shown for them.
        if (cell.trial) {
            setSelected(cell.trial);
            QToolTip::showText(mapToGlobal(part(next).place.bottomLeft()), cell.toolTip, this);
            controls::announceCurrentPart(this);
            Q_EMIT trialClicked(cell.trial);
            return;
        }
    }
}

bool HeatMap::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const HeatCell* cell = cellUnder(help->pos());
        QToolTip::showText(help->globalPos(), cell ? cell->toolTip : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace apertune::plots
