// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/perfetto/event_text.h"

#include "core/interchange/chrome/event_writer.h"
#include "core/interchange/chrome/json_values.h"
#include "core/interchange/chrome/vocabulary.h"
#include "core/trace/untrusted_events.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace apertune::interchange::perfetto {

using chrome::appendMicroseconds;
using chrome::appendNumber;
using chrome::parseInteger;
using trace::EventKind;

namespace {

constexpr int kDeepest = 16; ///< nesting of annotations; a hostile file could exhaust the stack
/// Limit of the bytes of an event's arguments. A few bytes of a packet can refer to long texts, so a hostile file could
/// fill the memory.
constexpr std::size_t kMostArguments = std::size_t{256} << 10;
/// Texts are cut here, a little above the limit of chrome::EventParser, which cuts them again and counts them.
constexpr std::size_t kLongestText = (std::size_t{64} << 10) + 8;

void appendText(std::string& out, std::string_view text)
{
    chrome::appendQuoted(out, text.substr(0, kLongestText));
}

std::string realText(double value)
{
    std::string text;
    if (std::isfinite(value))
        appendNumber(text, value);
    return text;
}

/// Returns whether a text is a list of numbers: "[128, 1, 1]".
bool isNumbers(std::string_view text)
{
    return text.size() > 2 && text.front() == '[' && text.back() == ']' &&
           text.substr(1, text.size() - 2).find_first_not_of("0123456789, ") == std::string_view::npos;
}

std::string textOrNumbers(std::string_view text)
{
    if (text.size() <= kLongestText && isNumbers(text))
        return std::string(text);
    std::string quoted;
    appendText(quoted, text);
    return quoted;
}

std::string_view nameOf(Message annotation, const InternedTexts& texts)
{
    std::string_view name;
    while (annotation.next())
        if (annotation.tag() == AnnotationField::name)
            name = bytesOf(annotation);
        else if (annotation.tag() == AnnotationField::internedName)
            name = texts.find(InternedField::annotationName, numberOf(annotation));
        else
            annotation.skip();
    return name;
}

/// Returns the JSON of an annotation's value: a scalar, or a list or dictionary whose members come one by one.
std::string jsonOf(Message annotation, const InternedTexts& texts, int depth)
{
    if (depth > kDeepest)
        return "null";
    std::string scalar;
    std::string list;
    std::string dictionary;
    while (annotation.next() && list.size() + dictionary.size() < kMostArguments)
        switch (annotation.tag()) {
        case AnnotationField::flag:
            scalar = numberOf(annotation) != 0 ? "true" : "false";
            break;
        case AnnotationField::natural:
        case AnnotationField::pointer:
            scalar = std::to_string(numberOf(annotation));
            break;
        case AnnotationField::integer:
            scalar = std::to_string(integerOf(annotation));
            break;
        case AnnotationField::real:
            scalar = realText(realOf(annotation));
            break;
        case AnnotationField::text:
        case AnnotationField::json:
            scalar = textOrNumbers(bytesOf(annotation));
            break;
        case AnnotationField::internedText:
            scalar = textOrNumbers(texts.find(InternedField::annotationText, numberOf(annotation)));
            break;
        case AnnotationField::member: {
            const Message member = messageOf(bytesOf(annotation));
            dictionary += dictionary.empty() ? "" : ",";
            appendText(dictionary, nameOf(member, texts));
            dictionary.append(":").append(jsonOf(member, texts, depth + 1));
            break;
        }
        case AnnotationField::element: {
            const Message element = messageOf(bytesOf(annotation));
            list.append(list.empty() ? "" : ", ").append(jsonOf(element, texts, depth + 1));
            break;
        }
        default:
            annotation.skip();
        }
    if (!dictionary.empty())
        return "{" + dictionary + "}";
    if (!list.empty())
        return "[" + list + "]";
    return scalar.empty() ? "null" : scalar;
}

/// The categories of rocprofv3 and their kinds of event.
constexpr std::pair<std::string_view, EventKind> kRocprof[] = {
    {"kernel_dispatch", EventKind::kernel}, {"memory_copy", EventKind::copy},  {"hip_api", EventKind::runtimeCall},
    {"hsa_api", EventKind::driverCall},     {"marker_api", EventKind::range},  {"rccl_api", EventKind::other},
    {"rocdecode_api", EventKind::other},    {"rocjpeg_api", EventKind::other}, {"hipfile_api", EventKind::other},
};

std::optional<EventKind> rocprofKind(std::string_view category)
{
    const auto at = std::find_if(std::begin(kRocprof), std::end(kRocprof),
                                 [category](const auto& known) { return known.first == category; });
    return at == std::end(kRocprof) ? std::nullopt : std::optional(at->second);
}

bool isKnown(std::string_view category)
{
    return rocprofKind(category) || chrome::categoryFromString(category);
}

/// Returns the last number in a name: 4 for "Agent-4", 7 for "stream 7"; empty when there is none.
std::string lastNumber(std::string_view name)
{
    const std::size_t last = name.find_last_of("0123456789");
    const std::size_t before = name.find_last_not_of("0123456789", last);
    return last == std::string_view::npos ? std::string() : std::string(name.substr(before + 1, last - before));
}

bool isOnDevice(EventKind kind)
{
    return trace::isDeviceWork(kind) || kind == EventKind::deviceRange;
}

/// Returns whether events of a kind are joined by a correlation id.
bool isJoined(EventKind kind)
{
    return trace::isDeviceWork(kind) || kind == EventKind::runtimeCall || kind == EventKind::driverCall;
}

} // namespace

