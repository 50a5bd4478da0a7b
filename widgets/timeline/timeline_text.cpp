// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_text.h"

#include "core/timeline/time_ruler.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/format.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/trace_labels.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace apertune::timeline {

using timeline::EventBox;
using timeline::Timeline;
using timeline::TimelineDrawing;
using timeline::TimelineView;
using trace_views::curveValue;
using trace_views::curveValueAt;
using trace_views::displayName;
using trace_views::groupLabel;
using trace_views::rowLabel;
using trace_views::timeWord;

namespace {

constexpr int kLeastLabel = 48;          ///< px; a narrower box has no room for a name that can be recognized
constexpr std::size_t kMostLabels = 500; // bounds the time that a frame spends on text layout
constexpr int kPad = 5;
// Distances around a row's name, in logical pixels:
constexpr int kNameIndent = 22;
constexpr int kNameGap = 8;
constexpr int kNameEnd = 10;

// Figures beside names are not longer than these.
const QString kLongestShare = QStringLiteral("99.9 %");
const QString kLongestValue = QStringLiteral("1000 MiB");

QFont scaled(theme::Type type, double ratio)
{
    QFont font = theme::font(type);
    font.setPixelSize(qRound(font.pixelSize() * ratio));
    return font;
}

/// Shortens a label such as "python 48213 · operators". The thread's name is elided before the kind of the row.
QString elidedRow(const QString& label, const QFontMetrics& metrics, int room)
{
    // The kind after the dot tells rows of one thread apart, so it is kept longest.
    const qsizetype dot = label.lastIndexOf(QStringLiteral(" · "));
    if (dot < 0 || metrics.horizontalAdvance(label) <= room)
        return metrics.elidedText(label, Qt::ElideMiddle, room);
    const QString kind = label.mid(dot);
    const int rest = room - metrics.horizontalAdvance(kind);
    const int enough = metrics.horizontalAdvance(QStringLiteral("mmm"));
    return rest < enough ? metrics.elidedText(label.mid(dot + 3), Qt::ElideRight, room)
                         : metrics.elidedText(label.left(dot), Qt::ElideMiddle, rest) +
                               kind; // a thread's number is at the end, so the middle is elided
}

} // namespace

void TimelineText::follow(const Timeline& timeline, double ratio)
{
    // Names depend on the trace, the resolution and the size of the text, and on nothing else.
    if (m_timeline == &timeline && qFuzzyCompare(m_ratio, ratio) && m_size == theme::textSize())
        return;
    m_timeline = &timeline;
    m_ratio = ratio;
    m_size = theme::textSize();
    m_caption = scaled(theme::Type::caption, ratio);
    m_body = m_caption;
    m_strong = scaled(theme::Type::caption, ratio);
    m_strong.setWeight(QFont::DemiBold);
    m_names.clear();
    m_rows.clear();
    m_groups.clear();
    for (std::size_t i = 0; i < timeline.rows().size(); ++i)
        m_rows.push_back(rowLabel(timeline, i));
    for (std::size_t i = 0; i < timeline.groups().size(); ++i)
        m_groups.push_back(groupLabel(timeline, i));
}

void TimelineText::paint(QPainter& painter, const Timeline& timeline, const TimelineView& view,
                         const TimelineDrawing& drawing, const std::array<QRgb, analysis::kWorkClasses>& classes,
                         QRgb grey, double ratio)
{
    follow(timeline, ratio);
    paintBoxes(painter, timeline, drawing, classes, grey);
    paintNames(painter, timeline, view, drawing);
    paintGroups(painter, timeline, view, drawing);
    paintRuler(painter, timeline, view, drawing);
}

