// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/token_index.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace apertune::interchange::chrome {
namespace {

using Status = TokenIndex::Status;

/// Reads one character after the other. The index reads 64 at once and must find the same.
struct PlainIndex
{
    std::vector<std::uint32_t> at;
    bool openString = false;
    bool control = false;

    explicit PlainIndex(const std::string& text)
    {
        bool inScalar = false;
        bool escaped = false;
        for (std::uint32_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            const bool quote = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            if (openString) {
                control |= static_cast<unsigned char>(c) < 0x20;
                openString = !quote;
                continue;
            }
            const bool structure = std::string("{}[],:").find(c) != std::string::npos;
            const bool blank = std::string(" \t\n\r").find(c) != std::string::npos;
            if (structure || (!blank && !inScalar))
                at.push_back(i);
            openString = quote;
            inScalar = !structure && !blank && !quote;
        }
    }
};

std::vector<std::uint32_t> placesIn(const TokenIndex& index)
{
    const Tokens& tokens = index.tokens();
    return {tokens.at, tokens.at + tokens.count};
}

TEST(TokenIndex, FindsWhatAPlainReaderFinds)
{
    std::mt19937 random(7);
    // Quotes and backslashes in a row, strings and scalars over the border of two blocks, control characters.
    const std::vector<std::string> pieces{"\"", "\"", "\\", "\\\\", "{", "}", "[",  "]",    ",",        ":",
                                          " ",  "\n", "\t", "a",    "1", "-", "\r", "\x01", "\xc3\xa9", "a long name"};
    std::uniform_int_distribution<std::size_t> choose(0, pieces.size() - 1);
    std::uniform_int_distribution<int> length(0, 200);
    TokenIndex index;
    int open = 0;
    int bad = 0;
    int ok = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (int i = length(random); i > 0; --i) {
            const std::string& piece = pieces[choose(random)];
            // Seldom, or hardly a text would be without a fault.
            if (piece != "\x01" || round % 8 == 0)
                text += piece;
        }
        if (round % 2 == 0)
            std::erase_if(text, [](char c) { return c == '\n' || c == '\t' || c == '\r'; });
        const PlainIndex expected(text);
        const Status status = index.index(text);
        if (expected.openString) {
            ++open;
            ASSERT_EQ(status, Status::openString) << text;
        } else if (expected.control) {
            ++bad;
            ASSERT_EQ(status, Status::badText) << text;
        } else {
            ++ok;
            ASSERT_EQ(status, Status::ok) << text;
            ASSERT_EQ(placesIn(index), expected.at) << text;
        }
    }
    EXPECT_GT(open, 1000);
    EXPECT_GT(bad, 1000);
    EXPECT_GT(ok, 1000);
}

TEST(TokenIndex, RefusesBytesThatAreNoText)
{
    TokenIndex index;
    EXPECT_EQ(index.index("{\"a\": \"\xff\"}"), Status::badText);
    EXPECT_EQ(index.index("{\"a\": \"\xc3\xa9\"}"), Status::ok);
    EXPECT_EQ(index.tokens().count, 5u);
}

TEST(TokenIndex, FindsNothingInBlankText)
{
    TokenIndex index;
    for (const std::string& text : {std::string(), std::string(" \n"), std::string(200, ' ')}) {
        EXPECT_EQ(index.index(text), Status::ok);
        EXPECT_EQ(index.tokens().count, 0u);
    }
}

} // namespace
} // namespace apertune::interchange::chrome