void EventText::addArgument(std::string_view name, std::string json)
{
    if (json.empty())
        return;
    m_size += json.size() + std::min(name.size(), kLongestText);
    if (m_size > kMostArguments)
        m_event.tooLong = true;
    else
        m_event.arguments.push_back({name, std::move(json)});
}

/// Reads an annotation. The members of a dictionary "args" are arguments themselves, and so is "args.stream".
void EventText::readAnnotation(Message annotation, const InternedTexts& texts, bool top)
{
    if (m_event.tooLong)
        return;
    std::string_view name = nameOf(annotation, texts);
    if (top && name == "args") {
        bool flat = false;
        for (Message members = annotation; members.next();)
            if (members.tag() == AnnotationField::member) {
                readAnnotation(messageOf(bytesOf(members)), texts, false);
                flat = true;
            } else {
                members.skip();
            }
        if (flat)
            return;
    }
    constexpr std::string_view kPrefix = "args.";
    if (top && name.starts_with(kPrefix))
        name.remove_prefix(kPrefix.size());
    addArgument(name, jsonOf(annotation, texts, 0));
}

void EventText::decode(const PacketEvent& event, bool isEnd)
{
    const InternedTexts& texts = m_packets.texts[event.texts];
    std::string_view legacyName;
    std::vector<std::uint64_t> numbers;
    // An event may have several categories. A known one decides its kind, otherwise the first one names it.
    const auto setCategory = [&](std::string_view category) {
        if (!isEnd && (m_event.category.empty() || (isKnown(category) && !isKnown(m_event.category))))
            m_event.category = category;
    };
    for (Message fields = messageOf(event.message); fields.next();)
        switch (fields.tag()) {
        case EventField::annotation:
            readAnnotation(messageOf(bytesOf(fields)), texts, true);
            break;
        case EventField::name:
            if (const std::string_view name = bytesOf(fields); m_event.name.empty())
                m_event.name = name;
            break;
        case EventField::internedName:
            if (const std::uint64_t number = numberOf(fields); m_event.name.empty())
                m_event.name = texts.find(InternedField::eventName, number);
            break;
        case EventField::category:
            setCategory(bytesOf(fields));
            break;
        case EventField::internedCategories:
            numbers.clear();
            appendNumbers(fields, numbers);
            for (const std::uint64_t number : numbers)
                setCategory(texts.find(InternedField::category, number));
            break;
        case EventField::flows:
        case EventField::endingFlows:
        case EventField::oldFlows:
        case EventField::oldEndingFlows:
        case EventField::correlation:
            if (const std::uint64_t flow = numberOf(fields); !m_event.flow)
                m_event.flow = flow;
            break;
        case EventField::legacy:
            for (Message legacy = messageOf(bytesOf(fields)); legacy.next();)
                switch (legacy.tag()) {
                case LegacyField::internedName:
                    legacyName = texts.find(InternedField::eventName, numberOf(legacy));
                    break;
                case LegacyField::id:
                case LegacyField::localId:
                case LegacyField::globalId:
                    m_event.id = numberOf(legacy);
                    break;
                case LegacyField::duration:
                    if (std::int64_t ns = 0; !__builtin_mul_overflow(integerOf(legacy), 1000, &ns))
                        m_event.duration = ns;
                    break;
                default:
                    legacy.skip();
                }
            break;
        default:
            fields.skip();
        }
    if (m_event.name.empty())
        m_event.name = legacyName;
}

