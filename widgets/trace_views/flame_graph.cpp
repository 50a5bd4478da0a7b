// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace_views/flame_graph.h"

#include "core/base/csv.h"
#include "core/timeline/timeline_matches.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/flame_keys.h"
#include "widgets/trace_views/trace_colors.h"
#include "widgets/trace_views/trace_labels.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace apertune::trace_views {

using analysis::FlameBox;
using analysis::FlameNode;
using analysis::FlameWeight;

namespace {

constexpr int kLeastBoxLabel = 36; ///< width in px from which on a name is readable
constexpr int kKeptLabels = 4000;
constexpr int kBoxPad = 5;

std::size_t at(std::int32_t node)
{
    return static_cast<std::size_t>(node);
}

} // namespace

FlameGraph::FlameGraph(QWidget* parent) : QWidget(parent)
{
    controls::setPaintedRole(this, controls::PaintedRole::chart);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Flame graph"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        // Labels were laid out in the former font.
        m_labels.clear();
        updateGeometry();
        update();
    });
}

void FlameGraph::setTree(FlamePtr tree, trace::TracePtr trace)
{
    m_difference.reset();
    std::vector<std::uint32_t> path;
    if (m_tree && m_trace == trace)
        for (const std::int32_t node : analysis::flamePath(*m_tree, m_focus))
            path.push_back(m_tree->nodes[at(node)].name);
    m_tree = tree && !tree->empty() ? std::move(tree) : nullptr;
    m_trace = std::move(trace);
    m_labels.clear();
    m_focus = 0;
    m_hovered = -1;
    // The same trace with another weight keeps its zoom. Node numbers differ between the trees, and names do not.
    for (const std::uint32_t name : path) {
        const std::int32_t from = m_focus;
        // Children of a node follow it, each with its descendants; `end` leads to the next sibling.
        for (std::int32_t c = from + 1; m_tree && c < m_tree->nodes[at(from)].end; c = m_tree->nodes[at(c)].end)
            if (m_tree->nodes[at(c)].name == name) {
                m_focus = c;
                break;
            }
        // Deeper names cannot be found where this one is missing.
        if (m_focus == from)
            break;
    }
    m_current = m_focus;
    findMatches();
    layOut();
    Q_EMIT zoomed();
    Q_EMIT currentChanged();
}

void FlameGraph::setDifference(const std::shared_ptr<const analysis::FlameDifference>& difference)
{
    auto names = std::make_shared<trace::Trace>();
    // A difference has names of its own: the union of those of both traces.
    names->strings = difference->strings;
    setTree(FlamePtr(difference, &difference->tree), std::move(names));
    m_difference = difference;
    m_largestChange = 0;
    // Node 0 is the root, whose change is that of everything and would pale all others.
    for (std::size_t i = 1; i < difference->timeA.size(); ++i)
        m_largestChange = std::max(m_largestChange, std::abs(difference->timeB[i] - difference->timeA[i]));
    describe();
    update();
}

void FlameGraph::setSearch(const QString& text)
{
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    findMatches();
    update();
}

void FlameGraph::findMatches()
{
    m_matches.clear();
    m_matchCount = 0;
    m_matchedShare = 0;
    if (!m_tree || m_words.isEmpty())
        return;
    const std::vector<FlameNode>& nodes = m_tree->nodes;
    m_matches.assign(nodes.size(), 0);
    // Names recur in many nodes, so each is compared once.
    QHash<quint32, bool> known;
    std::int64_t time = 0;
    std::int32_t counted = 0; // end of the last match that was counted; a match that begins before it is nested
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        auto found = known.constFind(nodes[i].name);
        if (found == known.constEnd()) {
            const QString name = theme::toQt(std::string(m_trace->strings[nodes[i].name]));
            found = known.insert(nodes[i].name, std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
                                     return name.contains(word, Qt::CaseInsensitive);
                                 }));
        }
        if (!*found)
            continue;
        m_matches[i] = 1;
        ++m_matchCount;
        if (static_cast<std::int32_t>(i) >= counted) {
            time += nodes[i].total;
            counted = nodes[i].end;
        }
    }
    // A trace without device work has a total of 0.
    m_matchedShare = static_cast<double>(time) / static_cast<double>(std::max<std::int64_t>(1, nodes[0].total));
}

