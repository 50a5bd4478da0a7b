// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweeps/sweep_file.h"

#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/sweeps/errors.h"
#include "core/sweeps/yaml_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

namespace apertune::sweeps {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Result;
using Form = SweepEntry::Form;

namespace {

constexpr const char* kSchemaKey = "schema";
constexpr std::size_t kLongestKey = 256; ///< in bytes; YAML takes keys of 1024 characters

bool isTruth(const YamlNode& node)
{
    return node.plain && (node.text == "true" || node.text == "false");
}

bool isEmpty(const YamlNode& node)
{
    if (node.kind != YamlNode::Kind::scalar)
        return node.children.empty();
    return base::trimmed(node.text).empty() || (node.plain && (node.text == "null" || node.text == "~"));
}

Error noValue(int line, const std::string& key)
{
    return {ErrorCode::invalidArgument,
            base::message<errors::kNoValue>(line, key),
            {},
            base::message<errors::kLeaveKeyOut>()};
}

/// The texts of a list, or of one scalar. `key` is for messages.
Result<std::vector<std::string>> textsOf(const YamlNode& node, const std::string& key)
{
    if (isEmpty(node))
        return noValue(node.line, key);
    if (node.kind == YamlNode::Kind::scalar)
        return std::vector{node.text};
    std::vector<std::string> texts;
    for (const YamlNode& child : node.children) {
        if (child.kind != YamlNode::Kind::scalar || node.kind != YamlNode::Kind::list)
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNoText>(child.line, key),
                         {},
                         base::message<errors::kWriteValues>()};
        if (isEmpty(child))
            return noValue(child.line, key);
        texts.push_back(child.text);
    }
    return texts;
}

/// Calls `take` with each key of a map, its line and its value.
template <typename Take>
base::Status eachOf(const YamlNode& map, Take take)
{
    std::set<std::string> seen;
    for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
        const YamlNode& key = map.children[i];
        if (key.kind != YamlNode::Kind::scalar || key.text.empty() || key.text.size() > kLongestKey)
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNoKey>(key.line),
                         {},
                         base::message<errors::kWriteValues>()};
        if (!seen.insert(key.text).second)
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kTwice>(key.line, key.text),
                         {},
                         base::message<errors::kKeepOne>()};
        if (base::Status taken = take(key.text, key.line, map.children[i + 1]); !taken)
            return taken;
    }
    return {};
}

/// "NAME=on,off" for each name of a map.
Result<std::vector<std::string>> namedValues(const YamlNode& map, const std::string& key)
{
    std::vector<std::string> texts;
    const auto status = eachOf(map, [&](const std::string& name, int, const YamlNode& value) -> base::Status {
        auto values = textsOf(value, key);
        if (!values)
            return values.error();
        // JSON has no words without quotes other than these.
        for (std::string& text : *values)
            text = text == "true" ? "on" : text == "false" ? "off" : text;
        texts.push_back(name + "=" + base::join(*values, ","));
        return {};
    });
    if (!status)
        return status.error();
    return texts;
}

base::Status checkSchema(int line, const YamlNode& value)
{
    if (value.text == kSchema)
        return {};
    // The configuration of an export is the file that stands beside its sweep.
    return Error{ErrorCode::invalidArgument,
                 base::message<errors::kOtherSchema>(line, value.text),
                 {},
                 value.text.starts_with("apertune.config/") ? base::message<errors::kSweepOfExport>()
                                                            : base::message<errors::kNewerApertune>()};
}

Result<SweepEntry> entryOf(const std::string& key, int line, const YamlNode& value)
{
    SweepEntry entry{key, Form::text, {}, line};
    if (isEmpty(value))
        return noValue(line, key);
    entry.form = value.kind == YamlNode::Kind::map    ? Form::map
                 : value.kind == YamlNode::Kind::list ? Form::list
                 : isTruth(value)                     ? Form::flag
                                                      : Form::text;
    auto texts = entry.form == Form::map ? namedValues(value, key) : textsOf(value, key);
    if (!texts)
        return texts.error();
    entry.values = std::move(*texts);
    return entry;
}

