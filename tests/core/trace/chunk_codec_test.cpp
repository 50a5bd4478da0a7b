// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/sentences/sentences.h"
#include "core/trace/chunk_codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <random>
#include <sstream>

namespace apertune::trace {

namespace {

/// Kernels of an iteration that repeats, with all columns in use.
EventColumns sampleEvents(std::size_t count, std::uint32_t seed = 1)
{
    std::mt19937 random(seed);
    EventColumns events;
    std::int64_t now = -5000;
    for (std::size_t i = 0; i < count; ++i) {
        now += 1500 + static_cast<std::int64_t>(random() % 800);
        events.append({.start = {now},
                       .duration = {static_cast<std::int64_t>(random() % 1400)},
                       .name = {static_cast<std::uint32_t>(i % 300)},
                       .correlation = static_cast<std::uint32_t>(4000 + i),
                       .link = static_cast<std::uint32_t>(random()),
                       .detail = static_cast<std::uint32_t>(i % 900),
                       .value = static_cast<std::int64_t>(random() % 4096) - 2048,
                       .address = 0x7f00'0000'0000ull + random() % 100'000'000});
    }
    return events;
}

EventColumns twoCalls()
{
    EventColumns events;
    events.append({.start = {100}, .duration = {5}, .name = {7}, .correlation = 1});
    events.append({.start = {103}, .duration = {300}, .name = {7}, .correlation = 2});
    return events;
}

template <std::size_t N>
std::string textOf(const unsigned char (&bytes)[N])
{
    return {bytes, bytes + N};
}

void expectEqual(const EventColumns& a, const EventColumns& b)
{
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.duration, b.duration);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.correlation, b.correlation);
    EXPECT_EQ(a.link, b.link);
    EXPECT_EQ(a.detail, b.detail);
    EXPECT_EQ(a.value, b.value);
    EXPECT_EQ(a.address, b.address);
}

/// One line an event.
std::string linesOf(const EventColumns& e)
{
    std::ostringstream text;
    for (std::size_t i = 0; i < e.size(); ++i)
        text << e.start[i] << ' ' << e.duration[i] << ' ' << e.name[i] << ' ' << e.correlation[i] << ' ' << e.link[i]
             << ' ' << e.detail[i] << ' ' << e.value[i] << ' ' << e.address[i] << '\n';
    return text.str();
}

EventColumns decode(std::string_view bytes, ColumnSet columns = ColumnSet::all())
{
    EventColumns events;
    const auto reader = ChunkReader::open(bytes);
    EXPECT_TRUE(reader.ok());
    if (reader) {
        const auto status = reader->append(columns, events);
        EXPECT_TRUE(status.ok());
    }
    return events;
}

} // namespace

TEST(ChunkCodec, NumbersOfColumnsNeverChange)
{
    EXPECT_EQ(static_cast<int>(Column::start), 1);
    EXPECT_EQ(static_cast<int>(Column::duration), 2);
    EXPECT_EQ(static_cast<int>(Column::name), 3);
    EXPECT_EQ(static_cast<int>(Column::correlation), 4);
    EXPECT_EQ(static_cast<int>(Column::link), 5);
    EXPECT_EQ(static_cast<int>(Column::detail), 6);
    EXPECT_EQ(static_cast<int>(Column::value), 7);
    EXPECT_EQ(static_cast<int>(Column::address), 8);
}

TEST(ChunkCodec, EveryEventComesBackAsItWas)
{
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{1000}, kChunkEvents}) {
        const EventColumns events = sampleEvents(count);
        expectEqual(decode(encodeChunk(events, 0, count)), events);
    }
}

