// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace apertune::base::test {

namespace {
Result<std::unique_ptr<int>> makeNumber(bool good)
{
    if (!good)
        return plainError(ErrorCode::timeout, "Too late.", "the number", "Try again.");
    return std::make_unique<int>(7);
}
} // namespace

TEST(Results, HoldAValueOrAnError)
{
    auto good = makeNumber(true);
    ASSERT_TRUE(good.ok());
    EXPECT_TRUE(static_cast<bool>(good));
    EXPECT_EQ(**good, 7);
    const std::unique_ptr<int> moved = std::move(good).value();
    EXPECT_EQ(*moved, 7);

    const auto bad = makeNumber(false);
    ASSERT_FALSE(bad.ok());
    EXPECT_EQ(bad.error().code, ErrorCode::timeout);
    EXPECT_EQ(sentences::sentence(bad.error().hint), "Try again.");
}

TEST(Results, OfNothingAreAStatus)
{
    Status status;
    EXPECT_TRUE(status.ok());
    status = plainError(ErrorCode::busy, "Busy.");
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::busy);
}

TEST(Results, OfATemporaryMayBeLoopedOver)
{
    // What a call returns lives as long as the loop: the value is moved out of the temporary, not referred to.
    const auto list = [] { return Result<std::vector<std::string>>({"a long text that is on the heap", "b"}); };
    std::string all;
    for (const std::string& text : *list())
        all += text;
    for (const std::string& text : list().value())
        all += text;
    EXPECT_EQ(all, "a long text that is on the heapba long text that is on the heapb");
}

TEST(Errors, AreToldOnOneLine)
{
    EXPECT_EQ(sentences::describe(plainError(ErrorCode::io, "It failed.", "/a/b", "Do this.")),
              "It failed. (/a/b) Do this.");
    EXPECT_EQ(sentences::describe(plainError(ErrorCode::io, "It failed.")), "It failed.");
}

TEST(Errors, HaveWordsForScripts)
{
    std::vector<std::string_view> words;
    for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code)
        words.push_back(toString(static_cast<ErrorCode>(code)));
    EXPECT_EQ(words, (std::vector<std::string_view>{"invalid_argument", "not_found", "unsupported", "io", "corrupt",
                                                    "busy", "timeout", "out_of_memory", "crashed", "compile_failed",
                                                    "model_threw", "cancelled", "internal"}));
}

} // namespace apertune::base::test
