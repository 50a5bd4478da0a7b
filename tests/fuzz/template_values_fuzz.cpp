// SPDX-License-Identifier: GPL-3.0-or-later
// Values that a template puts into an HTML report or into an exported program.
#include "core/base/escape.h"
#include "core/text/mustache.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

#include <array>

namespace apertune::fuzz {

namespace {

constexpr std::string_view kPage =
    R"(<p title="{{value}}">{{#list}}[{{text}}]{{/list}}{{^none}}none{{/none}}{{>part}}</p>)";
constexpr std::array kPartials{std::pair<std::string_view, std::string_view>{"part", "({{value}})"}};

/// The page with `value` in its four places.
std::string pageWith(const std::string& value)
{
    return "<p title=\"" + value + "\">[" + value + "][" + value + "]none(" + value + ")</p>";
}

/// Returns the text that a browser shows for text without elements.
std::string shown(std::string_view html)
{
    constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string text;
    while (!html.empty()) {
        std::size_t size = 1;
        char letter = html.front();
        for (const auto& [entity, stands] : kEntities)
            if (html.starts_with(entity)) {
                size = entity.size();
                letter = stands;
            }
        require(size > 1 || std::string_view("&<>\"'").find(letter) == std::string_view::npos,
                "a value opens no element, attribute or entity");
        text += letter;
        html.remove_prefix(size);
    }
    return text;
}

} // namespace

void examine(std::string_view input)
{
    const std::string value(input);
    const base::Json values = {{"value", value}, {"list", {{{"text", value}}, {{"text", value}}}}, {"none", nullptr}};
    require(text::filled(kPage, values, text::Escape::none, kPartials) == pageWith(value),
            "a value is written as it is, and never read as a template");

    const std::string escaped = text::filled("{{value}}", values, text::Escape::html);
    require(text::filled(kPage, values, text::Escape::html, kPartials) == pageWith(escaped),
            "a value is escaped alike in each place");
    require(shown(escaped) == base::printable(input), "a browser shows the printable text");

    // The longest that is looked at bounds the depth of the recursion over the values.
    constexpr std::size_t kLongest = 2000;
    if (const base::Json any = input.size() <= kLongest ? base::Json::parse(input, nullptr, false) : base::Json();
        any.is_object())
        static_cast<void>(text::filled(kPage, any, text::Escape::html, kPartials));
}

std::vector<std::string> seeds()
{
    return {"plain",
            "",
            "{{value}}",
            "{{#list}}{{>part}}",
            "{{{value}}}",
            "{{=<% %>=}}",
            "<script>alert(1)</script>",
            "\" onload='x'",
            "&amp;&#39;",
            "\x1b[31m\xff\u202e",
            R"({"value": 1.5, "list": [{"text": true}, null], "none": {"a": []}})"};
}

} // namespace apertune::fuzz
