// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::timeline {

struct TimelineMatches;

/// Sizes of the parts of the drawing, in its pixels.
struct TimelineMetrics
{
    int labelWidth = 200; ///< width of the names on the left
    int overviewHeight = 40;
    int rulerHeight = 24;
    int iterationHeight = 20; ///< height of the strip of iterations, if the trace has any
    int groupHeight = 24;
    int laneHeight = 20;
    int compactLaneHeight = 5;
    int curveHeight = 48;
    int rowPadding = 2;    ///< above and below the lanes of a row
    int tickSpacing = 110; ///< smallest distance between labels of the ruler
    int minimumRow = 22;   ///< height that a name needs
};

/// The visible part of a timeline and its options: all that a user changes while navigating. Sizes are pixels of the
/// drawing, so a screen with a device pixel ratio of 2 asks for twice the size.
struct TimelineView
{
    double begin = 0;   ///< ns at the left edge of the plot
    double nsPerPx = 1; ///< > 0
    int width = 0;      ///< width of the whole drawing
    int height = 0;
    int scroll = 0; ///< vertical scroll position of the rows
    TimelineMetrics metrics;
    std::vector<char> collapsed;                        ///< flag by group
    std::vector<char> compact;                          ///< flag by row: thin lanes without text
    std::vector<std::uint32_t> pinned;                  ///< rows that stay above the others, in this order
    const TimelineMatches* matches = nullptr;           ///< events of a search; others are grey. Null: no search
    const std::vector<Iteration>* iterations = nullptr; ///< replaces the iterations that the trace marks
    std::optional<EventRef> selected;
    std::vector<EventRef> partners; ///< partners of the selected event
    bool arrows = true;             ///< arrows from launches to kernels, while few are in view

    int plotWidth() const { return width > metrics.labelWidth ? width - metrics.labelWidth : 0; }
    double end() const { return begin + nsPerPx * plotWidth(); }
    double timeAt(double x) const { return begin + (x - metrics.labelWidth) * nsPerPx; }
    double xOf(double time) const { return metrics.labelWidth + (time - begin) / nsPerPx; }
};

struct RowBox
{
    std::uint32_t row = 0;
    int y = 0;
    int height = 0;
    int laneHeight = 0;
    bool pinned = false;
};

struct GroupBox
{
    std::uint32_t group = 0;
    int y = 0; ///< sticks to the top while rows of the group are below it
    int height = 0;
    bool collapsed = false;
};

/// One event.
struct EventBox
{
    EventRef event;
    int x = 0;
    int y = 0;
    int width = 0; ///< at least 1
    int height = 0;
    int top = 0; ///< nothing of the box is drawn above this
    analysis::WorkClass workClass = analysis::WorkClass::other;
    bool grey = false;
    bool selected = false;
    bool partner = false;
};

/// Columns of one lane that hold several events each, drawn as bars of the busy share. The values are `width` entries
/// of TimelineDrawing::coverage, shade and matched, starting at `first`; 0 is an empty column.
struct DensityStrip
{
    static constexpr std::uint8_t kRowHue = 255;
    std::uint32_t row = 0;
    std::uint32_t lane = 0;
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
    int top = 0; ///< nothing of the strip is drawn above this
    std::size_t first = 0;
};

/// One column of a curve, in pixels from the top of the drawing.
struct CurveColumn
{
    int top = 0; ///< position of the largest sample
    int bottom = 0;
    int mean = 0;
};

struct CurveStrip
{
    std::uint32_t row = 0;
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
    int top = 0;
    double lowest = 0; ///< value at the bottom
    double highest = 0;
    std::size_t first = 0; ///< index into TimelineDrawing::curveColumns
};

struct FlowArrow
{
    int fromX = 0;
    int fromY = 0;
    int toX = 0;
    int toY = 0;
    bool selected = false;
};

struct RulerTick
{
    int x = 0;
    std::int64_t time = 0;
    std::string label; ///< "1.302 s" on a whole step, "+3.5 ms" between
    bool whole = false;
};

struct IterationBox
{
    std::size_t iteration = 0; ///< index into iterationsOf()
    int x = 0;
    int width = 0;
};

/// The drawing as data. All parts are clipped to it.
struct TimelineDrawing
{
    std::vector<RowBox> rows;
    std::vector<GroupBox> groups; ///< drawn over the rows
    std::vector<EventBox> boxes;  ///< drawn over the strips
    std::vector<DensityStrip> strips;
    std::vector<std::uint8_t> coverage; ///< 1…255 of the height
    std::vector<std::uint8_t> shade;    ///< WorkClass of the longest event, or kRowHue where many share a column
    std::vector<std::uint8_t> matched;  ///< coverage by matches of the search; empty without a search
    std::vector<CurveStrip> curves;
    std::vector<CurveColumn> curveColumns;
    std::vector<FlowArrow> arrows;
    std::vector<RulerTick> ticks;
    std::vector<IterationBox> iterations;
    int overviewLeft = 0; ///< left edge of the visible range in the overview
    int overviewRight = 0;
    int iterationTop = 0;
    int bodyTop = 0;       ///< below it are pinned rows
    int scrollTop = 0;     ///< below it are the rows that scroll
    int contentHeight = 0; ///< height of all scrolling rows
    int scroll = 0;        ///< requested scroll position, limited to the content
};

} // namespace apertune::timeline
