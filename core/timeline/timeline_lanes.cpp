// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline_lanes.h"

#include "core/timeline/timeline_matches.h"

#include <algorithm>
#include <cmath>

namespace apertune::timeline {
namespace {

/// Columns with at least this many events show the busy share in the hue of the row. Colours by class would only
/// flicker.
constexpr std::uint32_t kManyInAColumn = 4;
/// An event of at least this width in px is a box of its own.
constexpr double kBoxWidth = 2;
/// Above this mean number of events per column, positions are searched instead of visited.
constexpr std::size_t kVisitsPerColumn = 24;

struct Column
{
    double busy = 0; ///< sum of share × weight
    double weight = 0;
    std::uint32_t count = 0;
    std::uint32_t longest = trace::MipNode::kNone;
    std::int64_t duration = -1; ///< duration of the longest event
};

class LanePainter
{
public:
    LanePainter(const Timeline& timeline, const TimelineView& view, const TimelineRow& row, std::uint32_t index,
                TimelineDrawing& drawing, int top)
        : m_timeline(timeline), m_columns(timeline.columns(row)), m_view(view), m_row(row), m_index(index),
          m_drawing(drawing), m_width(view.plotWidth()), m_top(top)
    {
    }

    void paint(const trace::LaneMip& lane, std::uint32_t number, int y, int height)
    {
        m_strip = kNoStrip;
        if (lane.size == 0 || static_cast<double>(lane.lastEnd) < m_view.begin ||
            static_cast<double>(m_columns.start[lane.eventAt(0)]) >= m_view.end())
            return;
        m_y = y;
        m_height = height;
        m_cells.assign(static_cast<std::size_t>(m_width), Column{});
        fill(lane, true);
        addStrip(number);
    }

    /// Writes the coverage of the matches into `matched` of the strip that was added last.
    void paintMatches(const trace::LaneMip& lane)
    {
        if (m_drawing.matched.size() < m_drawing.coverage.size())
            m_drawing.matched.resize(m_drawing.coverage.size(), 0);
        if (lane.size == 0 || m_drawing.strips.empty() || m_strip == kNoStrip)
            return;
        m_cells.assign(static_cast<std::size_t>(m_width), Column{});
        fill(lane, false);
        const DensityStrip& strip = m_drawing.strips[m_strip];
        for (int x = 0; x < strip.width; ++x)
            m_drawing.matched[strip.first + static_cast<std::size_t>(x)] =
                toByte(m_cells[static_cast<std::size_t>(strip.x - m_view.metrics.labelWidth + x)]);
    }

private:
    static constexpr std::size_t kNoStrip = static_cast<std::size_t>(-1);

    void fill(const trace::LaneMip& lane, bool boxes)
    {
        // Where a pixel is at least as wide as a bucket, columns are sums of buckets; below that, events are read
        // themselves.
        if (m_view.nsPerPx >= std::ldexp(1.0, lane.shift)) {
            fillFromMip(lane, boxes);
            return;
        }
        const std::size_t first = lane.firstEndingAfter(m_columns, static_cast<std::int64_t>(std::floor(m_view.begin)));
        const std::size_t last = lane.lowerBound(m_columns, static_cast<std::int64_t>(std::ceil(m_view.end())));
        // Too many events for a frame, and too few for a bucket: each column is searched instead.
        if (last > first && last - first > kVisitsPerColumn * static_cast<std::size_t>(m_width))
            fillBySearch(lane, first, last);
        else
            fillFromEvents(lane, first, last, boxes);
    }

