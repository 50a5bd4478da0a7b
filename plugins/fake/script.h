// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fake {

/// The members of a configuration by which a script can distinguish configurations.
struct Configuration
{
    std::string device;
    std::string level;
    std::string precision;
    std::int64_t batch = 1;
    int threads = 0;
    std::set<std::string> switches{}; ///< the switches that are on
    std::size_t floatLayers = 0;      ///< number of layers that an int8 model keeps in float
};

/// Picks configurations: members that are present must be equal.
struct Match
{
    std::optional<std::string> device{}, level{}, precision{};
    std::optional<std::int64_t> batch{}, minBatch{};
    bool holds(const Configuration& configuration) const;
};

/// A fault that strikes the n-th time that a session reaches the place `at`.
struct Fault
{
    std::string at;  ///< "open", "run", "synchronize", "finalize", "outputs", "report", "close",
                     ///< "trace_start", "trace_stop"
    std::int64_t n;  ///< counted from 1
    std::string act; ///< see fake.md
    Match when;
    std::filesystem::path once; ///< the fault strikes only while this file is missing, and creates it; empty: always
};

/// One operator of a pass, as a recording shows it.
struct Operator
{
    std::string name;
    std::string shapes;
    double share = 1;       ///< part of the pass, relative to the other operators
    std::int64_t bytes = 0; ///< allocated when it begins, released when it ends
};

/// The contents of DIR/fake.json for one configuration. fake.md documents the file.
struct Script
{
    double latencyNs = 300e3;
    double noise = 0.01; ///< spread of a pass, relative to latencyNs
    enum class Wait { sleep, spin, work };
    Wait wait = Wait::sleep;
    double processNoise = 0; ///< relative spread of a factor that is drawn once a session; with it or slowNoise,
                             ///< sessions draw differently
    double slowNoise = 0;    ///< relative spread of a factor that wanders over some hundred passes
    double loadNs = 1e6;
    std::int64_t memory = 0;      ///< bytes that the configuration needs
    std::int64_t memoryLimit = 0; ///< bytes; 0: no limit
    double error = 0;             ///< relative error of the outputs
    std::int64_t classes = 10;
    std::int64_t samples = 8; ///< number of reference samples to rotate
    bool detections = false;  ///< the model has an output whose shape depends on the precision
    bool unpacks = false;     ///< opening loads a library from a new folder under /tmp, like a compiled package
    /// File with a factor of the latency that is read before each pass: the speed of the machine as a whole. Empty, or
    /// without the file: 1.
    std::filesystem::path slowdown;
    /// File that a pass locks, so that passes of all workers follow each other, like devices that share one bus. Empty:
    /// no lock.
    std::filesystem::path exclusive;
    std::set<std::string> ignores; ///< switches that stay without effect when they are on
    std::vector<Fault> faults;
    std::vector<Operator> operators;
};

/// Reads DIR/fake.json. Throws std::exception when the file is missing or wrong.
Script readScript(const std::filesystem::path& artifact, const Configuration& configuration);

} // namespace fake