TEST(ChunkCodec, ThePublishedBytesNeverChange)
{
    const EventColumns events = twoCalls();
    const unsigned char expected[] = {0xc7, 1, 4, 0, 2,    0, 0, 0, // version 1, 4 columns, 2 events
                                      1,    4, 0, 0, 3,    0, 0, 0, // start: ascending, 3 bytes
                                      2,    2, 0, 0, 3,    0, 0, 0, // duration: plain, 3 bytes
                                      3,    1, 0, 0, 1,    0, 0, 0, // name: constant
                                      4,    2, 0, 0, 2,    0, 0, 0, // correlation: plain
                                      0xc8, 1, 3, 5, 0xac, 2, 7, 1, 2};
    EXPECT_EQ(encodeChunk(events, 0, 2), textOf(expected));

    EventColumns repeated; // three numbers again and again
    for (std::uint32_t i = 0; i < 21; ++i)
        repeated.append({.start = {}, .name = {7 + i % 3}});
    const unsigned char runs[] = {0xc7, 1, 1, 0, 21, 0,  0, 0, 3, 18, 0, 0, 7, 0, 0, 0, // name: plain, in runs, 7 bytes
                                  7,    6, 8, 9, 7,  35, 3}; // one; three more; 17, each as 3 before
    EXPECT_EQ(encodeChunk(repeated, 0, 21), textOf(runs));
    expectEqual(decode(textOf(runs)), repeated);
}

// v1.bin is a chunk as version 1 wrote it, v1.txt what is in it: later versions must read it. A new version adds its
// own pair.
TEST(ChunkCodec, AChunkOfVersion1IsRead)
{
    const std::filesystem::path folder = std::filesystem::path(APERTUNE_GOLDEN_ROOT) / "chunk";
    if (std::getenv("APERTUNE_UPDATE_GOLDEN") && !std::filesystem::exists(folder / "v1.bin")) {
        ASSERT_TRUE(base::writeFileAtomically(folder / "v1.bin", encodeChunk(sampleEvents(100), 0, 100)));
        ASSERT_TRUE(base::writeFileAtomically(folder / "v1.txt", linesOf(sampleEvents(100))));
    }
    const auto bytes = base::readFile(folder / "v1.bin");
    ASSERT_TRUE(bytes) << sentences::sentence(bytes.error().message);
    const auto lines = base::readFile(folder / "v1.txt");
    ASSERT_TRUE(lines) << sentences::sentence(lines.error().message);
    EXPECT_EQ(linesOf(decode(*bytes)), *lines);
}

TEST(ChunkCodec, DifferencesAreReadWhereNumbersAscend)
{
    const unsigned char bytes[] = {0xc7, 1, 4, 0, 2,    0, 0, 0, // version 1, 4 columns, 2 events
                                   1,    3, 0, 0, 3,    0, 0, 0, // start: differences, 3 bytes
                                   2,    2, 0, 0, 3,    0, 0, 0, // duration: plain, 3 bytes
                                   3,    1, 0, 0, 1,    0, 0, 0, // name: constant
                                   4,    2, 0, 0, 2,    0, 0, 0, // correlation: plain
                                   0xc8, 1, 6, 5, 0xac, 2, 7, 1, 2};
    expectEqual(decode(textOf(bytes)), twoCalls());
}

TEST(ChunkCodec, ExtremeValuesSurvive)
{
    constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    EventColumns events;
    events.append({.start = {kMin}, .duration = {kMax}, .name = {0xffffffff}, .value = kMin, .address = ~0ull});
    events.append({.start = {kMax}, .duration = {0}, .name = {0}, .value = kMax, .address = 0});
    events.append({.start = {0}, .duration = {1}, .name = {1}, .value = 0, .address = 1});
    expectEqual(decode(encodeChunk(events, 0, 3)), events);
}

TEST(ChunkCodec, ValuesOfEveryLengthTakeTheirBytesAndNoMore)
{
    for (int bits = 1; bits < 64; ++bits) {
        EventColumns events;
        const std::uint64_t longest = (std::uint64_t{1} << bits) - 1; // and the next that is a bit longer
        for (const std::uint64_t value : {longest, longest + 1, longest})
            events.append({.start = {5}, .address = value});
        const std::string chunk = encodeChunk(events, 0, 3);
        expectEqual(decode(chunk), events);
        const auto bytes = [](int length) { return static_cast<std::size_t>(length + 6) / 7; };
        const std::size_t plain = 2 * bytes(bits) + bytes(bits + 1);
        const std::size_t differences = bytes(bits + 1) + 1 + 1;
        EXPECT_EQ(chunk.size(), 8 + 2 * 8 + 1 + std::min(plain, differences)) << bits;
    }
}

