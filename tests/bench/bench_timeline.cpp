// SPDX-License-Identifier: GPL-3.0-or-later
// bench_timeline [EVENTS_IN_MILLIONS=10] [--bursts] [--reopen] [--ratio]: time from a trace in memory to its first
// picture, and the time of a frame at every zoom while panning. Frames are whole pictures of 1920 × 1080, layout and,
// where the tree is built with Qt, painting. The rival, measured on the same frames, is a scan that merges what is
// narrower than a pixel.
//   --reopen  instead: from a workspace on disk, mips kept, to the first correct frame, as one figure.
//   --ratio   instead: CPU time of a frame with ten times as many events over that of a frame with EVENTS, frames of
//             both in turn, with the range that holds the median with 95 % confidence.
#include "core/base/temporary_dir.h"
#include "core/store/timeline_store.h"
#include "core/timeline/time_ruler.h"
#include "core/timeline/timeline_layout.h"
#include "core/trace/time_mip_codec.h"
#include "tests/bench/usage.h"
#include "tests/core/trace/support/synthetic_trace.h"

#ifdef APERTUNE_BENCH_PAINT
#include "widgets/theme/appearance.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_painter.h"

#include <QApplication>
#include <QImage>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
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
std::size_t scan(const timeline::Timeline& timeline, const timeline::TimelineView& view)
{
    std::size_t drawn = 0;
    for (const timeline::TimelineRow& row : timeline.rows()) {
        const trace::EventColumns& c = timeline.columns(row);
        const trace::LaneMip& lane = row.lanes.front();
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
    explicit Frames(const timeline::Timeline& timeline) : m_timeline(timeline)
    {
        m_view.width = 1920;
        m_view.height = 1080;
    }

    void draw()
    {
        const timeline::TimelineDrawing drawing = timeline::layOutTimeline(m_timeline, m_view);
        m_sum += drawing.boxes.size() + drawing.coverage.size();
#ifdef APERTUNE_BENCH_PAINT
        m_painter.paint(m_image, m_timeline, m_view, drawing);
#endif
    }

    void measureZoom(double share)
    {
        std::mt19937 random(3);
        const trace::TimeRange extent = m_timeline.extent();
        const double length = static_cast<double>(extent.length()) * share;
        m_view.nsPerPx = length / m_view.plotWidth();
        std::vector<double> times;
        std::vector<double> rival;
        std::size_t inView = 0;
        for (int place = 0; place < 12; ++place) {
            const double room = static_cast<double>(extent.length()) - length;
            m_view.begin = static_cast<double>(extent.start) + room * static_cast<double>(random() % 1000) / 1000.0;
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
            for (const timeline::TimelineRow& row : m_timeline.rows())
                for (const trace::LaneMip& lane : row.lanes)
                    inView += lane.count(m_timeline.columns(row), static_cast<std::int64_t>(m_view.begin),
                                         static_cast<std::int64_t>(m_view.end()));
        }
        const double p50 = quantile(times, 0.5);
        std::printf("%10.4g %%  %11zu  p50 %6.2f  p95 %6.2f  p99 %6.2f ms   scan alone %8.2f ms (× %.1f)\n",
                    share * 100, inView, p50, quantile(times, 0.95), quantile(times, 0.99), quantile(rival, 0.5),
                    quantile(rival, 0.5) / p50);
    }

    /// CPU time of `frames` frames that pan, in ms, from the same relative place whatever the trace.
    double panFrom(double share, double place, int frames)
    {
        const trace::TimeRange extent = m_timeline.extent();
        const double length = static_cast<double>(extent.length()) * share;
        m_view.nsPerPx = length / m_view.plotWidth();
        m_view.begin = static_cast<double>(extent.start) + (static_cast<double>(extent.length()) - length) * place;
        const double begin = cpu();
        for (int pan = 0; pan < frames; ++pan) {
            m_view.begin += 7 * m_view.nsPerPx;
            draw();
        }
        return cpu() - begin;
    }

    timeline::TimelineView& view()
    {
        return m_view;
    }
    std::size_t sum() const
    {
        return m_sum;
    }

private:
    static double cpu()
    {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
    }

    const timeline::Timeline& m_timeline;
    timeline::TimelineView m_view;
    std::size_t m_sum = 0;
#ifdef APERTUNE_BENCH_PAINT
    QImage m_image{1920, 1080, QImage::Format_RGB32};
    timeline::TimelinePainter m_painter;
#endif
};

constexpr double kZooms[] = {1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6};

void showAll(Frames& frames, const timeline::Timeline& timeline)
{
    const timeline::TimeWindow all = timeline::fitTo(timeline.extent(), 0);
    frames.view().begin = all.begin;
    frames.view().nsPerPx = all.length() / frames.view().plotWidth();
}

/// Writes the workspace once, then opens it again and again as the window does.
int reopen(std::size_t events, bool bursts)
{
    auto dir = base::TemporaryDir::create("bench");
    if (!dir)
        return 1;
    const std::filesystem::path file = dir->path() / "bench.apertune";
    store::TraceId id;
    {
        auto store = store::Store::open(file, store::OpenMode::readWrite);
        const auto added = store ? store->addTrace(*testing::makeLargeTrace(events, 16, bursts)) : store.error();
        if (!added)
            return 1;
        id = *added;
        const auto timeline = store::openTimeline(*store, id);
        if (!timeline || !store::keepMips(*store, id, **timeline))
            return 1;
    }
    std::printf("%zu events, %.1f MB on disk\n", events, static_cast<double>(std::filesystem::file_size(file)) / 1e6);
    std::vector<double> wall;
    for (int i = 0; i < 7; ++i) {
        const auto begin = Clock::now();
        const auto store = store::Store::open(file, store::OpenMode::readOnly);
        bool kept = false;
        const auto timeline = store ? store::openTimeline(*store, id, {}, &kept) : store.error();
        if (!timeline || !kept)
            return 1;
        const double opened = since(begin);
        Frames frames(**timeline);
        showAll(frames, **timeline);
        frames.draw();
        wall.push_back(since(begin));
        std::printf("  opened %6.0f ms, first correct frame %6.0f ms\n", opened, wall.back());
    }
    std::printf("reopen to first correct frame: median %.0f ms [%.0f, %.0f]\n", quantile(wall, 0.5), quantile(wall, 0),
                quantile(wall, 1));
    return 0;
}

int ratio(std::size_t events, bool bursts)
{
    const timeline::TimelinePtr few = timeline::Timeline::build(testing::makeLargeTrace(events, 16, bursts));
    const timeline::TimelinePtr many = timeline::Timeline::build(testing::makeLargeTrace(10 * events, 16, bursts));
    Frames small(*few);
    Frames large(*many);
    std::printf("CPU time of a frame, %zu events over %zu\n%12s  %9s  %9s  ratio\n", many->trace().eventCount(),
                few->trace().eventCount(), "zoom", "few", "many");
    for (const double share : kZooms) {
        std::mt19937 random(3);
        std::vector<double> ratios;
        std::vector<double> first;
        std::vector<double> second;
        for (int i = 0; i < 17; ++i) {
            constexpr int kFrames = 12;
            const double place = static_cast<double>(random() % 1000) / 1000.0;
            first.push_back(small.panFrom(share, place, kFrames) / kFrames);
            second.push_back(large.panFrom(share, place, kFrames) / kFrames);
            ratios.push_back(second.back() / first.back());
        }
        std::sort(ratios.begin(), ratios.end()); // ranks 5 and 13 of 17 hold the median with 95 % confidence
        std::printf("%10.4g %%  %6.2f ms  %6.2f ms  %.2f [%.2f, %.2f]\n", share * 100, quantile(first, 0.5),
                    quantile(second, 0.5), ratios[8], ratios[4], ratios[12]);
    }
    return small.sum() + large.sum() == 0 ? 1 : 0;
}

} // namespace

