// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/units.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace apertune::base {

/// A message without its words: an id and named parameters with their units. Modules of core make messages;
/// core/sentences turns them into sentences where they are shown.
///
/// How to add one: declare its kind in the reasons.h of the module (in errors.h for a failure or its hint), add it to
/// the list of that header, write its template in core/sentences/templates.cpp (error_templates.cpp), and make it with
/// message<kKind>(values in the order of the kind).
struct Message;

struct Share
{
    double value = 0; ///< fraction: 1 is all
    bool operator==(const Share&) const = default;
};

/// Its document has no unit, since an image is a sample too. withRateUnit() sets it where the model is known.
struct SamplesPerSecond
{
    double value = 0;
    RateUnit unit = RateUnit::samples;
    bool operator==(const SamplesPerSecond&) const = default;
};

struct Argument
{
    /// A string is a name or foreign text, which is never translated. Messages are sentences within the sentence.
    using Value = std::variant<std::string, std::int64_t, double, Share, SamplesPerSecond, Nanoseconds, Bytes,
                               std::vector<Message>>;
    std::string name;
    Value value;
    bool operator==(const Argument&) const;
};

struct Message
{
    std::string id;
    std::vector<Argument> arguments{};

    bool empty() const { return id.empty(); }
    bool operator==(const Message&) const;
};

/// A message that a module can make.
struct MessageKind
{
    std::string_view id; ///< "MODULE.name"
    std::array<std::string_view, 8> parameters{};

    constexpr std::size_t count() const
    {
        std::size_t n = 0;
        while (n < parameters.size() && !parameters[n].empty())
            ++n;
        return n;
    }
};

/// The kind of foreign text, which comes from an engine, a compiler or the operating system and is shown unchanged.
inline constexpr MessageKind kForeignText{"text", {"text"}};

template <typename Value>
Argument::Value argumentValue(Value&& value)
{
    using Bare = std::remove_cvref_t<Value>;
    if constexpr (std::is_same_v<Bare, bool> || std::is_integral_v<Bare>)
        return static_cast<std::int64_t>(value);
    else if constexpr (std::is_same_v<Bare, Message>)
        return std::vector<Message>{std::forward<Value>(value)};
    else if constexpr (std::is_convertible_v<Value, std::string_view> && !std::is_same_v<Bare, std::string>)
        return std::string(std::string_view(value));
    else
        return Argument::Value(std::forward<Value>(value));
}

/// Makes a message of a kind.
/// REQUIRES: one value for each parameter of the kind, in its order.
template <const MessageKind& kind, typename... Values>
Message message(Values&&... values)
{
    static_assert(sizeof...(Values) == kind.count(), "one value for each parameter");
    Message made{std::string(kind.id)};
    std::size_t at = 0;
    (made.arguments.push_back({std::string(kind.parameters[at++]), argumentValue(std::forward<Values>(values))}), ...);
    return made;
}

/// REQUIRES: the kind has no parameters.
inline Message message(const MessageKind& kind)
{
    return {std::string(kind.id)};
}

/// Makes a message from foreign text; empty for an empty text.
Message foreignText(std::string text);

/// The kind of several sentences, one after the other.
inline constexpr MessageKind kSentences{"sentences", {"sentences"}};

/// The kind of a list: its first entry and a message of the others, which may be a list as well.
inline constexpr MessageKind kList{"list", {"first", "rest"}};

/// Makes one message of the sentences that are not empty, in their order; empty without any.
Message sentencesOf(std::vector<Message> sentences);

/// Returns the message with all its rates, also those of the messages within it, in this unit.
Message withRateUnit(Message message, RateUnit unit);

/// Returns JSON such as
/// {"id": "search.bound", "parameters": {"ceiling": {"samples_per_s": 17.5}, "leader": 21.0}}. Units are the keys
/// "share", "samples_per_s", "ns" and "bytes"; names and foreign text are strings; sentences are arrays of messages.
Json toJson(const Message& message);

/// Returns an empty message for anything that toJson() never returns.
Message messageFromJson(const Json& json);

} // namespace apertune::base