void FlameGraph::zoomTo(std::int32_t node)
{
    if (!m_tree || node < 0 || at(node) >= m_tree->nodes.size())
        return;
    m_focus = node;
    m_current = node;
    layOut();
    Q_EMIT zoomed();
    Q_EMIT currentChanged();
}

void FlameGraph::setCurrent(std::int32_t node)
{
    if (!m_tree || node == m_current)
        return;
    m_current = node;
    describe();
    update();
    controls::announceCurrentPart(this);
    Q_EMIT currentChanged();
}

QString FlameGraph::nameOf(std::int32_t node) const
{
    if (!m_tree || node <= 0)
        return m_tree && m_tree->weight == FlameWeight::deviceTime ? tr("all device work") : tr("all host time");
    const FlameNode& of = m_tree->nodes[at(node)];
    const QString name = displayName(of.kind, m_trace->strings[of.name]);
    return name.startsWith(QStringLiteral("ProfilerStep#")) ? tr("ProfilerStep") : name;
}

QString FlameGraph::factsOf(std::int32_t index) const
{
    if (!m_tree)
        return {};
    if (m_difference)
        return changeFacts(index);
    const FlameNode& node = m_tree->nodes[at(index)];
    const auto share = [&](std::int64_t time) {
        return theme::percent(
            static_cast<double>(time) / static_cast<double>(std::max<std::int64_t>(1, m_tree->nodes[0].total)), 3);
    };
    if (index == 0)
        return timeWord(node.total);
    QString text = tr("%1, %2 of all").arg(timeWord(node.total), share(node.total));
    if (m_tree->weight == FlameWeight::hostTime && node.end > index + 1)
        text += tr(" · %1 in itself").arg(timeWord(node.self));
    text += QStringLiteral(" · ") + theme::counted(node.calls, tr("call"), tr("calls"));
    if (node.calls > 1)
        text += tr(" · longest %1").arg(timeWord(node.longest));
    return text;
}

QString FlameGraph::changeFacts(std::int32_t node) const
{
    const double a = m_difference->timeA[at(node)];
    const double b = m_difference->timeB[at(node)];
    const QString change = timeWord(std::llround(std::abs(b - a)));
    return tr("A %1, B %2: %3")
        .arg(timeWord(std::llround(a)), timeWord(std::llround(b)),
             (b < a ? QStringLiteral("−") : QStringLiteral("+")) + change);
}

QColor FlameGraph::fillOf(const FlameBox& box) const
{
    const theme::Tokens& t = theme::current();
    const QColor plain = theme::mixed(t.panel, t.text3, 0.3);
    if (box.folded > 0 || (box.node == 0 && !m_difference))
        return plain;
    if (!m_difference)
        return classColor(m_tree->nodes[at(box.node)].workClass);
    const double change = m_difference->timeB[at(box.node)] - m_difference->timeA[at(box.node)];
    // The square root keeps small changes visible beside the largest one.
    const double strength = m_largestChange > 0 ? std::sqrt(std::min(1.0, std::abs(change) / m_largestChange)) : 0;
    return theme::mixed(plain, change < 0 ? t.good : t.bad, strength);
}

int FlameGraph::rowHeight() const
{
    return QFontMetrics(theme::font(theme::Type::caption)).height() + 8;
}

void FlameGraph::layOut()
{
    m_boxes.clear();
    m_rows = 1;
    if (m_tree && width() > 0)
        // The layout depends on the width: boxes narrower than a pixel are folded.
        m_boxes = analysis::layOutFlame(*m_tree, m_focus, width());
    for (const FlameBox& box : m_boxes)
        m_rows = std::max(m_rows, box.row + 1);
    describe();
    updateGeometry();
    update();
}

void FlameGraph::describe()
{
    setAccessibleDescription(m_tree ? tr("%1: %2. %3 boxes below. Arrow keys go from box to box, Enter zooms.")
                                          .arg(nameOf(m_current), factsOf(m_current))
                                          .arg(m_tree->nodes[at(m_current)].end - m_current - 1)
                                    : tr("Nothing to show."));
}

QRect FlameGraph::rectOf(const FlameBox& box) const
{
    return {box.x, box.row * rowHeight(), box.width, rowHeight()};
}

const FlameBox* FlameGraph::boxAt(QPointF point) const
{
    const int row = static_cast<int>(point.y()) / rowHeight();
    for (const FlameBox& box : m_boxes)
        if (box.row == row && point.x() >= box.x && point.x() < box.x + box.width)
            return &box;
    return nullptr;
}

