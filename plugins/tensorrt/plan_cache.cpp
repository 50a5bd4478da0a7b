// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/tensorrt/plan_cache.h"

#include "plugins/support/backend.h"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <utility>

namespace apertune::tensorrt {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

/// FNV-1a from two starting points. It distinguishes the files of a cache, but does not resist a deliberate collision.
class Digest
{
public:
    void add(const char* data, std::size_t size)
    {
        constexpr std::uint64_t kPrime = 1099511628211ULL; // FNV's prime for 64 bits
        // FNV-1a, twice with different starting values: 128 bits are enough for names of files, and nobody has to be
        // kept from forging them.
        for (std::size_t i = 0; i < size; ++i) {
            const auto byte = static_cast<unsigned char>(data[i]);
            m_first = (m_first ^ byte) * kPrime;
            m_second = (m_second ^ byte) * kPrime;
        }
    }

    std::string text() const
    {
        std::array<char, 33> digits{};
        std::snprintf(digits.data(), digits.size(), "%016llx%016llx", static_cast<unsigned long long>(m_first),
                      static_cast<unsigned long long>(m_second));
        return digits.data();
    }

private:
    std::uint64_t m_first = 14695981039346656037ULL;
    std::uint64_t m_second = 0x9E3779B97F4A7C15ULL;
};

std::string digestOf(const std::string& text)
{
    Digest digest;
    digest.add(text.data(), text.size());
    return digest.text();
}

std::string textOf(const ordered_json& json)
{
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json toJson(const PlanRecord& record)
{
    return {{"build_s", record.buildSeconds},         {"builder_level", record.builderLevel},
            {"network_layers", record.networkLayers}, {"workspace", record.workspace},
            {"timings_taken", record.timingsTaken},   {"timings_kept", record.timingsKept}};
}

PlanRecord recordOf(const ordered_json& json)
{
    PlanRecord record;
    record.buildSeconds = json.at("build_s").get<double>();
    record.builderLevel = json.at("builder_level").get<int>();
    record.networkLayers = json.at("network_layers").get<int>();
    record.workspace = json.at("workspace").get<std::size_t>();
    record.timingsTaken = json.at("timings_taken").get<std::size_t>();
    record.timingsKept = json.at("timings_kept").get<std::size_t>();
    return record;
}

} // namespace

std::optional<std::vector<char>> readWhole(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary | std::ios::ate);
    if (!stream)
        return std::nullopt;
    std::vector<char> bytes(static_cast<std::size_t>(stream.tellg()));
    stream.seekg(0);
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return stream ? std::optional(std::move(bytes)) : std::nullopt;
}

bool writeWhole(const fs::path& file, const void* data, std::size_t bytes)
{
    std::error_code code;
    fs::create_directories(file.parent_path(), code);
    // Each process writes a file of its own. The rename makes it visible at once and as a whole.
    const fs::path partial = file.string() + ".partial-" + std::to_string(::getpid());
    {
        std::ofstream stream(partial, std::ios::binary | std::ios::trunc);
        stream.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
        stream.flush();
        if (!stream)
            code = std::make_error_code(std::errc::io_error);
    }
    if (!code)
        fs::rename(partial, file, code);
    if (!code)
        return true;
    fs::remove(partial, code);
    return false;
}

std::string fingerprint(const fs::path& file)
{
    Digest digest;
    // Large models keep their weights beside the file, in FILE.data.
    for (const fs::path& part : {file, fs::path(file.string() + ".data")}) {
        // Read in pieces, because a model may be larger than the memory that is free.
        std::ifstream stream(part, std::ios::binary);
        if (!stream && part == file)
            throw plugins::Fault(APERTUNE_BAD_INPUT, "The ONNX file " + file.string() + " cannot be read.",
                                 "Import the model again.");
        std::vector<char> buffer(std::size_t{1} << 20);
        while (stream) {
            stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
            digest.add(buffer.data(), static_cast<std::size_t>(stream.gcount()));
        }
    }
    return digest.text();
}

fs::path timingCacheFile(const std::string& device, const std::string& version)
{
    return plugins::cacheFolder("tensorrt") / ("timings-" + digestOf(device + "\n" + version) + ".cache");
}

PlanCache::PlanCache(ordered_json key) : m_key(std::move(key)), m_name(digestOf(textOf(m_key)))
{
}

fs::path PlanCache::file(const char* ending) const
{
    return plugins::cacheFolder("tensorrt") / (m_name + ending);
}

std::optional<CachedPlan> PlanCache::read() const
{
    // The plan without its record, or the other way round, is what a process that died between two writes leaves.
    const auto text = readWhole(file(".json"));
    auto plan = readWhole(file(".plan"));
    if (!text || !plan)
        return std::nullopt;
    try {
        const auto json = ordered_json::parse(text->begin(), text->end());
        Digest digest;
        digest.add(plan->data(), plan->size());
        // The whole key is compared, because two keys could have the same digest in their name.
        if (json.at("key") != m_key || json.at("digest") != digest.text())
            return std::nullopt;
        return CachedPlan{std::move(*plan), recordOf(json.at("record"))};
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void PlanCache::write(const void* plan, std::size_t bytes, const PlanRecord& record) const
{
    Digest digest;
    digest.add(static_cast<const char*>(plan), bytes);
    const std::string text = textOf({{"key", m_key}, {"digest", digest.text()}, {"record", toJson(record)}});
    // The description is written last: a plan without it, or with another one, counts as missing.
    if (writeWhole(file(".plan"), plan, bytes))
        writeWhole(file(".json"), text.data(), text.size());
}

void PlanCache::remove() const
{
    std::error_code ignored;
    fs::remove(file(".json"), ignored);
    fs::remove(file(".plan"), ignored);
}

} // namespace apertune::tensorrt
