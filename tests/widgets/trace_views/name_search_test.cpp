// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_builder.h"
#include "widgets/trace_views/name_search.h"

#include <gtest/gtest.h>

#include <string>

namespace apertune::trace_views {
namespace {

timeline::TimelinePtr timelineOf(const std::vector<std::string>& names)
{
    trace::TraceBuilder builder;
    for (const std::string& name : names) {
        trace::Event event;
        event.duration = {10};
        event.name = builder.intern(name);
        builder.add(builder.track({.type = trace::TrackType::hostThread, .thread = 1}), trace::EventKind::operatorCall,
                    event);
    }
    return timeline::Timeline::build(std::make_shared<const trace::Trace>(builder.finish()));
}

TEST(NameSearch, ATextBetweenSlashesIsARegularExpression)
{
    const auto timeline =
        timelineOf({"aten::conv2d", "aten::convolution", "aten::add", "Conv_bf16", "/usr/lib/a.so", "größe"});
    const auto count = [&](const std::string& pattern) { return findNames(*timeline, pattern)->count; };
    EXPECT_EQ(count("/conv(2d|_bf)/"), 2u) << "in any case";
    EXPECT_EQ(count("/^aten::.*n$/"), 1u);
    EXPECT_EQ(count("/(?-i)Conv/"), 1u);
    EXPECT_EQ(count("/gr..e$/"), 1u) << "characters, not bytes";
    EXPECT_EQ(count("/^x/"), 0u);
    EXPECT_EQ(count("conv"), 3u) << "words as before";
    EXPECT_EQ(count("\"aten::add\""), 1u);
    EXPECT_EQ(count("/usr/lib"), 1u) << "a path is a word";
    EXPECT_EQ(count("/"), 1u);
    EXPECT_EQ(count("//"), 0u);
}

TEST(NameSearch, AWrongExpressionFindsNothingAndSaysWhy)
{
    const auto timeline = timelineOf({"aten::add(", "b"});
    EXPECT_EQ(findNames(*timeline, "/add(/")->count, 0u);
    EXPECT_FALSE(patternProblem(QStringLiteral("/add(/")).isEmpty());
    for (const char* fine : {"add(", "/add\\(/", "/", "", "\"add(\""})
        EXPECT_TRUE(patternProblem(QString::fromLatin1(fine)).isEmpty()) << fine;
}

TEST(NameSearch, AnExpressionThatGoesThroughEveryDivisionOfANameEnds)
{
    const auto timeline = timelineOf({std::string(40, 'a') + "b", std::string(100'000, 'x')});
    EXPECT_EQ(findNames(*timeline, "/^(a+)+$/")->count, 0u);
    EXPECT_EQ(findNames(*timeline, "/(x|xx)+y/")->count, 0u);
}

TEST(NameSearch, CanBeStopped)
{
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(findNames(*timelineOf({"a"}), "/a/", stop.get_token()), nullptr);
}

} // namespace
} // namespace apertune::trace_views
