// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/file_facts.h"

#include "core/base/json.h"
#include "core/base/json_members.h"
#include "core/interchange/chrome/errors.h"
#include "core/interchange/chrome/json_values.h"
#include "core/interchange/chrome/reasons.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace apertune::interchange::chrome {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Status;

namespace {

/// Reads a whole number; `otherwise` when the file holds something else under the name.
std::int64_t integer(const Json& object, const char* name, std::int64_t otherwise = 0)
{
    const auto at = object.find(name);
    if (at == object.end() || !at->is_number())
        return otherwise;
    if (at->is_number_float()) {
        const double value = at->get<double>();
        // Numbers outside of 64 bits have no defined conversion.
        return value > -9e18 && value < 9e18 ? static_cast<std::int64_t>(value) : otherwise;
    }
    if (at->is_number_unsigned() && at->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
        return otherwise;
    return at->get<std::int64_t>();
}

/// Reads nanoseconds within ±73 years, so that times can be added and subtracted.
std::int64_t instant(const Json& object, const char* name)
{
    constexpr std::int64_t kLimit = std::int64_t{1} << 61;
    return std::clamp(integer(object, name), -kLimit, kLimit);
}

int small(const Json& object, const char* name)
{
    return static_cast<int>(std::clamp<std::int64_t>(integer(object, name), 0, std::numeric_limits<int>::max()));
}

trace::DeviceProperties readDevice(const Json& json)
{
    trace::DeviceProperties d;
    d.id = integer(json, "id", -1);
    d.name = base::textMember(json, "name");
    d.computeMajor = small(json, "computeMajor");
    d.computeMinor = small(json, "computeMinor");
    d.multiprocessors = small(json, "numSms");
    if (json.contains("warpSize"))
        d.warpSize = small(json, "warpSize");
    d.maxThreadsPerBlock = small(json, "maxThreadsPerBlock");
    d.maxThreadsPerMultiprocessor = small(json, "maxThreadsPerMultiprocessor");
    d.registersPerMultiprocessor = small(json, "regsPerMultiprocessor");
    d.sharedBytesPerBlock = integer(json, "sharedMemPerBlock");
    d.sharedBytesPerMultiprocessor =
        integer(json, "sharedMemPerMultiprocessor", integer(json, "maxSharedMemoryPerMultiProcessor"));
    d.totalMemory = integer(json, "totalGlobalMem");
    d.memoryBandwidth = integer(json, "memoryBandwidthBytesPerSecond");
    d.linkBandwidth = integer(json, "linkBandwidthBytesPerSecond");
    return d;
}

/// Returns the versions in the file: "schema 1, CUDA runtime 12010, CUPTI 18".
std::string recorderVersion(const Json& json)
{
    static constexpr std::pair<const char*, const char*> kVersions[] = {
        {"schemaVersion", "schema"},
        {"cuda_runtime_version", "CUDA runtime"},
        {"cuda_driver_version", "CUDA driver"},
        {"cupti_version", "CUPTI"},
        {"hip_runtime_version", "HIP runtime"},
        {"hip_driver_version", "HIP driver"},
        {"roctracer_version", "roctracer"},
    };
    std::string version;
    for (const auto& [name, word] : kVersions)
        if (json.contains(name) && json[name].is_number_integer())
            version += (version.empty() ? "" : ", ") + std::string(word) + " " + std::to_string(integer(json, name));
    return version;
}

trace::Track readTrack(const Json& json)
{
    trace::Track t;
    t.type = static_cast<trace::TrackType>(std::clamp<std::int64_t>(integer(json, "type", 1), 1, 5));
    t.process = integer(json, "process", -1);
    t.thread = integer(json, "thread", -1);
    t.device = integer(json, "device", -1);
    t.context = integer(json, "context", -1);
    t.stream = integer(json, "stream", -1);
    t.label = base::textMember(json, "label");
    t.unit = base::textMember(json, "unit");
    return t;
}

trace::Loss readLoss(const Json& json)
{
    trace::Loss loss;
    loss.time = {instant(json, "time_ns")};
    const std::string kind = base::textMember(json, "kind");
    for (const trace::EventKind known : trace::kEventKinds)
        if (toString(known) == kind)
            loss.kind = known;
    loss.count = integer(json, "count");
    loss.severity = static_cast<trace::LossSeverity>(std::clamp<std::int64_t>(integer(json, "severity", 2), 1, 3));
    if (const auto message = json.find("reason_message"); message != json.end())
        loss.reason = base::messageFromJson(*message);
    if (sentences::sentence(loss.reason).empty()) // an older export, or of a newer version
        loss.reason = base::foreignText(base::textMember(json, "reason"));
    if (loss.reason.empty())
        loss.reason = base::message<reasons::kUnsaid>();
    return loss;
}

/// Calls `use` for the members of a list that are objects. Does nothing when it is no list.
template <typename Use>
void forObjects(const Json& parent, const char* name, Use use)
{
    const auto list = parent.find(name);
    if (list == parent.end() || !list->is_array())
        return;
    for (const Json& member : *list)
        if (member.is_object())
            use(member);
}

model::Interval readInterval(const Json& parent, const char* name)
{
    const auto at = parent.find(name);
    if (at == parent.end() || !at->is_array() || at->size() != 4)
        return {};
    const auto number = [&at](std::size_t i) { return (*at)[i].is_number() ? (*at)[i].get<double>() : 0.0; };
    return {number(0), number(1), number(2), number(3)};
}

trace::RecordingCost readCost(const Json& json)
{
    return {readInterval(json, "bare_ns"), readInterval(json, "traced_ns"), readInterval(json, "ratio"),
            integer(json, "bare_iterations"), integer(json, "traced_iterations")};
}

void readRank(const Json& json, trace::Trace& head)
{
    const auto number = json.find("rank");
    if (number == json.end() || !number->is_number_integer())
        return;
    const std::int64_t rank = integer(json, "rank");
    const std::int64_t size = integer(json, "world_size");
    if (rank >= 0 && size > rank) {
        head.rank = rank;
        head.worldSize = size;
    }
}

void readOwn(const Json& own, FileFacts& facts)
{
    facts.own = true;
    trace::Trace& head = facts.head;
    head.name = base::textMember(own, "name");
    head.source = base::textMember(own, "source");
    head.recorderVersion = base::textMember(own, "recorder_version");
    head.originMonotonic = instant(own, "origin_monotonic_ns");
    head.originEpoch = instant(own, "origin_epoch_ns");
    readRank(own, head);
    facts.ownOffset = instant(own, "offset_ns");
    if (const auto cost = own.find("cost"); cost != own.end() && cost->is_object())
        head.cost = readCost(*cost);
    forObjects(own, "tracks", [&facts](const Json& track) {
        const std::pair key(integer(track, "pid"), integer(track, "tid"));
        if (facts.ownTracks.emplace(key, readTrack(track)).second)
            facts.ownTrackOrder.push_back(key);
    });
    forObjects(own, "losses", [&head](const Json& loss) { head.losses.push_back(readLoss(loss)); });
}

/// Returns whether JSON allows the escape whose backslash is before `i`.
bool isEscape(std::string_view text, std::size_t i)
{
    if (i >= text.size())
        return false;
    if (text[i] != 'u')
        return std::string_view("\"\\/bfnrt").find(text[i]) != std::string_view::npos;
    const std::string_view digits = text.substr(i + 1, 4);
    return digits.size() == 4 && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// Returns the text as valid JSON. Recorders print a program's texts unchanged: unescaped Windows paths, NaN, bytes
/// that are not UTF-8.
std::string asJson(std::string text)
{
    repairText(text);
    std::string json;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString && c == '\\') {
            const bool known = isEscape(text, i + 1);
            json += known ? "\\" : "\\\\";
            if (known)
                json += text[++i];
            continue;
        }
        if (c == '"')
            inString = !inString;
        if (inString || std::string_view("\"{}[]:, \t\r\n").find(c) != std::string_view::npos) {
            json += c;
            continue;
        }
        const std::size_t end = std::min(text.find_first_of("\"{}[]:, \t\r\n", i), text.size());
        const std::string word = text.substr(i, end - i);
        const bool number = isDigit(word.front()) || (word.size() > 1 && word[0] == '-' && isDigit(word[1]));
        json += number || word == "true" || word == "false" ? word : "null";
        i = end - 1;
    }
    return json;
}

/// Returns the object in `source`, as far as it can be read; nothing when it cannot.
std::optional<Json> readObject(const std::string& source)
{
    Json json = Json::parse(source, nullptr, false);
    if (!json.is_object())
        json = Json::parse(asJson(source), nullptr, false);
    return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

} // namespace

Status readMembers(const std::string& source, FileFacts& facts)
{
    const std::optional<Json> read = readObject(source);
    if (!read && (facts.own || source.find("\"apertune\"") != std::string::npos))
        return Error{
            ErrorCode::corrupt, base::message<errors::kAroundDamaged>(), {}, base::message<errors::kCopyOrExport>()};
    if (!read) { // the events are intact and need none of these members
        facts.head.losses.push_back({.reason = base::message<reasons::kAroundDamaged>()});
        return {};
    }
    const Json& json = *read;
    if (const auto own = json.find("apertune"); own != json.end() && own->is_object()) {
        if (base::textMember(*own, "schema") != kOwnSchema)
            return Error{ErrorCode::unsupported,
                         base::message<errors::kNewerExport>(base::textMember(*own, "schema")),
                         {},
                         base::message<errors::kInstallThatVersion>()};
        readOwn(*own, facts);
    }
    if (const auto again = json.find("traceEvents"); again != json.end() && !again->empty())
        facts.head.losses.push_back({.reason = base::message<reasons::kSecondList>()});
    for (const char* const member : {"systemTraceEvents", "samples", "stackFrames"})
        if (const auto other = json.find(member); other != json.end() && !other->empty())
            facts.head.losses.push_back({.reason = base::message<reasons::kOtherMember>(std::string(member))});
    forObjects(json, "deviceProperties",
               [&facts](const Json& device) { facts.head.devices.push_back(readDevice(device)); });
    if (facts.own)
        return {};
    facts.kineto = facts.kineto || json.contains("schemaVersion") || json.contains("deviceProperties");
    if (const auto job = json.find("distributedInfo"); job != json.end() && job->is_object())
        readRank(*job, facts.head);
    if (const std::int64_t base = integer(json, "baseTimeNanoseconds"); base != 0)
        facts.baseTime = base;
    if (const std::string version = recorderVersion(json); !version.empty())
        facts.head.recorderVersion += (facts.head.recorderVersion.empty() ? "" : ", ") + version;
    return {};
}

} // namespace apertune::interchange::chrome
