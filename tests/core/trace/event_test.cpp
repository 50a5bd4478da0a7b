// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/event.h"
#include "core/trace/recorder.h"

#include <gtest/gtest.h>

#include <set>

using namespace apertune;
using trace::EventColumns;
using trace::EventKind;
using trace::Recorder;
using trace::recorderOf;

TEST(EventKinds, EveryKindHasAWordOfItsOwn)
{
    std::set<std::string_view> words;
    for (const EventKind kind : trace::kEventKinds)
        words.insert(toString(kind));
    EXPECT_EQ(words.size(), trace::kEventKinds.size());
}

TEST(Recorders, AreReadBackByTheirWordsAndUnknownWordsAreOfOthers)
{
    for (const char* word : {"apertune", "kineto", "chrome", "nsys", "rocprofv3", "rocpd", "perfetto"}) {
        EXPECT_NE(recorderOf(word), Recorder::other) << word;
        EXPECT_EQ(toString(recorderOf(word)), word);
    }
    EXPECT_EQ(recorderOf("a newer tool"), Recorder::other);
    EXPECT_EQ(recorderOf(""), Recorder::other);
}

TEST(EventKinds, NumbersOfStoredKindsNeverChange)
{
    EXPECT_EQ(static_cast<int>(EventKind::kernel), 1);
    EXPECT_EQ(static_cast<int>(EventKind::copy), 2);
    EXPECT_EQ(static_cast<int>(EventKind::memset), 3);
    EXPECT_EQ(static_cast<int>(EventKind::runtimeCall), 4);
    EXPECT_EQ(static_cast<int>(EventKind::driverCall), 5);
    EXPECT_EQ(static_cast<int>(EventKind::synchronization), 6);
    EXPECT_EQ(static_cast<int>(EventKind::graphLaunch), 7);
    EXPECT_EQ(static_cast<int>(EventKind::operatorCall), 8);
    EXPECT_EQ(static_cast<int>(EventKind::range), 9);
    EXPECT_EQ(static_cast<int>(EventKind::deviceRange), 10);
    EXPECT_EQ(static_cast<int>(EventKind::deviceMemory), 11);
    EXPECT_EQ(static_cast<int>(EventKind::tensorMemory), 12);
    EXPECT_EQ(static_cast<int>(EventKind::compilation), 13);
    EXPECT_EQ(static_cast<int>(EventKind::overhead), 14);
    EXPECT_EQ(static_cast<int>(EventKind::counter), 15);
    EXPECT_EQ(static_cast<int>(EventKind::scriptCall), 16);
    EXPECT_EQ(static_cast<int>(EventKind::profilerRange), 17);
    EXPECT_EQ(static_cast<int>(EventKind::other), 255);
}

TEST(EventColumns, AColumnAppearsWithItsFirstValueAndReadsZeroBefore)
{
    EventColumns columns;
    columns.append({.start = {10}, .duration = {1}, .name = {1}});
    EXPECT_TRUE(columns.correlation.empty());
    columns.append({.start = {20}, .duration = {1}, .name = {1}, .correlation = 7});
    columns.append({.start = {30}, .duration = {1}, .name = {1}});
    ASSERT_EQ(columns.correlation.size(), 3u);
    EXPECT_EQ(columns.at(0).correlation, 0u);
    EXPECT_EQ(columns.at(1).correlation, 7u);
    EXPECT_EQ(columns.at(2).correlation, 0u);
    EXPECT_TRUE(columns.value.empty());
    EXPECT_EQ(columns.at(2).value, 0);
}

TEST(EventColumns, ManyAtOnceAreWhatTheyAreOneByOne)
{
    EventColumns all;
    EventColumns single;
    for (int part = 0; part < 40; ++part) {
        EventColumns more;
        for (std::int64_t i = 0; i < 5000; ++i) {
            trace::Event event{{part * 5000 + i}, {1 + i % 3}, {static_cast<std::uint32_t>(i % 7)}};
            if (part >= 3) // the column begins late…
                event.correlation = static_cast<std::uint32_t>(i);
            if (part % 2 == 1) // …or is left out at times
                event.value = -i;
            more.append(event);
            single.append(event);
        }
        all.append(
            {more.start, more.duration, more.name, more.correlation, more.link, more.detail, more.value, more.address});
    }
    EXPECT_EQ(all.start, single.start);
    EXPECT_EQ(all.duration, single.duration);
    EXPECT_EQ(all.name, single.name);
    EXPECT_EQ(all.correlation, single.correlation);
    EXPECT_EQ(all.value, single.value);
    EXPECT_TRUE(all.link.empty() && all.detail.empty() && all.address.empty());
}

TEST(EventColumns, SortingKeepsTheColumnsTogetherAndPutsParentsBeforeChildren)
{
    EventColumns columns;
    columns.append({.start = {50}, .duration = {5}, .name = {3}, .correlation = 3});
    columns.append({.start = {10}, .duration = {2}, .name = {2}, .correlation = 2}); // the child
    columns.append({.start = {10}, .duration = {40}, .name = {1}, .correlation = 1});
    columns.sort();
    EXPECT_EQ(columns.start, (std::vector<std::int64_t>{10, 10, 50}));
    EXPECT_EQ(columns.duration, (std::vector<std::int64_t>{40, 2, 5}));
    EXPECT_EQ(columns.name, (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(columns.correlation, (std::vector<std::uint32_t>{1, 2, 3}));
}
