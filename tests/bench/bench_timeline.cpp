// SPDX-License-Identifier: GPL-3.0-or-later
// bench_timeline [EVENTS_IN_MILLIONS=10] [--bursts]: time from a trace in memory to its first picture, and the time of
// a frame at every zoom while panning. Frames are whole pictures of 1920 × 1080, layout and, where the tree is built
// with Qt, painting. The rival, measured on the same frames, is a scan that merges what is narrower than a pixel.
#include "core/trace/time_ruler.h"
#include "core/trace/timeline_layout.h"
#include "tests/core/trace/support/synthetic_trace.h"

#ifdef APERTUNE_BENCH_PAINT
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_painter.h"

#include <QApplication>
#include <QImage>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

using namespace apertune;
using namespace apertune::trace;

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double quantile(std::vector<double> values, double q)
{
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(q * static_cast<double>(values.size())))];
}

/// What many viewers do: visit all visible events, merge below a pixel.
std::size_t scan(const Timeline& timeline, const TimelineView& view)
{
    std::size_t drawn = 0;
    for (const TimelineRow& row : timeline.rows()) {
        const EventColumns& c = timeline.columns(row);
        const LaneMip& lane = row.lanes.front();
        double filled = -1;
        for (std::size_t i = lane.firstEndingAfter(c, static_cast<std::int64_t>(view.begin));
             i < lane.size && static_cast<double>(c.start[i]) < view.end(); ++i) {
            const double right = view.xOf(static_cast<double>(c.end(i)));
            if (right < filled + 1)
                continue;
            filled = right;
            ++drawn;
        }
    }
    return drawn;
}

class Frames
{
public:
    explicit Frames(const Timeline& timeline) : m_timeline(timeline)
    {
        m_view.width = 1920;
        m_view.height = 1080;
    }

    void draw()
    {
        const TimelineDrawing drawing = layOutTimeline(m_timeline, m_view);
        m_sum += drawing.boxes.size() + drawing.coverage.size();
#ifdef APERTUNE_BENCH_PAINT
        m_painter.paint(m_image, m_timeline, m_view, drawing);
#endif
    }

    void measureZoom(double share)
    {
        std::mt19937 random(3);
        const TimeRange extent = m_timeline.extent();
        const double length = static_cast<double>(extent.length()) * share;
        m_view.nsPerPx = length / m_view.plotWidth();
        std::vector<double> times;
        std::vector<double> rival;
        std::size_t inView = 0;
        for (int place = 0; place < 12; ++place) {
            const double room = static_cast<double>(extent.length()) - length;
            m_view.begin = static_cast<double>(extent.begin) + room * static_cast<double>(random() % 1000) / 1000.0;
            for (int pan = 0; pan < 25; ++pan) {
                m_view.begin += 7 * m_view.nsPerPx;
                const auto begin = Clock::now();
                draw();
                times.push_back(since(begin));
            }
            const auto begin = Clock::now();
            m_sum += scan(m_timeline, m_view);
            rival.push_back(since(begin));
            inView = 0;
            for (const TimelineRow& row : m_timeline.rows())
                for (const LaneMip& lane : row.lanes)
                    inView += lane.count(m_timeline.columns(row), static_cast<std::int64_t>(m_view.begin),
                                         static_cast<std::int64_t>(m_view.end()));
        }
        const double p50 = quantile(times, 0.5);
        std::printf("%10.4g %%  %11zu  p50 %6.2f  p95 %6.2f  p99 %6.2f ms   scan alone %8.2f ms (× %.1f)\n",
                    share * 100, inView, p50, quantile(times, 0.95), quantile(times, 0.99), quantile(rival, 0.5),
                    quantile(rival, 0.5) / p50);
    }

    TimelineView& view()
    {
        return m_view;
    }
    std::size_t sum() const
    {
        return m_sum;
    }

private:
    const Timeline& m_timeline;
    TimelineView m_view;
    std::size_t m_sum = 0;
#ifdef APERTUNE_BENCH_PAINT
    QImage m_image{1920, 1080, QImage::Format_RGB32};
    timeline::TimelinePainter m_painter;
#endif
};

} // namespace

int main(int argc, char** argv)
{
    double millions = 10;
    bool bursts = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--bursts") == 0)
            bursts = true;
        else
            millions = std::atof(argv[i]);
    }
    if (!(millions > 0)) {
        std::fprintf(stderr, "usage: bench_timeline [EVENTS_IN_MILLIONS] [--bursts]\n");
        return 2;
    }
#ifdef APERTUNE_BENCH_PAINT
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    theme::Theme::instance().apply(theme::Preference::dark, theme::Scheme::dark);
    std::printf("layout and painting, 1920 x 1080\n");
#else
    std::printf("layout only, 1920 x 1080\n");
#endif
    const TracePtr trace = testing::makeLargeTrace(static_cast<std::size_t>(millions * 1e6), 16, bursts);
    std::printf("%zu events on 16 tracks%s\n", trace->eventCount(), bursts ? ", in bursts" : "");
    auto begin = Clock::now();
    const TimelinePtr timeline = Timeline::build(trace);
    const double build = since(begin);
    Frames frames(*timeline);
    const TimeWindow all = fitTo(timeline->extent(), 0);
    frames.view().begin = all.begin;
    frames.view().nsPerPx = all.length() / frames.view().plotWidth();
    begin = Clock::now();
    frames.draw();
    const double first = since(begin);
    std::size_t bytes = 0;
    std::vector<SeriesMip> stored(trace->series.size());
    for (const TimelineRow& row : timeline->rows()) {
        stored[row.series].lanes = row.lanes;
        bytes += encodeMip(stored[row.series]).size();
    }
    std::printf("mip build %.0f ms, first frame %.1f ms, stored mip %.2f B an event\n", build, first,
                static_cast<double>(bytes) / static_cast<double>(trace->eventCount()));
    std::printf("%12s  %11s\n", "zoom", "in view");
    for (const double share : {1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6})
        frames.measureZoom(share);
    return frames.sum() == 0 ? 1 : 0;
}
