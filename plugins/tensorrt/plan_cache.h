// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::tensorrt {

/// Facts that were recorded when a plan was built, read back from the builder's configuration. They are stored with the
/// plan.
struct PlanRecord
{
    double buildSeconds = 0;
    int builderLevel = 0;
    int networkLayers = 0;
    std::size_t workspace = 0;    ///< largest workspace of a layer in bytes
    std::size_t timingsTaken = 0; ///< bytes of the timing cache at the begin of the build
    std::size_t timingsKept = 0;  ///< bytes of the timing cache after the build; 0: none was kept
};

struct CachedPlan
{
    std::vector<char> plan;
    PlanRecord record;
};

/// Serialized plans and timing caches, in cacheFolder("tensorrt"). A plan is valid for one model file on one kind of
/// device with one version of TensorRT and one set of options. All of these are in its key, which is written beside it.
/// Files appear whole or not at all, so processes may share the folder. A file that cannot be read or written counts as
/// missing: the cache only saves time.
class PlanCache
{
public:
    explicit PlanCache(nlohmann::ordered_json key);

    std::optional<CachedPlan> read() const;
    void write(const void* plan, std::size_t bytes, const PlanRecord& record) const;
    void remove() const; ///< removes a plan that TensorRT rejected

private:
    std::filesystem::path file(const char* ending) const;

    nlohmann::ordered_json m_key;
    std::string m_name;
};

/// Returns 32 hexadecimal digits that identify a file with its external weights (FILE.data). Throws Fault BAD_INPUT.
std::string fingerprint(const std::filesystem::path& file);

/// Returns the file of the timing cache for a kind of device and a version of TensorRT.
std::filesystem::path timingCacheFile(const std::string& device, const std::string& version);

std::optional<std::vector<char>> readWhole(const std::filesystem::path& file);
bool writeWhole(const std::filesystem::path& file, const void* data,
                std::size_t bytes); ///< a reader sees the whole file or none

} // namespace apertune::tensorrt