    void fillFromMip(const trace::LaneMip& lane, bool boxes)
    {
        // The coarsest level whose buckets are at most as wide as a pixel.
        const int wanted = static_cast<int>(std::floor(std::log2(m_view.nsPerPx))) - lane.shift;
        const auto k = static_cast<std::size_t>(std::clamp(wanted, 0, static_cast<int>(lane.levels.size()) - 1));
        const std::vector<trace::MipNode>& level = lane.levels[k];
        const int shift = lane.shift + static_cast<int>(k);
        const std::int64_t base = lane.firstBucket >> k;
        const double size = std::ldexp(1.0, shift);
        const auto from = static_cast<std::int64_t>(std::floor(m_view.begin / size)) - base;
        const auto to = static_cast<std::int64_t>(std::ceil(m_view.end() / size)) - base;
        const auto begin =
            static_cast<std::size_t>(std::clamp<std::int64_t>(from, 0, static_cast<std::int64_t>(level.size())));
        const auto end =
            static_cast<std::size_t>(std::clamp<std::int64_t>(to, 0, static_cast<std::int64_t>(level.size())));
        // A bucket belongs to the column of its left edge, so that panning by whole pixels changes no column.
        const double perBucket = size / m_view.nsPerPx;
        const double offset = (static_cast<double>(base) * size - m_view.begin) / m_view.nsPerPx;
        std::uint32_t current = trace::MipNode::kNone;
        int runStart = 0;
        int x = 0;
        for (std::size_t i = begin; i < end; ++i) {
            x = std::clamp(static_cast<int>(std::floor(offset + static_cast<double>(i) * perBucket)), 0, m_width - 1);
            const trace::MipNode& node = level[i];
            Column& column = m_cells[static_cast<std::size_t>(x)];
            column.busy += node.coverage;
            // Coverage has 16 bits; 65535 is a bucket that is covered in full.
            column.weight += 65535;
            column.count += node.count;
            if (column.longest == trace::MipNode::kNone) {
                column.longest = node.longest; // its duration is only read when two events compete
            } else if (node.longest != trace::MipNode::kNone && node.longest != column.longest) {
                if (column.duration < 0)
                    column.duration = m_columns.duration[column.longest];
                if (const std::int64_t duration = m_columns.duration[node.longest]; duration > column.duration) {
                    column.longest = node.longest;
                    column.duration = duration;
                }
            }
            if (node.longest != current) {
                closeRun(current, runStart, x, boxes);
                current = node.longest;
                runStart = x;
            }
        }
        closeRun(current, runStart, x + 1, boxes);
    }

    /// An event that is the longest one of several columns is drawn as a box.
    void closeRun(std::uint32_t event, int from, int to, bool boxes)
    {
        // A long event that fills several buckets alone is drawn as a box, which can be selected.
        if (boxes && event != trace::MipNode::kNone && to - from >= 2 &&
            static_cast<double>(m_columns.duration[event]) >= kBoxWidth * m_view.nsPerPx)
            addBox(event);
    }

    void fillFromEvents(const trace::LaneMip& lane, std::size_t first, std::size_t last, bool boxes)
    {
        // Up to about eight events per column pass here in every frame, so the loop has no division and no call.
        const double perNs = 1 / m_view.nsPerPx;
        const auto wide = static_cast<std::int64_t>(std::ceil(kBoxWidth * m_view.nsPerPx));
        for (std::size_t i = first; i < last; ++i) {
            const std::uint32_t event = lane.eventAt(i);
            const std::int64_t duration = m_columns.duration[event];
            if (boxes && duration >= wide) {
                addBox(event);
                continue;
            }
            const double left = (static_cast<double>(m_columns.start[event]) - m_view.begin) * perNs;
            add(event, duration, left, left + static_cast<double>(duration) * perNs);
        }
        for (Column& column : m_cells)
            column.weight = 1;
    }

    /// Spreads an event over the columns that it overlaps. An instant leaves a mark, too.
    void add(std::uint32_t event, std::int64_t duration, double left, double right)
    {
        if (right < 0)
            return;
        const int from = left > 0 ? static_cast<int>(left) : 0;
        const int to = std::min(m_width - 1, static_cast<int>(right));
        for (int x = from; x <= to; ++x) {
            Column& column = m_cells[static_cast<std::size_t>(x)];
            const double share = std::min<double>(right, x + 1) - std::max<double>(left, x);
            // An event of no length still leaves a trace in its column.
            column.busy += std::max(share, x == from ? 1e-3 : 0.0);
            if (x == from)
                ++column.count;
            if ((share > 0 || x == from) && duration > column.duration) {
                column.longest = event;
                column.duration = duration;
            }
        }
    }

    /// Used where events are much denser than on average: it searches the events between two columns instead of
    /// visiting all.
    void fillBySearch(const trace::LaneMip& lane, std::size_t first, std::size_t last)
    {
        std::size_t at = first;
        for (int x = 0; x < m_width && at < last; ++x) {
            const auto left = static_cast<std::int64_t>(std::floor(m_view.begin + x * m_view.nsPerPx));
            const auto right = static_cast<std::int64_t>(std::floor(m_view.begin + (x + 1) * m_view.nsPerPx));
            // Steps double until they pass the edge of the column, then bisection finds the place (exponential search).
            // It takes the logarithm of the events in the column.
            std::size_t next = at;
            for (std::size_t step = 1; next < last && m_columns.start[lane.eventAt(next)] < right; step *= 2)
                next = std::min(last, next + step);
            std::size_t low = at;
            while (low < next) {
                const std::size_t middle = (low + next) / 2;
                if (m_columns.start[lane.eventAt(middle)] < right)
                    low = middle + 1;
                else
                    next = middle;
            }
            Column& column = m_cells[static_cast<std::size_t>(x)];
            column.weight = 1;
            column.busy = static_cast<double>(lane.busy(m_columns, left, right)) / std::max(1.0, m_view.nsPerPx);
            column.count = static_cast<std::uint32_t>(low - at);
            // Any event of the column may give its colour; the middle one needs no search.
            if (low > at)
                column.longest = lane.eventAt((at + low) / 2);
            else if (column.busy > 0 && low > 0)
                column.longest = lane.eventAt(low - 1);
            at = low;
        }
    }

