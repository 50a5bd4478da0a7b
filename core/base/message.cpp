// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/message.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace apertune::base {

namespace {

// JSON has neither NaN nor infinity.
Json number(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json valueJson(const Argument::Value& value)
{
    struct Visitor
    {
        Json operator()(const std::string& text) const { return text; }
        Json operator()(std::int64_t count) const { return count; }
        Json operator()(double plain) const { return number(plain); }
        Json operator()(Share share) const { return {{"share", number(share.value)}}; }
        Json operator()(SamplesPerSecond rate) const { return {{"samples_per_s", number(rate.value)}}; }
        Json operator()(Nanoseconds time) const { return {{"ns", time.count}}; }
        Json operator()(Bytes bytes) const { return {{"bytes", bytes.count}}; }
        Json operator()(const std::vector<Message>& messages) const
        {
            Json list = Json::array();
            for (const Message& inner : messages)
                list.push_back(toJson(inner));
            return list;
        }
    };
    return std::visit(Visitor{}, value);
}

constexpr int kDepth = 8; ///< deepest nesting that is read, because a damaged workspace may hold anything

Message read(const Json& json, int depth);

std::optional<Argument::Value> valueFromJson(const Json& json, int depth)
{
    if (json.is_string())
        return json.get<std::string>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number())
        return json.get<double>();
    if (json.is_null())
        return NAN;
    if (json.is_array()) {
        std::vector<Message> messages;
        for (const Json& inner : json)
            messages.push_back(read(inner, depth + 1));
        return messages;
    }
    if (!json.is_object() || json.size() != 1 || !(json.front().is_number() || json.front().is_null()))
        return std::nullopt;
    const std::string unit = json.begin().key();
    const Json& amount = json.front();
    if (unit == "ns" && amount.is_number_integer())
        return Nanoseconds{amount.get<std::int64_t>()};
    if (unit == "bytes" && amount.is_number_integer())
        return Bytes{amount.get<std::int64_t>()};
    const double real = amount.is_null() ? NAN : amount.get<double>();
    if (unit == "share")
        return Share{real};
    if (unit == "samples_per_s")
        return SamplesPerSecond{real};
    return std::nullopt;
}

Message read(const Json& json, int depth)
{
    if (depth > kDepth || !json.is_object())
        return {};
    const auto id = json.find("id");
    const auto parameters = json.find("parameters");
    if (id == json.end() || !id->is_string() || parameters == json.end() || !parameters->is_object())
        return {};
    Message message{id->get<std::string>()};
    for (const auto& [name, value] : parameters->items()) {
        auto known = valueFromJson(value, depth);
        if (!known)
            return {};
        message.arguments.push_back({name, std::move(*known)});
    }
    return message;
}

} // namespace

bool Argument::operator==(const Argument&) const = default;
bool Message::operator==(const Message&) const = default;

Message foreignText(std::string text)
{
    return text.empty() ? Message{} : message<kForeignText>(std::move(text));
}

Message sentencesOf(std::vector<Message> sentences)
{
    std::erase_if(sentences, [](const Message& sentence) { return sentence.empty(); });
    if (sentences.size() < 2)
        return sentences.empty() ? Message{} : std::move(sentences.front());
    return message<kSentences>(std::move(sentences));
}

Message withRateUnit(Message message, RateUnit unit)
{
    for (Argument& argument : message.arguments) {
        if (auto* rate = std::get_if<SamplesPerSecond>(&argument.value))
            rate->unit = unit;
        else if (auto* inner = std::get_if<std::vector<Message>>(&argument.value))
            for (Message& sentence : *inner)
                sentence = withRateUnit(std::move(sentence), unit);
    }
    return message;
}

Json toJson(const Message& message)
{
    Json parameters = Json::object();
    for (const Argument& argument : message.arguments)
        parameters[argument.name] = valueJson(argument.value);
    return {{"id", message.id}, {"parameters", parameters}};
}

Message messageFromJson(const Json& json)
{
    return read(json, 0);
}

} // namespace apertune::base
