// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/what_if_change.h"

#include "core/advice/errors.h"
#include "core/base/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace apertune::advice {

using base::Error;
using base::ErrorCode;

namespace {

constexpr std::array<std::pair<std::string_view, ChangeKind>, 9> kKinds{{{"kernel", ChangeKind::kernels},
                                                                         {"operator", ChangeKind::operators},
                                                                         {"layer", ChangeKind::layers},
                                                                         {"copies", ChangeKind::copies},
                                                                         {"graph", ChangeKind::graph},
                                                                         {"streams", ChangeKind::streams},
                                                                         {"host", ChangeKind::host},
                                                                         {"threads", ChangeKind::threads},
                                                                         {"switch", ChangeKind::setting}}};

std::optional<double> numberIn(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<double> factorIn(std::string_view text)
{
    constexpr double kMost = 1000;
    if (text == "remove")
        return 0;
    const bool percent = text.ends_with('%');
    std::optional<double> value = numberIn(percent ? text.substr(0, text.size() - 1) : text);
    if (value && percent)
        *value /= 100;
    return value && *value >= 0 && *value <= kMost ? value : std::nullopt;
}

std::optional<int> countIn(std::string_view text)
{
    constexpr int kMost = 1024;
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value >= 1 && value <= kMost
               ? std::optional(value)
               : std::nullopt;
}

/// Moves "#N" from the end of a pattern to the occurrence.
void splitOccurrence(Change& change)
{
    const std::size_t hash = change.pattern.rfind('#');
    if (hash == std::string::npos || hash == 0)
        return;
    if (const auto number = countIn(std::string_view(change.pattern).substr(hash + 1))) {
        change.occurrence = *number;
        change.pattern.resize(hash);
    }
}

/// Reads what stands behind "=" into the change; false when it does not fit.
bool readValue(Change& change, std::string_view value)
{
    switch (change.kind) {
    case ChangeKind::kernels:
    case ChangeKind::operators:
    case ChangeKind::layers:
    case ChangeKind::host:
        if (const auto factor = factorIn(value)) {
            change.factor = *factor;
            return true;
        }
        return false;
    case ChangeKind::copies:
        change.copies = value == "pin"       ? CopyChange::pin
                        : value == "overlap" ? CopyChange::overlap
                                             : CopyChange::remove;
        return value == "pin" || value == "overlap" || value == "remove";
    case ChangeKind::streams:
    case ChangeKind::threads:
        if (const auto count = countIn(value)) {
            change.count = *count;
            return true;
        }
        return false;
    case ChangeKind::setting:
        change.on = value == "on";
        return value == "on" || value == "off";
    case ChangeKind::graph:
        break;
    }
    return value.empty();
}

bool takesPattern(ChangeKind kind)
{
    return kind == ChangeKind::kernels || kind == ChangeKind::operators || kind == ChangeKind::layers ||
           kind == ChangeKind::setting;
}

} // namespace

std::string_view toString(ChangeKind kind)
{
    for (const auto& [word, known] : kKinds)
        if (known == kind)
            return word;
    return {};
}

base::Result<Change> parseChange(const std::string& text)
{
    Change change;
    change.text = text;
    // A pattern may contain both characters, so the first ":" and the last "=" count.
    const std::size_t equals = text.rfind('=');
    const std::string_view left = std::string_view(text).substr(0, equals);
    const std::string_view value =
        equals == std::string::npos ? std::string_view() : std::string_view(text).substr(equals + 1);
    const std::size_t colon = left.find(':');
    const std::string_view word = left.substr(0, colon);
    bool known = false;
    for (const auto& [name, kind] : kKinds)
        if (name == word) {
            change.kind = kind;
            known = true;
        }
    const bool hasPattern = colon != std::string_view::npos && colon + 1 < left.size();
    if (!known || hasPattern != takesPattern(change.kind))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoSuchChange>(text),
                     {},
                     base::message<errors::kChangesAre>()};
    if (hasPattern)
        change.pattern = left.substr(colon + 1);
    if (change.kind != ChangeKind::setting)
        splitOccurrence(change);
    if (!readValue(change, value))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoFactor>(text),
                     {},
                     base::message<errors::kChangesAre>()};
    return change;
}

} // namespace apertune::advice
