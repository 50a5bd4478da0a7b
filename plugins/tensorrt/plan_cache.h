// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::tensorrt {

/// What was noted while a plan was built, as the builder's own configuration read back: it comes along with a plan that
/// is loaded again.
struct PlanRecord
{
    double buildSeconds = 0;
    int builderLevel = 0;
    int networkLayers = 0;
    std::size_t workspace = 0;    ///< bytes a layer may have
    std::size_t timingsTaken = 0; ///< bytes of the timing cache that the build began with
    std::size_t timingsKept = 0;  ///< and ended with; 0: none was kept
};

struct CachedPlan
{
    std::vector<char> plan;
    PlanRecord record;
};

/// Serialized plans, and timing caches, in cacheFolder("tensorrt"). A plan is good for one model file on one kind of
/// device with one version of TensorRT and one set of options; all that decides is in its key, which is written beside
/// it. Files appear whole or not at all, so that processes may share the folder. What cannot be read or written is as
/// if it were not there: the cache only saves time.
class PlanCache
{
public:
    explicit PlanCache(nlohmann::ordered_json key);

    std::optional<CachedPlan> read() const;
    void write(const void* plan, std::size_t bytes, const PlanRecord& record) const;
    void remove() const; ///< a plan that TensorRT does not take

private:
    std::filesystem::path file(const char* ending) const;

    nlohmann::ordered_json m_key;
    std::string m_name;
};

/// 32 digits that tell one file from another, its external weights (FILE.data) included. Throws Fault BAD_INPUT.
std::string fingerprint(const std::filesystem::path& file);

/// Of a kind of device and a version of TensorRT.
std::filesystem::path timingCacheFile(const std::string& device, const std::string& version);

std::optional<std::vector<char>> readWhole(const std::filesystem::path& file);
bool writeWhole(const std::filesystem::path& file, const void* data, std::size_t bytes); ///< whole or not at all

} // namespace apertune::tensorrt