const QImage& TimelineText::nameOf(const Timeline& timeline, timeline::EventRef event, int width, const QColor& pen)
{
    const std::uint32_t name = timeline.columns(event).name[event.event];
    // Widths in steps of 8 pixels, so that zooming makes few new pictures. The number has 8 bits in the key.
    const int bucket = std::min(width / 8, 200);
    // Name, width and colour together: the same name is drawn in several classes.
    const quint64 key = (quint64{name} << 32) | (static_cast<quint64>(bucket) << 24) | (pen.rgb() & 0xFFFFFFU);
    // Drawing text is the slowest part of a picture, and the same names recur in every one.
    if (const QImage* known = m_names.object(key))
        return *known;
    const QFontMetrics metrics(m_caption);
    const QString text = metrics.elidedText(
        displayName(timeline.rows()[event.row].kind, timeline.trace().strings[name]), Qt::ElideRight, bucket * 8);
    auto* picture = new QImage(std::max(1, metrics.horizontalAdvance(text) + 1), metrics.height(),
                               QImage::Format_ARGB32_Premultiplied);
    picture->fill(Qt::transparent);
    QPainter painter(picture);
    painter.setFont(m_caption);
    painter.setPen(pen);
    painter.drawText(0, metrics.ascent(), text);
    painter.end();
    // One that is larger than the whole cache would be deleted at once.
    m_names.insert(key, picture, std::min<qsizetype>(picture->sizeInBytes() / 1024 + 1, kNamesKiB / 4));
    return *picture;
}

void TimelineText::paintBoxes(QPainter& painter, const Timeline& timeline, const TimelineDrawing& drawing,
                              const std::array<QRgb, analysis::kWorkClasses>& classes, QRgb grey)
{
    const int textHeight = QFontMetrics(m_caption).height();
    // Narrower boxes would show an ellipsis only.
    int least = static_cast<int>(kLeastLabel * m_ratio);
    const auto wide = [&] {
        return static_cast<std::size_t>(std::count_if(drawing.boxes.begin(), drawing.boxes.end(),
                                                      [&](const EventBox& box) { return box.width >= least; }));
    };
    // The widest boxes keep their labels.
    while (wide() > kMostLabels)
        least = least * 3 / 2;
    const theme::Tokens& t = theme::current();
    std::array<QColor, analysis::kWorkClasses> pens;
    for (std::size_t i = 0; i < pens.size(); ++i)
        pens[i] = theme::readableOn(QColor::fromRgb(classes[i]));
    // Text on greyed boxes is softer, so that matches stand out.
    const QColor greyPen = theme::mixed(theme::readableOn(QColor::fromRgb(grey)), t.panel, 0.25);
    for (const EventBox& box : drawing.boxes) {
        if (box.width < least || box.height < textHeight - 2 || box.y + box.height / 2 - textHeight / 2 < box.top)
            continue;
        painter.drawImage(box.x + kPad, box.y + (box.height - textHeight) / 2,
                          nameOf(timeline, box.event, box.width - 2 * kPad,
                                 box.grey ? greyPen : pens[static_cast<std::size_t>(box.workClass)]));
    }
}

QString rowFigure(const Timeline& timeline, const TimelineView& view, const timeline::TimelineRow& row)
{
    const auto begin = static_cast<std::int64_t>(view.begin);
    const auto end = static_cast<std::int64_t>(view.end());
    if (row.isCurve()) {
        const std::optional<double> value = curveValueAt(timeline, row, end);
        return value ? curveValue(timeline, row, *value) : QString();
    }
    if (end <= begin)
        return {};
    // The outermost lane covers the time of those nested in it.
    const double share = static_cast<double>(row.lanes.front().busy(timeline.columns(row), begin, end)) /
                         static_cast<double>(end - begin);
    // Less than the last shown digit reads as nothing; 99.95 % and more as 100 %.
    return share >= 0.9995  ? theme::percent(1)
           : share < 0.0005 ? QString()
                            : theme::percent(share, share < 0.1 ? 2 : 3);
}

double widthOfNames(const Timeline& timeline)
{
    const QFontMetrics metrics(theme::font(theme::Type::caption));
    int widest = 0;
    for (std::size_t i = 0; i < timeline.rows().size(); ++i)
        widest = std::max(widest, metrics.horizontalAdvance(rowLabel(timeline, i)) +
                                      (timeline.rows()[i].isCurve() ? metrics.horizontalAdvance(kLongestValue)
                                                                    : metrics.horizontalAdvance(kLongestShare)));
    return kNameIndent + widest + kNameGap + kNameEnd;
}