/// Removes an argument from the event and returns it; an empty text when there is none.
std::string EventText::taken(std::string_view name)
{
    const auto at = std::find_if(m_event.arguments.begin(), m_event.arguments.end(),
                                 [name](const Argument& argument) { return argument.name == name; });
    if (at == m_event.arguments.end())
        return {};
    std::string json = std::move(at->json);
    m_event.arguments.erase(at);
    return json;
}

bool EventText::has(std::string_view name) const
{
    return std::any_of(m_event.arguments.begin(), m_event.arguments.end(),
                       [name](const Argument& argument) { return argument.name == name; });
}

/// Translates an event of rocprofv3 to Kineto's names. Arguments without such a name stay as they are. Returns false
/// for an event of another program.
bool EventText::translateRocprof(const Place& place)
{
    const std::optional<EventKind> kind = rocprofKind(m_event.category);
    const auto begin = kind ? parseInteger(taken("begin_ns")) : std::nullopt;
    if (!begin)
        return false; // another program may have a category of that name
    m_fromRocprof = true;
    m_event.category = chrome::categoryOf(*kind);
    // Slices are written one after the other, whenever they happened, so that beginnings and ends of the same instant
    // may be joined wrongly.
    if (const auto end = parseInteger(taken("end_ns")); end && *end >= *begin && *begin >= 0)
        m_event.duration = *end - *begin;
    // These repeat other members of the event.
    for (const char* const redundant : {"delta_ns", "kind", "operation", "ancestor_id", "agent_type", "kernel_id"})
        taken(redundant);
    std::string correlation = taken("corr_id");
    const std::string thread = taken("tid");
    std::string stream = taken("stream_ID");
    std::string queue = taken("queue");
    if (isJoined(*kind))
        addArgument("correlation", std::move(correlation));
    if (!trace::isDeviceWork(*kind)) {
        m_event.thread = parseInteger(thread).value_or(-1);
        return true;
    }
    // When the recorder knows streams, a track is a stream. Otherwise it is a queue of the hardware.
    addArgument("stream", std::move(place.label.starts_with("STREAM") ? stream : queue));
    if (*kind == EventKind::copy) {
        const trace::CopyDirection direction = chrome::copyFromName(m_event.name).direction;
        const std::string source = lastNumber(taken("src_agent"));
        const std::string target = lastNumber(taken("dst_agent"));
        addArgument("device", direction == trace::CopyDirection::deviceToHost ? source : target);
        addArgument("bytes", taken("copy_bytes"));
        m_event.name = trace::copyName(direction);
        return true;
    }
    for (const std::string_view ending : {".kd", " [clone .kd]"})
        if (m_event.name.ends_with(ending))
            m_event.name.remove_suffix(ending.size());
    addArgument("device", lastNumber(taken("agent")));
    addArgument("shared memory", taken("LDS_Block_Size"));
    addArgument("local memory per thread", taken("Scratch_Size"));
    // Both are products of three numbers, and HIP counts a grid in threads.
    const std::int64_t threads = parseInteger(taken("grid_size")).value_or(0);
    const std::int64_t block = parseInteger(taken("workgroup_size")).value_or(0);
    if (threads > 0 && block > 0) {
        addArgument("grid", "[" + std::to_string(threads / block + (threads % block != 0 ? 1 : 0)) + "]");
        addArgument("block", "[" + std::to_string(block) + "]");
    }
    return true;
}

