// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"

#include "core/base/text.h"
#include "core/sentences/templates.h"

#include <algorithm>
#include <unordered_map>

namespace apertune::sentences {

namespace {

std::string shown(const base::Argument::Value& value, const Translate& translate)
{
    struct Visitor
    {
        const Translate& translate;
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(std::int64_t count) const { return std::to_string(count); }
        std::string operator()(double number) const { return base::formatSignificant(number); }
        std::string operator()(base::Share share) const { return base::formatPercent(share.value); }
        std::string operator()(base::SamplesPerSecond rate) const
        {
            return base::formatSignificant(rate.value) + " " + std::string(base::toString(rate.unit));
        }
        std::string operator()(base::Nanoseconds time) const { return base::formatDuration(time); }
        std::string operator()(base::Bytes bytes) const { return base::formatBytes(bytes); }
        std::string operator()(const std::vector<base::Message>& messages) const
        {
            std::string text;
            for (const base::Message& inner : messages)
                text += (text.empty() ? "" : " ") + sentence(inner, translate);
            return text;
        }
    };
    return std::visit(Visitor{translate}, value);
}

const Template* find(std::string_view id)
{
    static const std::unordered_map<std::string_view, const Template*> known = [] {
        std::unordered_map<std::string_view, const Template*> byId;
        for (const Template& entry : templates())
            byId.emplace(entry.id, &entry);
        return byId;
    }();
    const auto entry = known.find(id);
    return entry == known.end() ? nullptr : entry->second;
}

} // namespace

std::string sentence(const base::Message& message, const Translate& translate)
{
    const Template* const known = find(message.id);
    if (!known)
        return {};
    const std::string words = translate ? translate(known->english) : known->english;
    std::string text;
    // One pass over the template, so that the text of an argument is never taken for a placeholder.
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t open = words.find('{', at);
        const std::size_t close = open == std::string::npos ? open : words.find('}', open);
        if (close == std::string::npos)
            return text + words.substr(at);
        text += words.substr(at, open - at);
        const std::string name = words.substr(open + 1, close - open - 1);
        const auto argument = std::find_if(message.arguments.begin(), message.arguments.end(),
                                           [&](const base::Argument& candidate) { return candidate.name == name; });
        text += argument == message.arguments.end() ? "?" : shown(argument->value, translate);
        at = close + 1;
    }
    return text;
}

std::string describe(const base::Error& error, const Translate& translate)
{
    std::string text = sentence(error.message, translate);
    if (!error.context.empty())
        text += " (" + error.context + ")";
    if (const std::string hint = sentence(error.hint, translate); !hint.empty())
        text += " " + hint;
    return text;
}

} // namespace apertune::sentences
