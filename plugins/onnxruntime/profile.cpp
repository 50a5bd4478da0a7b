// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/profile.h"

#include <nlohmann/json.hpp>

#include <array>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <string_view>

namespace apertune::ort {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

std::int64_t now(clockid_t clock)
{
    timespec t{};
    ::clock_gettime(clock, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// CLOCK_REALTIME minus CLOCK_MONOTONIC, from the narrowest of several readings.
std::int64_t realMinusMonotonic()
{
    std::int64_t best = 0;
    std::int64_t width = std::numeric_limits<std::int64_t>::max();
    // The narrowest of several readings has the smallest error, because the thread may be interrupted between two of
    // them.
    for (int i = 0; i < 16; ++i) {
        const std::int64_t before = now(CLOCK_MONOTONIC);
        const std::int64_t real = now(CLOCK_REALTIME);
        const std::int64_t after = now(CLOCK_MONOTONIC);
        if (after - before < width) {
            width = after - before;
            // The real clock was read about in the middle of the two others.
            best = real - before - (after - before) / 2;
        }
    }
    return best;
}

/// The profile's time 0 on CLOCK_MONOTONIC. The engine counts from a reading of its own clock. That is the time of day
/// in its usual builds and may be the monotonic clock in others; the clock that is nearer to now decides.
std::int64_t toMonotonic(std::uint64_t start)
{
    const auto signedStart = static_cast<std::int64_t>(start);
    // A session does not profile for a day. The time of day is decades after every time of the monotonic clock.
    constexpr std::int64_t kDay = 86'400'000'000'000;
    const std::int64_t monotonic = now(CLOCK_MONOTONIC);
    const bool isMonotonic = signedStart <= monotonic && monotonic - signedStart < kDay;
    return isMonotonic ? signedStart : signedStart - realMinusMonotonic();
}

/// [{"float": [1, 3]}, {"int64": []}] -> "[[1, 3], []]"
std::string shapesOf(const Json& inputs)
{
    if (!inputs.is_array())
        return "";
    Json shapes = Json::array();
    // Each entry is an object with one member: the type and the shape of an input.
    for (const Json& input : inputs)
        if (input.is_object() && !input.empty())
            shapes.push_back(input.begin().value());
    std::string text;
    for (const char c : shapes.dump())
        text += c == ',' ? std::string(", ") : std::string(1, c);
    return text;
}

std::string text(const Json& object, const char* member)
{
    const auto it = object.find(member);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

constexpr std::string_view kKernelTime = "_kernel_time";

bool isKernel(const Json& entry)
{
    return text(entry, "cat") == "Node" && text(entry, "name").ends_with(kKernelTime);
}

NodeRun nodeOf(const Json& entry, std::int64_t zero)
{
    const Json& details = entry.at("args");
    NodeRun node;
    // The profile states microseconds since the session began.
    node.start = zero + entry.at("ts").get<std::int64_t>() * 1000;
    node.duration = entry.at("dur").get<std::int64_t>() * 1000;
    node.thread = entry.at("tid").get<std::uint32_t>();
    node.op = text(details, "op_name");
    node.name = text(entry, "name");
    // The suffix was checked by isKernel().
    node.name.resize(node.name.size() - kKernelTime.size());
    node.provider = text(details, "provider");
    if (const auto shapes = details.find("input_type_shape"); shapes != details.end())
        node.shapes = shapesOf(*shapes);
    return node;
}

} // namespace

std::int64_t monotonicNow()
{
    return now(CLOCK_MONOTONIC);
}

Profile readProfile(const fs::path& file, std::int64_t zero, std::int64_t from)
{
    // The file has one entry a line and is read line by line, because a long recording may not fit into memory.
    Profile profile;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t begin = line.find('{');
        const std::size_t end = line.rfind('}');
        if (begin == std::string::npos)
            continue; // a line with a bracket around the entries
        // The last line may be cut off, where the process ended or the disk is full.
        const Json entry = end == std::string::npos ? Json(Json::value_t::discarded)
                                                    : Json::parse(line.substr(begin, end - begin + 1), nullptr, false);
        if (!entry.is_object()) {
            ++profile.lost;
            continue;
        }
        if (!isKernel(entry))
            continue;
        try {
            NodeRun node = nodeOf(entry, zero);
            // Nodes of the warm-up passes are in the file too.
            if (node.start >= from)
                profile.nodes.push_back(std::move(node));
        } catch (const Json::exception&) {
            ++profile.lost;
        }
    }
    return profile;
}

Recorder::Recorder(const Library& engine, const fs::path& file, const Request& request, const Inputs& inputs,
                   std::uint32_t warmUp)
    : m_engine(engine)
{
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "apertune-profile-XXXXXX").string();
    if (error || !::mkdtemp(name.data()))
        throw Fault(APERTUNE_INTERNAL, "There is no place for the engine's profile.",
                    "Make room in the folder for temporary files (TMPDIR).", name);
    m_folder = name;
    try {
        // ONNX Runtime writes its profile into a file, so a recording needs a folder of its own.
        m_loaded = std::make_unique<Engine>(engine, file, request, inputs, m_folder / "profile");
        for (std::uint32_t pass = 0; pass < warmUp; ++pass)
            m_loaded->run(pass);
    } catch (...) {
        m_loaded.reset();
        fs::remove_all(m_folder, error);
        throw;
    }
    m_from = monotonicNow();
}

Recorder::~Recorder()
{
    m_loaded.reset(); // before the folder is removed, because the session may still write
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
}

Profile Recorder::finish()
{
    std::uint64_t start = 0;
    m_engine.check(m_engine.api.profilingStart(m_loaded->session(), &start));
    const std::int64_t zero = toMonotonic(start);
    char* name = nullptr;
    m_engine.check(m_engine.api.endProfiling(m_loaded->session(), m_engine.allocator, &name));
    // The engine's clock has microseconds, so an event may seem to begin just before the reading that precedes it.
    constexpr std::int64_t kTick = 1000;
    return readProfile(m_engine.take(name), zero, m_from - kTick);
}

void handOver(const Profile& profile, const std::string& provider, const apertune_trace_options& options,
              apertune_trace_sink sink, void* user)
{
    if (!sink)
        return;
    std::vector<const char*> strings;
    std::map<std::string, std::uint32_t> indices{{"", 0}};
    const auto index = [&](const std::string& string) {
        const auto [it, added] = indices.emplace(string, static_cast<std::uint32_t>(indices.size()));
        if (added)
            strings.push_back(it->first.c_str());
        return it->second;
    };
    std::vector<apertune_trace_event> events;
    std::map<std::uint32_t, std::uint64_t> taken;
    std::uint64_t lost = profile.lost;
    if (options.record & APERTUNE_TRACE_OPERATORS)
        for (const NodeRun& node : profile.nodes) {
            // The interface states the limit for each thread.
            if (options.max_events > 0 && taken[node.thread]++ >= options.max_events) {
                ++lost;
                continue;
            }
            // A node on another provider is a fallback to the CPU, which is why a reader looks at the trace.
            const bool elsewhere = !node.provider.empty() && node.provider != provider;
            const std::uint32_t name = index(elsewhere ? node.op + " on " + node.provider : node.op);
            const std::uint32_t shapes = options.record & APERTUNE_TRACE_SHAPES ? index(node.shapes) : 0;
            events.push_back(
                {node.start, node.duration, -1, 0, APERTUNE_TRACE_OPERATOR, node.thread, name, shapes, 0, -1});
        }
    const apertune_trace_batch batch{sizeof batch,  1,   strings.size(), strings.data(), events.size(),
                                     events.data(), lost};
    sink(user, &batch);
}

} // namespace apertune::ort
