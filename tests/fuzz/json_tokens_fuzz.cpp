// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of JSON text, and their values as numbers and texts: core/interchange/chrome/token_index.h and json_values.h.
#include "core/interchange/chrome/event_writer.h"
#include "core/interchange/chrome/json_values.h"
#include "core/interchange/chrome/token_index.h"
#include "tests/fuzz/fuzz.h"

#include <optional>

namespace apertune::fuzz {

using namespace interchange::chrome;

namespace {

bool isUtf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8Length(text, i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

void examineToken(std::string_view token)
{
    if (const auto time = parseMicroseconds(token)) {
        require(*time >= -(std::int64_t{1} << 61) && *time <= std::int64_t{1} << 61, "times can be added");
        std::string text;
        appendMicroseconds(text, *time);
        require(parseMicroseconds(text) == time, "a time is read as it was written");
    }
    bool exact = false;
    if (const auto number = parseInteger(token, &exact))
        require(parseInteger(std::to_string(*number)) == number, "an integer is read as it was written");
    if (const auto sample = parseSample(token, exact)) {
        std::string text;
        trace::appendSample(text, *sample);
        bool again = false;
        const auto same = parseSample(text, again);
        require(same.has_value() && again, "a sample is read as it was written");
        trace::Sample reduced = *sample;
        for (; reduced.decimals > same->decimals && reduced.value % 10 == 0; --reduced.decimals)
            reduced.value /= 10;
        require(*same == reduced, "a sample keeps its value");
    }
    static_cast<void>(parseNumber(token));
    static_cast<void>(unescape(token));
}

void examineText(std::string_view text)
{
    std::string quoted;
    appendQuoted(quoted, text);
    require(isUtf8(quoted), "what is quoted is UTF-8");
    if (isUtf8(text))
        require(unescape(quoted) == text, "a text comes back");
    const std::string line = onOneLine(text);
    require(onOneLine(line) == line, "what is on one line stays so");
}

void examineTokens(std::string_view text)
{
    std::string repaired(text);
    TokenIndex index;
    auto status = index.index(text);
    if (status == TokenIndex::Status::badText) {
        require(repairText(repaired) > 0, "a bad text has something to repair");
        require(repaired.size() == text.size(), "a repaired text is as long as it was");
        status = index.index(repaired);
        require(status != TokenIndex::Status::badText, "a repaired text is good");
    }
    if (status != TokenIndex::Status::ok)
        return;
    const Tokens& tokens = index.tokens();
    for (std::uint32_t i = 0; i < tokens.count; ++i) {
        require(tokens.skipValue(i) > i, "a value ends behind its begin");
        examineToken(tokens.token(i));
    }
}

} // namespace

void examine(std::string_view input)
{
    examineToken(input);
    examineText(input);
    examineTokens(input);
}

std::vector<std::string> seeds()
{
    return {R"({"a": [1, -2.5e3, "x\u00e9\ud83d\ude00\n"], "b": {"c": null, "d": true}})",
            "4203669604595.407",
            "\"18446744073709551615\"",
            "0x7fff",
            "-0.000000001",
            "1e-400",
            "\"a\\qb\\\\\"",
            "[[1,3, 224,224], \"]\"]"};
}

} // namespace apertune::fuzz