void TimelineText::paintNames(QPainter& painter, const Timeline& timeline, const TimelineView& view,
                              const TimelineDrawing& drawing)
{
    const theme::Tokens& t = theme::current();
    const QFontMetrics metrics(m_body);
    const int indent = qRound(kNameIndent * m_ratio);
    const int right = view.metrics.labelWidth - qRound(kNameEnd * m_ratio);
    for (const timeline::RowBox& box : drawing.rows) {
        const int top = box.pinned ? drawing.bodyTop : drawing.scrollTop;
        painter.setClipRect(0, top, view.metrics.labelWidth - 1, box.pinned ? drawing.scrollTop - top : view.height);
        // A tall row is named where its outermost lane is.
        const int height =
            // At most the height of the row's first lane, so the name stands beside it.
            std::min(box.height, std::max(view.metrics.minimumRow, box.laneHeight + 2 * view.metrics.rowPadding));
        const QString figure = rowFigure(timeline, view, timeline.rows()[box.row]);
        const int figureWidth = figure.isEmpty() ? 0 : qRound(theme::tabularWidth(m_caption, figure));
        painter.setPen(t.text3);
        theme::drawTabular(painter, QRectF(right - figureWidth, box.y, figureWidth + 1, height), Qt::AlignRight,
                           m_caption, figure);
        painter.setPen(box.pinned ? t.text : t.text2);
        painter.setFont(m_body);
        const int room = right - figureWidth - indent - qRound(kNameGap * m_ratio);
        painter.drawText(QRect(indent, box.y, room, height), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         elidedRow(m_rows[box.row], metrics, room));
        if (box.pinned) {
            painter.fillRect(
                QRectF(indent - 11 * m_ratio, box.y + height / 2.0 - 2 * m_ratio, 4 * m_ratio, 4 * m_ratio), t.accent);
        }
    }
    painter.setClipping(false);
}

void TimelineText::paintGroups(QPainter& painter, const Timeline& timeline, const TimelineView& view,
                               const TimelineDrawing& drawing)
{
    const theme::Tokens& t = theme::current();
    painter.setClipRect(0, drawing.scrollTop, view.width, view.height);
    for (const timeline::GroupBox& box : drawing.groups) {
        const QRect rect(0, box.y, view.width, box.height);
        painter.fillRect(rect, theme::mixed(t.panel, t.canvas, 0.75));
        painter.fillRect(QRect(0, box.y + box.height - 1, view.width, 1), t.line);
        const double middle = box.y + box.height / 2.0;
        const double size = 3.5 * m_ratio;
        const QPointF center(12 * m_ratio, middle);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.text2);
        if (box.collapsed)
            painter.drawPolygon(QPolygonF({center + QPointF(-size * 0.7, -size), center + QPointF(-size * 0.7, size),
                                           center + QPointF(size, 0)}));
        else
            painter.drawPolygon(QPolygonF({center + QPointF(-size, -size * 0.7), center + QPointF(size, -size * 0.7),
                                           center + QPointF(0, size)}));
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setFont(m_strong);
        painter.setPen(t.text);
        painter.drawText(rect.adjusted(qRound(22 * m_ratio), 0, -8, -1),
                         Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, m_groups[box.group]);
        if (box.collapsed) {
            painter.setFont(m_caption);
            painter.setPen(t.text3);
            painter.drawText(rect.adjusted(0, 0, -qRound(12 * m_ratio), -1), Qt::AlignVCenter | Qt::AlignRight,
                             theme::counted(timeline.groups()[box.group].rows,
                                            QCoreApplication::translate("apertune::timeline", "row"),
                                            QCoreApplication::translate("apertune::timeline", "rows")));
        }
    }
    painter.setClipping(false);
}