const FlameBox* FlameGraph::boxOf(std::int32_t node) const
{
    for (const FlameBox& box : m_boxes)
        if (box.node == node)
            return &box;
    return nullptr;
}

const QStaticText& FlameGraph::label(std::int32_t node, int width) const
{
    // Widths in steps of 8 pixels, so that resizing makes few new texts. The number has 8 bits in the key.
    const int bucket = std::min(width / 8, 250);
    const quint64 key = (static_cast<quint64>(node) << 8) | static_cast<quint64>(bucket);
    const auto known = m_labels.constFind(key);
    if (known != m_labels.constEnd())
        return *known;
    // Labels of an earlier zoom are not needed any more, and counting their use would cost more than making them anew.
    if (m_labels.size() > kKeptLabels)
        m_labels.clear();
    const QFont font = theme::font(theme::Type::caption);
    QStaticText text(theme::elidedName(QFontMetricsF(font), nameOf(node), bucket * 8));
    text.setTextFormat(Qt::PlainText);
    // The text is drawn in each frame while the mouse moves.
    text.setPerformanceHint(QStaticText::AggressiveCaching);
    text.prepare(QTransform(), font);
    return *m_labels.insert(key, text);
}

void FlameGraph::paintPlot(QPainter& painter) const
{
    if (!m_tree)
        return;
    const theme::Tokens& t = theme::current();
    const QFont font = theme::font(theme::Type::caption);
    const int textHeight = QFontMetrics(font).height();
    const QColor grey = greyedColor();
    painter.setFont(font);
    for (const FlameBox& box : m_boxes) {
        const QRect rect = rectOf(box);
        const FlameNode& node = m_tree->nodes[at(box.node)];
        const bool greyed = !m_matches.empty() && (m_matches[at(box.node)] == 0 || box.folded > 0);
        QColor fill = fillOf(box);
        if (greyed)
            fill = grey;
        else if (node.depth < m_tree->nodes[at(m_focus)].depth)
            fill = theme::mixed(fill, t.panel, 0.45);
        if (box.node == m_hovered)
            fill = theme::mixed(fill, t.text, 0.15);
        // A gap of one pixel separates boxes, if they are wide enough for it.
        painter.fillRect(rect.adjusted(0, 0, rect.width() > 3 ? -1 : 0, -1), fill);
        if (rect.width() < kLeastBoxLabel || box.folded > 0)
            continue;
        painter.setPen(greyed ? t.text3 : theme::readableOn(fill));
        painter.drawStaticText(rect.x() + kBoxPad, rect.y() + (rect.height() - textHeight) / 2,
                               label(box.node, rect.width() - 2 * kBoxPad));
    }
}

void FlameGraph::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintPlot(painter);
    const FlameBox* box = m_tree ? boxOf(m_current) : nullptr;
    if (box && (m_current != m_focus || hasFocus())) {
        painter.setPen(QPen(hasFocus() ? theme::current().accent : theme::current().text, 2));
        painter.drawRect(rectOf(*box).adjusted(1, 1, -1, -1));
    }
}

void FlameGraph::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != width())
        layOut();
}

controls::PaintedParts::Part FlameGraph::part(int index)
{
    const FlameBox& box = m_boxes[static_cast<std::size_t>(index)];
    if (box.folded > 0)
        return {toolTip(box), {}, rectOf(box)};
    return {tr("%1: %2").arg(nameOf(box.node), factsOf(box.node)), toolTip(box), rectOf(box)};
}

int FlameGraph::currentPart()
{
    const FlameBox* box = m_tree ? boxOf(m_current) : nullptr;
    return box ? static_cast<int>(box - m_boxes.data()) : -1;
}

QSize FlameGraph::sizeHint() const
{
    return {900, m_rows * rowHeight()};
}

QSize FlameGraph::minimumSizeHint() const
{
    return {300, m_rows * rowHeight()};
}