/// A scalar in YAML, in quotes where a reader could take it for something else than a text or number.
std::string scalarText(const std::string& text)
{
    static constexpr std::array<std::string_view, 9> kOthers{"true", "false", "null", "yes", "no",
                                                             "on",   "off",   "y",    "n"};
    const auto isPlain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view("_./%+-=:@").find(c) != std::string_view::npos;
    };
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), isPlain) &&
                       std::string_view("%+-=:@").find(text.front()) == std::string_view::npos && text.back() != ':' &&
                       std::find(kOthers.begin(), kOthers.end(), base::lower(text)) == kOthers.end();
    // JSON leaves DEL, C1 controls and bidirectional overrides as they are; YAML reads their visible escapes back.
    return plain ? text : base::printable(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string listText(const std::vector<std::string>& texts)
{
    std::vector<std::string> written;
    for (const std::string& text : texts)
        written.push_back(scalarText(text));
    return "[" + base::join(written) + "]";
}

/// Splits "NAME=on,off".
std::pair<std::string, std::vector<std::string>> splitNamed(const std::string& text)
{
    const auto equals = text.find('=');
    return {text.substr(0, equals),
            base::splitList(equals == std::string::npos ? std::string() : text.substr(equals + 1))};
}

std::string valueYaml(const SweepEntry& entry)
{
    switch (entry.form) {
    case Form::flag:
        return entry.values.front();
    case Form::text:
        return scalarText(entry.values.front());
    case Form::list:
        return listText(entry.values);
    case Form::map:
        break;
    }
    std::vector<std::string> parts;
    for (const std::string& text : entry.values) {
        const auto [name, values] = splitNamed(text);
        // The words of switches need no quotes: `apertune tune` reads them as words.
        parts.push_back(scalarText(name) + ": [" + base::join(values) + "]");
    }
    return "{" + base::join(parts) + "}";
}

Json valueJson(const SweepEntry& entry)
{
    if (entry.form == Form::flag)
        return entry.values.front() == "true";
    if (entry.form == Form::text)
        return entry.values.front();
    if (entry.form == Form::list)
        return entry.values;
    Json map = Json::object();
    for (const std::string& text : entry.values) {
        const auto [name, values] = splitNamed(text);
        map[name] = values;
    }
    return map;
}

} // namespace

Result<std::vector<SweepEntry>> readSweep(std::string_view text)
{
    const auto root = readYaml(text);
    if (!root)
        return root.error();
    if (root->kind != YamlNode::Kind::map)
        return Error{
            ErrorCode::invalidArgument, base::message<errors::kNoMapping>(), {}, base::message<errors::kWriteValues>()};
    std::vector<SweepEntry> entries;
    const auto status = eachOf(*root, [&](const std::string& key, int line, const YamlNode& value) -> base::Status {
        if (key == kSchemaKey)
            return checkSchema(line, value);
        auto entry = entryOf(key, line, value);
        if (!entry)
            return entry.error();
        entries.push_back(std::move(*entry));
        return {};
    });
    if (!status)
        return status.error();
    return entries;
}

Result<std::vector<SweepEntry>> readSweepFile(const std::filesystem::path& file)
{
    const auto text = base::readFile(file, kMostYamlBytes + 1);
    if (!text)
        return text.error();
    auto entries = readSweep(*text);
    if (entries)
        return entries;
    Error error = entries.error();
    error.context = file.string();
    return error;
}

std::string sweepYaml(const std::vector<SweepEntry>& entries)
{
    std::string text = "# A sweep of Apertune: `apertune tune --config FILE` measures it.\n";
    text += std::string(kSchemaKey) + ": " + kSchema + "\n";
    for (const SweepEntry& entry : entries)
        text += scalarText(entry.key) + ": " + valueYaml(entry) + "\n";
    return text;
}

std::string sweepJson(const std::vector<SweepEntry>& entries)
{
    Json json{{kSchemaKey, kSchema}};
    for (const SweepEntry& entry : entries)
        json[entry.key] = valueJson(entry);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> commandWords(const std::vector<SweepEntry>& entries)
{
    std::vector<std::string> words;
    for (const SweepEntry& entry : entries) {
        const std::string option = "--" + entry.key;
        if (entry.key == kModelKey)
            words.push_back(entry.values.front());
        else if (entry.form == Form::flag && entry.values.front() == "true")
            words.push_back(option);
        else if (entry.key == kSwitchKey)
            for (const std::string& value : entry.values)
                words.insert(words.end(), {option, value});
        else if (entry.form != Form::flag)
            words.insert(words.end(), {option, base::join(entry.values, ",")});
    }
    return words;
}

} // namespace apertune::sweeps
