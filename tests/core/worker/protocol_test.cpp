// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/protocol.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <random>

namespace apertune::worker {
namespace {

using base::Json;

std::string header(std::uint32_t length)
{
    std::string text;
    for (int i = 0; i < 4; ++i)
        text.push_back(static_cast<char>(length >> (8 * i) & 0xff));
    return text;
}

struct Collected
{
    FrameReader reader;
    std::vector<Json> messages;
    base::Status feed(std::string_view bytes)
    {
        return reader.feed(bytes, [this](const Json& m) { messages.push_back(m); });
    }
};

TEST(Protocol, AMessageSurvivesTheWayThroughAFrame)
{
    const Json message{{"t", "hello"}, {"proto", 1}, {"text", "ä ☃"}, {"list", {1, 2.5, nullptr}}};
    Collected c;
    ASSERT_TRUE(c.feed(encodeFrame(message)).ok());
    ASSERT_EQ(c.messages.size(), 1u);
    EXPECT_EQ(c.messages[0], message);
}

TEST(Protocol, TheLengthIsFourLittleEndianBytes)
{
    const std::string frame = encodeFrame(Json{{"a", std::string(300, 'x')}});
    EXPECT_EQ(frame.substr(0, 4), header(static_cast<std::uint32_t>(frame.size() - 4)));
}

TEST(Protocol, MessagesArriveWhateverTheSplits)
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::string stream;
        const int count = 1 + static_cast<int>(random() % 20);
        for (int i = 0; i < count; ++i)
            stream += encodeFrame(Json{{"t", "n"}, {"i", i}, {"pad", std::string(random() % 700, 'p')}});
        Collected c;
        for (std::size_t at = 0; at < stream.size();) {
            const std::size_t part = std::min<std::size_t>(random() % 97, stream.size() - at);
            ASSERT_TRUE(c.feed(std::string_view(stream).substr(at, part)).ok());
            at += part;
        }
        ASSERT_EQ(c.messages.size(), static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i)
            ASSERT_EQ(c.messages[static_cast<std::size_t>(i)]["i"], i);
    }
}

TEST(Protocol, AHostileLengthIsRefusedBeforeAnyBodyIsWaitedFor)
{
    for (const std::uint32_t length : {kMaxFrame + 1, 0x80000000u, 0xffffffffu}) {
        Collected c;
        const base::Status status = c.feed(header(length));
        ASSERT_FALSE(status.ok());
        EXPECT_EQ(status.error().code, base::ErrorCode::corrupt);
        EXPECT_FALSE(status.error().hint.empty());
        EXPECT_TRUE(c.messages.empty());
    }
}

TEST(Protocol, AFrameOfTheLargestSizeIsTaken)
{
    const std::string body = R"({"t":"x","p":")" + std::string(kMaxFrame - 16, 'y') + "\"}";
    ASSERT_EQ(body.size(), kMaxFrame);
    Collected c;
    ASSERT_TRUE(c.feed(header(kMaxFrame)).ok());
    ASSERT_TRUE(c.feed(body).ok());
    EXPECT_EQ(c.messages.size(), 1u);
}

TEST(Protocol, ACutFrameYieldsNothing)
{
    const std::string frame = encodeFrame(Json{{"t", "measured"}});
    for (std::size_t size = 0; size < frame.size(); ++size) {
        Collected c;
        ASSERT_TRUE(c.feed(std::string_view(frame).substr(0, size)).ok());
        EXPECT_TRUE(c.messages.empty());
    }
}

TEST(Protocol, ABodyThatIsNoObjectBreaksTheStreamForGood)
{
    for (const std::string body : {"", "[]", "17", "{", "{\"a\":1}x", "\xff\xfe", "null"}) {
        Collected c;
        EXPECT_FALSE(c.feed(header(static_cast<std::uint32_t>(body.size())) + body).ok()) << body;
        EXPECT_FALSE(c.feed(encodeFrame(Json{{"t", "x"}})).ok());
        EXPECT_TRUE(c.messages.empty());
    }
}

TEST(Protocol, RandomBytesNeverCrashAndNeverInventMessages)
{
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
        std::string bytes(random() % 400, '\0');
        for (char& b : bytes)
            b = static_cast<char>(random());
        Collected c;
        (void)c.feed(bytes);
        for (const Json& message : c.messages)
            EXPECT_TRUE(message.is_object());
    }
}

TEST(Protocol, FlippedBytesInAStreamAreFoundOrYieldObjects)
{
    std::mt19937 random(13);
    std::string stream;
    for (int i = 0; i < 50; ++i)
        stream += encodeFrame(Json{{"t", "n"}, {"i", i}});
    for (int round = 0; round < 500; ++round) {
        std::string bent = stream;
        bent[random() % bent.size()] ^= static_cast<char>(1 + random() % 255);
        Collected c;
        (void)c.feed(bent);
        EXPECT_LE(c.messages.size(), 51u);
    }
}

TEST(Protocol, TextThatIsNotUtf8IsRepairedAndNotRefused)
{
    Collected c;
    ASSERT_TRUE(c.feed(encodeFrame(Json{{"t", "error"}, {"message", "bad \xff byte"}})).ok());
    EXPECT_EQ(c.messages.at(0)["message"], "bad \xEF\xBF\xBD byte");
}

} // namespace
} // namespace apertune::worker