TEST(ChunkCodec, NeighboursOfEqualLengthTakeTheBytesOfEachAlone)
{
    const auto bytes = [](std::uint64_t value) { return static_cast<std::size_t>(std::bit_width(value | 1) + 6) / 7; };
    constexpr std::uint64_t kOne = 1;
    constexpr std::uint64_t kUpOrDown = 0x9e37'79b9'7f4a'7c15; // bits without a pattern, so that nothing is repeated
    const std::uint64_t edges[] = {1,         127,       128,         16'383,      16'384,
                                   2'097'151, 2'097'152, 268'435'455, 268'435'456, kOne << 40};
    for (const std::uint64_t usual : edges)
        for (const std::uint64_t odd : edges)
            for (std::size_t at = 0; at < 34; ++at) { // in each place of two groups, before and behind them
                EventColumns events;
                std::size_t plain = 0;
                std::size_t differences = 0;
                std::uint64_t before = 0;
                for (std::size_t i = 0; i < 40; ++i) {
                    const std::uint64_t value =
                        i == at ? odd : usual + (kUpOrDown >> i & 1); // two lengths at the edges
                    events.append({.start = {5}, .address = value});
                    plain += bytes(value);
                    differences += bytes(value < before ? 2 * (before - value) - 1 : 2 * (value - before));
                    before = value;
                }
                const std::string chunk = encodeChunk(events, 0, events.size());
                expectEqual(decode(chunk), events);
                ASSERT_EQ(chunk.size(), 8 + 2 * 8 + 1 + std::min(plain, differences)) << usual << " " << odd;
            }
}