bool EventText::append(const PacketEvent& event, const PacketEvent* end, const Times& times, std::string& out)
{
    std::vector<Argument> arguments = std::move(m_event.arguments); // keeps its memory
    arguments.clear();
    m_event = {};
    m_event.arguments = std::move(arguments);
    m_size = 0;
    decode(event, false);
    if (end)
        decode(*end, true);
    const Place& place = m_packets.tracks.place(event.track);
    const bool ofRocprof = translateRocprof(place);
    const auto category = chrome::categoryFromString(m_event.category);
    bool arrows = m_event.flow && !ofRocprof; // the arrows of rocprofv3 repeat its correlation ids
    if (category && isJoined(category->kind)) {
        if (arrows && !has("correlation"))
            addArgument("correlation", std::to_string(*m_event.flow & std::numeric_limits<std::int64_t>::max()));
        arrows = false;
    }
    // A thread that stands for a stream has the device as its process, as in Kineto's JSON. The process of any other
    // track is one of the host.
    if (category && isOnDevice(category->kind) && place.thread < 0 && !ofRocprof) {
        if (!has("device"))
            addArgument("device", "0");
        if (!has("stream")) {
            const std::string number = lastNumber(place.label);
            addArgument("stream", number.empty() ? std::to_string(event.track) : number);
        }
    }
    const bool slice = event.phase == 'B' || event.phase == 'X';
    std::optional<std::int64_t> duration = m_event.duration;
    if (!duration && times.end)
        duration = *times.end - times.start;
    out += R"({"ph":")";
    out += slice && duration ? 'X' : event.phase;
    out += R"(","ts":)";
    appendMicroseconds(out, times.start);
    if (slice && duration) {
        out += R"(,"dur":)";
        appendMicroseconds(out, *duration);
    }
    if (!m_event.category.empty()) {
        out += R"(,"cat":)";
        appendText(out, m_event.category);
    }
    out += R"(,"name":)";
    appendText(out, m_event.name);
    if (place.process >= 0)
        out.append(R"(,"pid":)").append(std::to_string(place.process));
    out += R"(,"tid":)";
    if (const std::int64_t thread = m_event.thread >= 0 ? m_event.thread : place.thread; thread >= 0)
        out += std::to_string(thread);
    else
        appendText(out, place.label);
    if (m_event.id)
        out.append(R"(,"id":)").append(std::to_string(*m_event.id));
    if (m_event.tooLong)
        m_event.arguments.push_back({"…", "null"});
    if (!m_event.arguments.empty()) {
        out += R"(,"args":)";
        char before = '{';
        for (const Argument& argument : m_event.arguments) {
            out += std::exchange(before, ',');
            appendText(out, argument.name);
            out.append(":").append(argument.json);
        }
        out += '}';
    }
    out += "},";
    return arrows;
}

void EventText::appendNames(std::string& out) const
{
    const auto append = [&out](const char* what, std::int64_t process, std::int64_t thread, const std::string& name) {
        out.append(R"({"ph":"M","name":")").append(what).append(R"(","pid":)").append(std::to_string(process));
        out.append(R"(,"tid":)").append(std::to_string(thread)).append(R"(,"args":{"name":)");
        appendText(out, name);
        out += "}},";
    };
    for (const auto& [process, name] : m_packets.tracks.processNames())
        append("process_name", process, 0, name);
    for (const auto& [thread, name] : m_packets.tracks.threadNames())
        append("thread_name", thread.first, thread.second, name);
}

} // namespace apertune::interchange::perfetto
