// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/unknown_results.h"

#include "core/base/text.h"
#include "core/interchange/results/errors.h"
#include "core/interchange/results/reasons.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace apertune::interchange::results {

namespace {

constexpr std::size_t kMostShown = 60; ///< bytes of a text of the file within a sentence

/// The beginning of a text, without half a character at its end.
std::string beginningOf(std::string_view text)
{
    text = base::trimmed(text);
    if (text.size() <= kMostShown)
        return std::string(text);
    std::size_t end = kMostShown;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return std::string(text.substr(0, end)) + "…";
}

/// Finds the error of a JSON text and the members of its outermost object, and keeps nothing else.
class JsonOutline final : public nlohmann::json_sax<nlohmann::json>
{
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return start(); }
    bool end_object() override { return end(); }
    bool start_array(std::size_t) override { return start(); }
    bool end_array() override { return end(); }
    bool key(string_t& name) override
    {
        constexpr std::size_t kMostMembers = 5;
        if (m_depth == 1 && members.size() < kMostMembers)
            members.push_back(beginningOf(name));
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
    {
        error = position;
        return false;
    }

    std::vector<std::string> members{};
    std::optional<std::size_t> error{}; ///< position behind the last byte that was read
    std::size_t deepest = 0;

private:
    bool start()
    {
        deepest = std::max(deepest, ++m_depth);
        return true;
    }
    bool end()
    {
        --m_depth;
        return true;
    }
    std::size_t m_depth = 0;
};

/// The tool that writes such JSON, by a name in it; empty: none that is known.
std::string toolOf(std::string_view text)
{
    constexpr std::array<std::pair<const char*, const char*>, 6> kNames{{{"\"apertune.trials/1\"", "a measuring kit"},
                                                                         {"\"startComputeMs\"", "trtexec"},
                                                                         {"\"execution_results\"", "benchmark_app"},
                                                                         {"\"nvbench\"", "NVBench"},
                                                                         {"\"request_latency\"", "genai-perf"},
                                                                         {"\"exit_codes\"", "hyperfine"}}};
    for (const auto& [name, tool] : kNames)
        if (text.find(name) != std::string_view::npos)
            return tool;
    return {};
}

base::Message recognisedJson(std::string_view text)
{
    JsonOutline outline;
    nlohmann::json::sax_parse(text, &outline);
    if (outline.error) {
        const std::string_view before = text.substr(0, std::min(*outline.error, text.size()));
        const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
        const std::size_t start = before.rfind('\n');
        const std::size_t column = start == std::string_view::npos ? before.size() : before.size() - start - 1;
        const std::string tool = toolOf(text);
        return tool.empty() ? base::message<reasons::kBrokenJson>(line, column)
                            : base::message<reasons::kBrokenJsonOf>(tool, line, column);
    }
    constexpr std::size_t kDeep = 1000; // the JSON reader refuses more
    if (outline.deepest > kDeep)
        return base::message<reasons::kDeepJson>();
    return outline.members.empty() ? base::message<reasons::kOtherJson>()
                                   : base::message<reasons::kOtherMembers>(base::join(outline.members));
}

base::Message recognised(std::string_view text)
{
    const std::string_view begin = base::trimmed(text);
    if (begin.empty())
        return base::message<reasons::kBlank>();
    constexpr std::size_t kLooked = 4096;
    const std::string_view looked = begin.substr(0, kLooked);
    if (std::any_of(looked.begin(), looked.end(), [](char c) { return static_cast<unsigned char>(c) < 9; }))
        return base::message<reasons::kNoText>();
    if (begin.front() == '{' || begin.front() == '[')
        if (const bool isLog = begin.size() > 1 && begin.front() == '[' && begin.find("] [I] ") < kMostShown; !isLog)
            return recognisedJson(begin);
    const std::string_view line = begin.substr(0, begin.find('\n'));
    for (const char separator : {',', ';', '\t'})
        if (std::count(line.begin(), line.end(), separator) >= 2)
            return base::message<reasons::kOtherTable>(
                beginningOf(base::replaced(std::string(line), std::string(1, separator), ", ")));
    return base::message<reasons::kOtherText>(beginningOf(line));
}

} // namespace

base::Error unknownResults(base::Message recognised)
{
    return {base::ErrorCode::corrupt,
            base::message<errors::kUnknownResults>(std::move(recognised)),
            {},
            base::message<errors::kKnownTools>()};
}

base::Error unknownResults(std::string_view text)
{
    return unknownResults(recognised(text));
}

} // namespace apertune::interchange::results