TEST(ChunkCodec, ColumnsThatSayNothingCostNothing)
{
    EventColumns events;
    for (int i = 0; i < 10'000; ++i)
        events.append({.start = {i * 1000}, .duration = {7}, .name = {300}, .value = -9});
    const std::string bytes = encodeChunk(events, 0, events.size());
    EXPECT_LT(bytes.size(), 10'000 * 2 + 100u); // only the starts take room
    const auto reader = ChunkReader::open(bytes);
    ASSERT_TRUE(reader.ok());
    EXPECT_FALSE(reader->has(Column::correlation));
    EXPECT_FALSE(reader->has(Column::address));
    expectEqual(decode(bytes), events);
}

TEST(ChunkCodec, IterationsThatRepeatThemselvesCostNoMoreThanOne)
{
    EventColumns events;
    std::mt19937 random(3);
    std::vector<Event> iteration(700);
    for (Event& e : iteration)
        e = {.name = {static_cast<std::uint32_t>(random() % 5000)},
             .correlation = static_cast<std::uint32_t>(random() % 9), // calls that were not recorded lie between
             .link = static_cast<std::uint32_t>(random() % 3),
             .detail = static_cast<std::uint32_t>(random() % 5000),
             .value = static_cast<std::int64_t>(random()) - 2'000'000'000,
             .address = random() * std::uint64_t{65'536}};
    const auto iterations = [&](std::size_t count, bool disturbed) {
        EventColumns all;
        std::uint32_t correlation = 0;
        for (std::size_t i = 0; i < count; ++i) {
            Event e = iteration[i % iteration.size()];
            if (disturbed && random() % 200 == 0)
                e.name.value = e.detail = static_cast<std::uint32_t>(random());
            e.correlation = correlation += e.correlation;
            e.link += correlation;
            all.append(e);
        }
        return all;
    };
    const EventColumns once = iterations(iteration.size(), false);
    const EventColumns often = iterations(kChunkEvents, false);
    const std::string bytes = encodeChunk(often, 0, often.size());
    expectEqual(decode(bytes), often);
    EXPECT_LT(bytes.size(), encodeChunk(once, 0, once.size()).size() * 11 / 10);

    const EventColumns disturbed = iterations(kChunkEvents, true);
    const std::string more = encodeChunk(disturbed, 0, disturbed.size());
    expectEqual(decode(more), disturbed);
    EXPECT_LT(more.size(), bytes.size() + kChunkEvents / 200 * 40);
}

TEST(ChunkCodec, WhateverIsRepeatedComesBackAsItWas)
{
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        // Stretches of few different numbers, copied from before at any distance and of any length.
        std::vector<std::uint32_t> numbers{static_cast<std::uint32_t>(random())};
        while (numbers.size() < 500) {
            const std::size_t from = random() % numbers.size();
            const std::size_t length = random() % 60;
            for (std::size_t i = 0; i < length; ++i)
                numbers.push_back(numbers[from + i]);
            for (std::size_t fresh = random() % 6; fresh > 0; --fresh)
                numbers.push_back(static_cast<std::uint32_t>(random() >> random() % 32));
        }
        EventColumns events;
        std::uint64_t sum = 0;
        for (const std::uint32_t number : numbers)
            events.append({.start = {5},
                           .name = {number},
                           .correlation = static_cast<std::uint32_t>(sum += number),
                           .value = static_cast<std::int32_t>(number),
                           .address = sum * sum});
        expectEqual(decode(encodeChunk(events, 0, events.size())), events);
    }
}

TEST(ChunkCodec, OnlyTheChosenColumnsAreDecoded)
{
    const EventColumns events = sampleEvents(500);
    const EventColumns some = decode(encodeChunk(events, 0, 500), {Column::start, Column::duration, Column::value});
    EXPECT_EQ(some.start, events.start);
    EXPECT_EQ(some.duration, events.duration);
    EXPECT_EQ(some.value, events.value);
    EXPECT_EQ(some.name, std::vector<std::uint32_t>(500));
    EXPECT_TRUE(some.correlation.empty());
    EXPECT_TRUE(some.address.empty());
}

TEST(ChunkCodec, ChunksAreJoinedWithZerosWhereOneLacksAColumn)
{
    EventColumns plain;
    plain.append({.start = {1}, .duration = {1}});
    const EventColumns rich = sampleEvents(2);
    EventColumns joined;
    for (const EventColumns* part : std::initializer_list<const EventColumns*>{&plain, &rich, &plain}) {
        const std::string bytes = encodeChunk(*part, 0, part->size());
        ASSERT_TRUE(ChunkReader::open(bytes)->append(ColumnSet::all(), joined).ok());
    }
    ASSERT_EQ(joined.size(), 4u);
    EXPECT_EQ(joined.address, (std::vector<std::uint64_t>{0, rich.address[0], rich.address[1], 0}));
    EXPECT_EQ(joined.correlation, (std::vector<std::uint32_t>{0, 4000, 4001, 0}));
}

TEST(ChunkCodec, ABlobThatWasDamagedIsRefusedOrGivesEvents)
{
    const EventColumns events = sampleEvents(400);
    const std::string good = encodeChunk(events, 0, events.size());
    std::mt19937 random(20261121);
    int refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = good;
        const int flips = 1 + round % 4;
        // Half of them hit the header, where they hurt most.
        const std::size_t range = round % 2 == 0 ? bytes.size() : 80;
        for (int i = 0; i < flips; ++i)
            bytes[random() % range] = static_cast<char>(random());
        if (round % 5 == 0)
            bytes.resize(random() % bytes.size());
        // A copy on the heap of just this size, so that a sanitizer sees a read behind it.
        const std::vector<char> exact(bytes.begin(), bytes.end());
        const auto reader = ChunkReader::open({exact.data(), exact.size()});
        EventColumns out;
        const bool ok = reader && reader->append(ColumnSet::all(), out).ok();
        refused += !ok;
        if (!ok)
            continue;
        EXPECT_LE(out.size(), kChunkEvents);
        for (std::size_t i = 0; i < out.size(); ++i)
            EXPECT_GE(out.duration[i], 0);
    }
    EXPECT_GT(refused, 10'000);
}

TEST(ChunkCodec, EveryCutIsNoticed)
{
    const EventColumns events = sampleEvents(50);
    const std::string good = encodeChunk(events, 0, events.size());
    for (std::size_t size = 0; size < good.size(); ++size)
        EXPECT_FALSE(ChunkReader::open(std::string_view(good).substr(0, size)).ok()) << size;
    EXPECT_FALSE(ChunkReader::open(good + '\0').ok());
}

TEST(ChunkCodec, DamageIsNamed)
{
    EventColumns events = sampleEvents(3);
    std::string bytes = encodeChunk(events, 0, 3);
    const auto errorOf = [](std::string_view data) {
        const auto reader = ChunkReader::open(data);
        if (!reader)
            return reader.error();
        EventColumns out;
        const auto status = reader->append(ColumnSet::all(), out);
        return status ? base::Error{} : status.error();
    };
    std::string newer = bytes;
    newer[1] = 2;
    EXPECT_EQ(errorOf(newer).code, base::ErrorCode::unsupported);
    std::string many = bytes;
    many[6] = 1; // 65539 events
    EXPECT_NE(sentences::sentence(errorOf(many).message).find("its number of events is too large"), std::string::npos);
    std::string more = bytes;
    more[4] = 4;
    EXPECT_NE(sentences::sentence(errorOf(more).message).find("ends too early"), std::string::npos);
    std::string fewer = bytes;
    fewer[4] = 2;
    EXPECT_NE(sentences::sentence(errorOf(fewer).message).find("left over"), std::string::npos);
    std::string odd = bytes;
    odd[9] = 17;
    EXPECT_NE(sentences::sentence(errorOf(odd).message).find("unknown encoding"), std::string::npos);

    EventColumns repeated;
    for (std::uint32_t i = 0; i < 21; ++i)
        repeated.append({.start = {}, .name = {i % 3 + 1}});
    const std::string runs = encodeChunk(repeated, 0, 21); // ends: three numbers, 2 3 1; 17 repeat those 3 before
    ASSERT_EQ(runs.substr(runs.size() - 6), std::string("\6\2\3\1\43\3"));
    const auto endingIn = [&](char literals, char length, char distance) {
        std::string changed = runs;
        changed[runs.size() - 6] = literals;
        changed[runs.size() - 2] = length;
        changed[runs.size() - 1] = distance;
        return sentences::sentence(errorOf(changed).message);
    };
    EXPECT_NE(endingIn(6, 1, 3).find("wrong length"), std::string::npos);  // none at all
    EXPECT_NE(endingIn(6, 37, 3).find("wrong length"), std::string::npos); // one too many
    EXPECT_NE(endingIn(0, 35, 3).find("wrong length"), std::string::npos);
    EXPECT_NE(endingIn(6, 33, 3).find("ends too early"), std::string::npos); // one too few
    EXPECT_NE(endingIn(6, 35, 0).find("missing value"), std::string::npos);
    EXPECT_NE(endingIn(6, 35, 4).find("missing value"), std::string::npos); // the first is no part of a run
    EXPECT_NE(endingIn(12, 35, 3).find("ends too early"), std::string::npos);
    events.duration[1] = -1;
    EXPECT_NE(sentences::sentence(errorOf(encodeChunk(events, 0, 3)).message).find("out of range"), std::string::npos);
    events.duration[1] = std::numeric_limits<std::int64_t>::max();
    events.start[1] = 1;
    EXPECT_NE(sentences::sentence(errorOf(encodeChunk(events, 0, 3)).message).find("after the largest possible time"),
              std::string::npos);
}

TEST(ChunkCodec, AColumnOfALaterProgramIsSkipped)
{
    EventColumns events = sampleEvents(3);
    std::string bytes = encodeChunk(events, 0, 3);
    bytes[8 + 7 * 8] = 99; // the address column becomes one that nobody knows
    EventColumns expected = events;
    expected.address.clear();
    expectEqual(decode(bytes), expected);
}

} // namespace apertune::trace