int main(int argc, char** argv)
{
    const bench::Usage usage(argc, argv, "bench_timeline [EVENTS_IN_MILLIONS=10] [--bursts] [--reopen] [--ratio]");
    double millions = 10;
    bool bursts = false;
    bool reopening = false;
    bool comparing = false;
    for (const std::string& word : usage.words())
        if (word == "--bursts")
            bursts = true;
        else if (word == "--reopen")
            reopening = true;
        else if (word == "--ratio")
            comparing = true;
        else if (millions = std::atof(word.c_str()); !(millions > 0))
            usage.refuse(word);
#ifdef APERTUNE_BENCH_PAINT
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    theme::applyTheme(theme::Preference::dark, theme::Scheme::dark);
    std::printf("layout and painting, 1920 x 1080\n");
#else
    std::printf("layout only, 1920 x 1080\n");
#endif
    const auto events = static_cast<std::size_t>(millions * 1e6);
    if (reopening || comparing)
        return reopening ? reopen(events, bursts) : ratio(events, bursts);
    const trace::TracePtr trace = testing::makeLargeTrace(events, 16, bursts);
    std::printf("%zu events on 16 tracks%s\n", trace->eventCount(), bursts ? ", in bursts" : "");
    auto begin = Clock::now();
    const timeline::TimelinePtr timeline = timeline::Timeline::build(trace);
    const double build = since(begin);
    Frames frames(*timeline);
    showAll(frames, *timeline);
    begin = Clock::now();
    frames.draw();
    const double first = since(begin);
    std::size_t bytes = 0;
    for (const timeline::TimelineRow& row : timeline->rows())
        bytes += trace::encodeMip(row.lanes).size();
    std::printf("mip build %.0f ms, first frame %.1f ms, stored mip %.2f B an event\n", build, first,
                static_cast<double>(bytes) / static_cast<double>(trace->eventCount()));
    std::printf("%12s  %11s\n", "zoom", "in view");
    for (const double share : kZooms)
        frames.measureZoom(share);
    return frames.sum() == 0 ? 1 : 0;
}