    void addBox(std::uint32_t event)
    {
        const double left = (static_cast<double>(m_columns.start[event]) - m_view.begin) / m_view.nsPerPx;
        const double right = left + static_cast<double>(m_columns.duration[event]) / m_view.nsPerPx;
        const int from = std::max(0, static_cast<int>(std::floor(left)));
        const int to = std::min(m_width, std::max(static_cast<int>(std::floor(right)), from + 1));
        if (to <= 0 || from >= m_width || from >= to)
            return;
        EventBox box;
        box.event = {m_index, event};
        box.x = m_view.metrics.labelWidth + from;
        box.y = m_y;
        box.width = to - from;
        box.height = m_height;
        box.top = m_top;
        box.workClass = m_timeline.classOf(m_row, event);
        box.grey = m_view.matches && !m_view.matches->name[m_columns.name[event]];
        box.selected = m_view.selected == box.event;
        box.partner = std::find(m_view.partners.begin(), m_view.partners.end(), box.event) != m_view.partners.end();
        m_drawing.boxes.push_back(box);
    }

    static std::uint8_t toByte(const Column& column)
    {
        if (column.busy <= 0 || column.weight <= 0)
            return 0;
        // Work that exists is never rounded to nothing.
        return static_cast<std::uint8_t>(std::clamp(column.busy / column.weight * 255 + 0.5, 1.0, 255.0));
    }

    void addStrip(std::uint32_t number)
    {
        int from = 0;
        int to = m_width;
        while (from < to && m_cells[static_cast<std::size_t>(from)].busy <= 0)
            ++from;
        while (to > from && m_cells[static_cast<std::size_t>(to - 1)].busy <= 0)
            --to;
        if (from == to)
            return;
        DensityStrip strip;
        strip.row = m_index;
        strip.lane = number;
        strip.x = m_view.metrics.labelWidth + from;
        strip.y = m_y;
        strip.width = to - from;
        strip.height = m_height;
        strip.top = m_top;
        strip.first = m_drawing.coverage.size();
        for (int x = from; x < to; ++x) {
            const Column& column = m_cells[static_cast<std::size_t>(x)];
            m_drawing.coverage.push_back(toByte(column));
            // Many short events have no colour of their own; the row's colour says that there are many.
            const bool many = column.count >= kManyInAColumn || column.longest == trace::MipNode::kNone;
            m_drawing.shade.push_back(many ? DensityStrip::kRowHue
                                           : static_cast<std::uint8_t>(m_timeline.classOf(m_row, column.longest)));
        }
        m_strip = m_drawing.strips.size();
        m_drawing.strips.push_back(strip);
    }