void TimelineText::paintRuler(QPainter& painter, const Timeline& timeline, const TimelineView& view,
                              const TimelineDrawing& drawing)
{
    const theme::Tokens& t = theme::current();
    const timeline::TimelineMetrics& m = view.metrics;
    const int indent = qRound(12 * m_ratio);
    painter.setFont(m_strong);
    painter.setPen(t.text2);
    const QString title = QCoreApplication::translate("apertune::timeline", "Overview");
    painter.drawText(QRect(indent, 0, m.labelWidth, m.overviewHeight), Qt::AlignVCenter | Qt::AlignLeft, title);
    painter.setPen(t.text3);
    const QString whole = timeWord(timeline.extent().length());
    theme::drawTabular(painter, QRectF(0, 0, m.labelWidth - 10 * m_ratio, m.overviewHeight), Qt::AlignRight, m_caption,
                       whole);
    theme::drawTabular(painter, QRectF(0, m.overviewHeight, m.labelWidth - 10 * m_ratio, m.rulerHeight), Qt::AlignRight,
                       m_caption, timeWord(static_cast<std::int64_t>(view.end() - view.begin)));
    painter.setPen(t.text2);
    theme::drawTabular(painter, QRectF(indent, m.overviewHeight, m.labelWidth - indent, m.rulerHeight), Qt::AlignLeft,
                       m_caption, QCoreApplication::translate("apertune::timeline", "In view"));
    painter.setClipRect(m.labelWidth, m.overviewHeight, view.width, m.rulerHeight);
    for (const timeline::RulerTick& tick : drawing.ticks) {
        painter.fillRect(QRect(tick.x, m.overviewHeight + m.rulerHeight - qRound(5 * m_ratio), 1, qRound(4 * m_ratio)),
                         t.text3);
        const QString label = QString::fromStdString(tick.label);
        const double left = tick.x + 4 * m_ratio;
        // A label that would be cut at the right edge is left out.
        if (left + theme::tabularWidth(m_caption, label) + 4 * m_ratio > view.width)
            continue; // half a number is another number
        painter.setPen(tick.whole ? t.text : t.text3);
        theme::drawTabular(painter, QRectF(left, m.overviewHeight, m.tickSpacing * 2, m.rulerHeight - 2), Qt::AlignLeft,
                           m_caption, label);
    }
    painter.setClipping(false);
    if (timeline::iterationsOf(timeline, view).empty())
        return;
    painter.setPen(t.text3);
    theme::drawTabular(painter, QRectF(indent, drawing.iterationTop, m.labelWidth - indent, m.iterationHeight),
                       Qt::AlignLeft, m_caption, QCoreApplication::translate("apertune::timeline", "Iterations"));
    theme::drawTabular(painter, QRectF(0, drawing.iterationTop, m.labelWidth - 10 * m_ratio, m.iterationHeight),
                       Qt::AlignRight, m_caption,
                       theme::count(static_cast<qint64>(timeline::iterationsOf(timeline, view).size())));
    painter.setPen(t.text2);
    for (const timeline::IterationBox& box : drawing.iterations) {
        const timeline::Iteration& iteration = timeline::iterationsOf(timeline, view)[box.iteration];
        QString text = theme::toQt(iteration.label);
        text = text.mid(text.indexOf(QLatin1Char('#'))); // "ProfilerStep#3" is "#3" to a reader
        const QString longText = QStringLiteral("%1   %2").arg(text, timeWord(iteration.range.length()));
        // The length is shown where it fits, the number alone where it fits, and otherwise nothing.
        const double room = box.width - 2 * kPad;
        const QString& shown = theme::tabularWidth(m_caption, longText) <= room ? longText : text;
        if (theme::tabularWidth(m_caption, shown) <= room)
            theme::drawTabular(painter, QRectF(box.x + kPad, drawing.iterationTop, room + 1, m.iterationHeight),
                               Qt::AlignLeft, m_caption, shown);
    }
}

} // namespace apertune::timeline
