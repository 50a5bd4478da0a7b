// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_builder.h"
#include "widgets/trace_views/trace_labels.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace apertune::trace_views {

using trace::EventKind;

TEST(TraceLabels, NamesAreShortWithoutLosingWhatTells)
{
    EXPECT_EQ(
        shortName("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int, float)"),
        QStringLiteral("vectorized_elementwise_kernel"));
    EXPECT_EQ(shortName("aten::conv2d"), QStringLiteral("conv2d"));
    EXPECT_EQ(shortName("Memcpy HtoD (Pinned -> Device)"), QStringLiteral("Memcpy HtoD"));
    EXPECT_EQ(shortName("void (anonymous namespace)::softmax_warp_forward<float>(float*)"),
              QStringLiteral("softmax_warp_forward"));
    EXPECT_EQ(shortName("(odd"), QStringLiteral("(odd"));
    EXPECT_EQ(shortName(""), QString());
    EXPECT_EQ(displayName(EventKind::kernel, ""), QStringLiteral("(no name)")) << "a row of a table is never blank";
}

TEST(TraceLabels, RatesOfFewBytesAreAsShortAsThoseOfMany)
{
    EXPECT_EQ(rateWord(12'345'678'901, 1'000'000'000), QStringLiteral("12.3 GB/s"));
    EXPECT_EQ(rateWord(4, 3'000), QStringLiteral("1.33 MB/s"));
    EXPECT_EQ(rateWord(8, 1'000'000), QStringLiteral("8.00 kB/s"));
}

TEST(TraceLabels, FactsTellWhatIsKnownOfAnEventOfEachSort)
{
    trace::TraceBuilder builder;
    trace::Track thread;
    thread.process = thread.thread = 5;
    const auto add = [&](EventKind kind, std::uint32_t detail, std::int64_t value = 0) {
        trace::Event event;
        event.duration.count = 10;
        event.name = builder.intern("event");
        event.detail = detail;
        event.value = value;
        builder.add(builder.track(thread), kind, event);
    };
    add(EventKind::synchronization,
        builder.detail(trace::SynchronizationDetail{.type = trace::SynchronizationType::stream}));
    add(EventKind::operatorCall, builder.detail(trace::OperatorDetail{.inputShapes = builder.intern("[[1, 3]]"),
                                                                      .inputTypes = builder.intern("[\"float\"]"),
                                                                      .module = builder.intern("layer1.conv")}));
    add(EventKind::compilation, builder.detail(trace::NoteDetail{builder.intern("/home/me/.nv")}));
    add(EventKind::runtimeCall, 0, 2);
    trace::Track stream;
    stream.type = trace::TrackType::stream;
    stream.device = 0;
    thread = stream;
    trace::KernelDetail kernel;
    kernel.grid = kernel.block = {1, 1, 1};
    kernel.graph = 8;
    kernel.graphNode = 3;
    add(EventKind::kernel, builder.detail(kernel));
    const timeline::TimelinePtr timeline =
        timeline::Timeline::build(std::make_shared<const trace::Trace>(builder.finish(false)));
    std::map<QString, QString> values;
    for (std::uint32_t row = 0; row < timeline->rows().size(); ++row)
        for (const controls::FactList::Fact& fact : eventFacts(*timeline, {row, 0}, {}))
            values[fact.name] = fact.value;
    EXPECT_EQ(values[QStringLiteral("Waits")], QStringLiteral("the host, for a stream"));
    EXPECT_EQ(values[QStringLiteral("Inputs")], QStringLiteral("[[1, 3]]"));
    EXPECT_EQ(values[QStringLiteral("Types")], QStringLiteral("[\"float\"]"));
    EXPECT_EQ(values[QStringLiteral("Module")], QStringLiteral("layer1.conv"));
    EXPECT_EQ(values[QStringLiteral("Note")], QStringLiteral("/home/me/.nv"));
    EXPECT_EQ(values[QStringLiteral("Result")], QStringLiteral("error 2"));
    EXPECT_EQ(values[QStringLiteral("CUDA graph")], QStringLiteral("8, node 3"));
}

} // namespace apertune::trace_views