    const Timeline& m_timeline;
    const trace::EventColumns& m_columns;
    const TimelineView& m_view;
    const TimelineRow& m_row;
    std::uint32_t m_index;
    TimelineDrawing& m_drawing;
    int m_width;
    int m_top;
    int m_y = 0;
    int m_height = 0;
    std::size_t m_strip = kNoStrip;
    std::vector<Column> m_cells;
};

/// Reads one column from the samples themselves, for views closer than the finest bucket. `next` is the first sample
/// not yet passed.
trace::SampleNode readSamples(const trace::EventColumns& columns, const std::vector<std::int64_t>& values, double right,
                              std::size_t& next)
{
    trace::SampleNode sum;
    for (; next < columns.size() && static_cast<double>(columns.start[next]) < right; ++next) {
        const auto value = static_cast<float>(trace::valueAt(values, next));
        sum = sum.count == 0 ? trace::SampleNode{value, value, value, 1}
                             : trace::SampleNode{std::min(sum.min, value), std::max(sum.max, value), value, 1};
    }
    return sum;
}

void layOutCurve(const Timeline& timeline, const TimelineView& view, const RowBox& box, TimelineDrawing& drawing)
{
    const TimelineRow& row = timeline.rows()[box.row];
    const trace::CounterMip& curve = row.curve;
    const int width = view.plotWidth();
    const bool exact = view.nsPerPx < std::ldexp(1.0, curve.shift);
    const int wanted = static_cast<int>(std::floor(std::log2(view.nsPerPx))) - curve.shift;
    const auto k = static_cast<std::size_t>(std::clamp(wanted, 0, static_cast<int>(curve.levels.size()) - 1));
    const std::vector<trace::SampleNode>& level = curve.levels[k];
    const double size = std::ldexp(1.0, curve.shift + static_cast<int>(k));
    const auto base = static_cast<double>(curve.firstBucket >> k);
    const trace::EventColumns& columns = timeline.columns(row);
    const std::vector<std::int64_t>& values = row.total.empty() ? columns.value : row.total;
    auto next = static_cast<std::size_t>(std::lower_bound(columns.start.begin(), columns.start.end(),
                                                          static_cast<std::int64_t>(std::floor(view.begin))) -
                                         columns.start.begin());

    CurveStrip strip;
    strip.row = box.row;
    strip.top = box.pinned ? drawing.bodyTop : drawing.scrollTop;
    strip.x = view.metrics.labelWidth;
    strip.y = box.y + view.metrics.rowPadding;
    strip.height = box.height - 2 * view.metrics.rowPadding;
    strip.width = width;
    strip.first = drawing.curveColumns.size();
    // The axis includes 0, so that the height of a curve can be compared with others.
    strip.lowest = std::min(0.0, static_cast<double>(curve.min));
    // A little room above the highest value; a curve without any height gets one.
    strip.highest =
        static_cast<double>(curve.max) > strip.lowest ? static_cast<double>(curve.max) * 1.05 : strip.lowest + 1;
    const auto toY = [&](float value) {
        const double share = (static_cast<double>(value) - strip.lowest) / (strip.highest - strip.lowest);
        return strip.y + strip.height - 1 - static_cast<int>(std::lround(share * (strip.height - 1)));
    };
    trace::SampleNode last;
    if (next > 0) { // a value holds until the next sample, so the line enters from the left
        const auto value = static_cast<float>(trace::valueAt(values, next - 1));
        last = {value, value, value, 1};
    }
    for (int x = 0; x < width; ++x) {
        const double left = view.begin + x * view.nsPerPx;
        const double right = left + view.nsPerPx;
        trace::SampleNode sum;
        if (exact) {
            sum = readSamples(columns, values, right, next);
        } else {
            const auto from = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(left / size - base)));
            const auto to = std::min(static_cast<std::int64_t>(level.size()),
                                     static_cast<std::int64_t>(std::ceil(right / size - base)));
            for (std::int64_t i = from; i < to; ++i) {
                const trace::SampleNode& node = level[static_cast<std::size_t>(i)];
                if (node.count > 0)
                    sum = sum.count == 0 ? node
                                         : trace::SampleNode{std::min(sum.min, node.min), std::max(sum.max, node.max),
                                                             node.mean, 1};
            }
        }
        if (sum.count == 0 && last.count > 0)
            sum = trace::SampleNode{last.mean, last.mean, last.mean, 1};
        last = sum;
        drawing.curveColumns.push_back(sum.count == 0 ? CurveColumn{0, -1, 0}
                                                      : CurveColumn{toY(sum.max), toY(sum.min), toY(sum.mean)});
    }
    drawing.curves.push_back(strip);
}

} // namespace

void layOutRow(const Timeline& timeline, const TimelineView& view, const RowBox& box, TimelineDrawing& drawing)
{
    const TimelineRow& row = timeline.rows()[box.row];
    if (row.isCurve()) {
        if (!row.curve.levels.empty())
            layOutCurve(timeline, view, box, drawing);
        return;
    }
    const int top = box.pinned ? drawing.bodyTop : drawing.scrollTop;
    LanePainter painter(timeline, view, row, box.row, drawing, top);
    const int gap = box.laneHeight > 8 ? 1 : 0;
    const int lanes = box.laneHeight * static_cast<int>(row.lanes.size());
    int y = box.y + (box.height - lanes) / 2;
    for (std::size_t i = 0; i < row.lanes.size(); ++i, y += box.laneHeight) {
        if (y + box.laneHeight <= top || y >= view.height)
            continue;
        painter.paint(row.lanes[i], static_cast<std::uint32_t>(i), y, box.laneHeight - gap);
        if (view.matches)
            painter.paintMatches(view.matches->lanes[box.row][i]);
    }
}

} // namespace apertune::timeline
