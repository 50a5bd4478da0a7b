// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <gtest/gtest.h>

#include <string>

namespace apertune::trace::test {

/// Field by field; says which field or series differs.
inline void expectEqual(const Trace& a, const Trace& b)
{
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.source, b.source);
    EXPECT_EQ(a.recorderVersion, b.recorderVersion);
    EXPECT_EQ(a.originMonotonic, b.originMonotonic);
    EXPECT_EQ(a.originEpoch, b.originEpoch);
    EXPECT_EQ(a.rank, b.rank);
    EXPECT_EQ(a.worldSize, b.worldSize);
    EXPECT_EQ(a.strings, b.strings);
    EXPECT_EQ(a.tracks, b.tracks);
    EXPECT_EQ(a.devices, b.devices);
    EXPECT_EQ(a.losses, b.losses);
    ASSERT_EQ(a.cost.has_value(), b.cost.has_value());
    if (a.cost) {
        EXPECT_EQ(a.cost->bareNs.lo, b.cost->bareNs.lo);
        EXPECT_EQ(a.cost->tracedNs.value, b.cost->tracedNs.value);
        EXPECT_EQ(a.cost->ratio.hi, b.cost->ratio.hi);
        EXPECT_EQ(a.cost->ratio.confidence, b.cost->ratio.confidence);
        EXPECT_EQ(a.cost->bareIterations, b.cost->bareIterations);
        EXPECT_EQ(a.cost->tracedIterations, b.cost->tracedIterations);
    }
    EXPECT_TRUE(a.details.kernels == b.details.kernels);
    EXPECT_TRUE(a.details.copies == b.details.copies);
    EXPECT_TRUE(a.details.synchronizations == b.details.synchronizations);
    EXPECT_TRUE(a.details.operators == b.details.operators);
    EXPECT_TRUE(a.details.memory == b.details.memory);
    EXPECT_TRUE(a.details.notes == b.details.notes);
    ASSERT_EQ(a.series.size(), b.series.size());
    for (std::size_t i = 0; i < a.series.size(); ++i) {
        SCOPED_TRACE("series " + std::to_string(i));
        EXPECT_EQ(a.series[i].track, b.series[i].track);
        EXPECT_EQ(a.series[i].kind, b.series[i].kind);
        const EventColumns& x = a.series[i].events;
        const EventColumns& y = b.series[i].events;
        EXPECT_TRUE(x.start == y.start);
        EXPECT_TRUE(x.duration == y.duration);
        EXPECT_TRUE(x.name == y.name);
        EXPECT_TRUE(x.correlation == y.correlation);
        EXPECT_TRUE(x.link == y.link);
        EXPECT_TRUE(x.detail == y.detail);
        EXPECT_TRUE(x.value == y.value);
        EXPECT_TRUE(x.address == y.address);
    }
}

} // namespace apertune::trace::test