void FlameGraph::mouseMoveEvent(QMouseEvent* event)
{
    const FlameBox* box = boxAt(event->position());
    const std::int32_t hovered = box ? box->node : -1;
    if (hovered == m_hovered)
        return;
    m_hovered = hovered;
    setCursor(box && box->folded == 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void FlameGraph::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

void FlameGraph::mouseReleaseEvent(QMouseEvent* event)
{
    const FlameBox* box = boxAt(event->position());
    if (event->button() == Qt::LeftButton && box) // a folded box has no node of its own; its caller is the way in
        zoomTo(box->folded > 0 ? m_tree->nodes[at(box->node)].parent : box->node);
}

/// The nearest box in the direction of an arrow key.
void FlameGraph::step(int key)
{
    const FlameBox* from = boxOf(m_current);
    if (!from)
        return;
    const FlameBox* best = nullptr;
    for (const FlameBox& box : m_boxes) {
        const bool below = key == Qt::Key_Down && m_tree->nodes[at(box.node)].parent == m_current;
        const bool above = key == Qt::Key_Up && m_tree->nodes[at(m_current)].parent == box.node;
        const bool left = key == Qt::Key_Left && box.row == from->row && box.x < from->x;
        const bool right = key == Qt::Key_Right && box.row == from->row && box.x > from->x;
        if (box.folded > 0 || (!below && !above && !left && !right))
            continue;
        // To the sides the nearest box, upwards and downwards the widest.
        if (!best || (left ? box.x > best->x : right ? box.x < best->x : box.width > best->width))
            best = &box;
    }
    if (best)
        setCurrent(best->node);
}

void FlameGraph::keyPressEvent(QKeyEvent* event)
{
    const std::optional<int> action = m_tree ? controls::actionOf(flameKeys(), *event) : std::nullopt;
    if (!action)
        QWidget::keyPressEvent(event);
    else if (*action == Qt::Key_Return)
        zoomTo(m_current);
    else if (*action == Qt::Key_Backspace)
        zoomTo(std::max(0, m_tree->nodes[at(m_focus)].parent));
    else if (*action == Qt::Key_Home)
        zoomTo(0);
    else
        step(*action);
}

QString FlameGraph::toolTip(const FlameBox& box) const
{
    const FlameNode& node = m_tree->nodes[at(box.node)];
    if (box.folded > 0)
        return tr("%1 below %2 that are narrower than a pixel. Click to look closer.")
            .arg(theme::counted(box.folded, tr("more name"), tr("more names")), nameOf(node.parent));
    QString text = nameOf(box.node) + QLatin1Char('\n') + factsOf(box.node);
    if (box.node == 0)
        return text;
    text += QLatin1Char('\n') + tr("%1: %2").arg(classWord(node.workClass), classDefinition(node.workClass));
    // A name of a C++ template can have thousands of characters.
    const QString full = theme::toQt(std::string(m_trace->strings[node.name])).left(400);
    return full == nameOf(box.node) ? text : text + QStringLiteral("\n\n") + full;
}

bool FlameGraph::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const FlameBox* box = m_tree ? boxAt(help->pos()) : nullptr;
        if (box)
            QToolTip::showText(help->globalPos(), toolTip(*box), this, rectOf(*box));
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QWidget::event(event);
}

QString FlameGraph::toCsv() const
{
    base::CsvLine header;
    for (const QString& title :
         {tr("Depth"), tr("Path"), tr("Calls"), tr("Total (ns)"), tr("Self (ns)"), tr("Longest (ns)")}) {
        header.text(title.toStdString());
    }
    std::string text = header.take();
    QStringList path;
    // Node 0 is the root and has no name.
    for (std::size_t i = 1; m_tree && i < m_tree->nodes.size(); ++i) {
        const FlameNode& node = m_tree->nodes[i];
        path = path.mid(0, node.depth - 1);
        path << theme::toQt(std::string(m_trace->strings[node.name]));
        base::CsvLine line;
        line.count(node.depth).text(path.join(QStringLiteral(" > ")).toStdString());
        line.count(node.calls).count(node.total).count(node.self).count(node.longest);
        text += line.take();
    }
    return QString::fromStdString(text);
}

plots::PlotSource::Point FlameGraph::pointAt(QPointF point) const
{
    const FlameBox* box = m_tree ? boxAt(point) : nullptr;
    return {box ? toolTip(*box) : QString(), {}};
}

QPointF FlameGraph::selectedAt() const
{
    const FlameBox* box = m_tree ? boxOf(m_current) : nullptr;
    return box ? QPointF(rectOf(*box).center()) : QPointF(rect().center());
}

} // namespace apertune::trace_views
