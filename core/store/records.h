// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/study.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace apertune::store {

// The values that a Store keeps besides those of core/model.

/// A row of the list of studies.
struct StudySummary
{
    model::StudyId id{};
    std::string uuid;
    std::string name;
    std::string modelName;
    model::StudyState state = model::StudyState::finished;
    model::StudyPurpose purpose = model::StudyPurpose::tuning;
    std::string createdUtc;
    int trials = 0;
    int ok = 0;
    int failed = 0;
    int remaining = 0;    ///< trials that are not in a final state
    bool damaged = false; ///< state or purpose of the study cannot be read, so it is shown as interrupted and imported
};

/// A compiled package or another artifact that is kept by its content hash.
struct Artifact
{
    std::string key;  ///< content hash of all inputs
    std::string kind; ///< "aoti"
    std::filesystem::path path;
    base::Nanoseconds compile{}; ///< time that compilation took
    base::Bytes size{};
    std::string error; ///< reason of a compilation that failed for good; path is then empty
};

/// Noise-floor measurements of one protocol: ratios from comparisons of a configuration with itself.
struct Noise
{
    std::string machine;       ///< model::machineKey()
    std::string protocol;      ///< model::protocolOf()
    std::string configuration; ///< the configuration that the newest ratio was measured with
    std::vector<double> ratios;
    std::string measuredUtc{}; ///< time of the newest ratio; empty: now
};

/// A result that is kept beside a trial's measurement.
struct Document
{
    std::int64_t id = 0;
    std::string kind; ///< a scenario's is "server", "camera", …; an evaluation's is "accuracy" or "sensitivity"
    std::string createdUtc;
    std::string document; ///< JSON
};
/// A run of a trial under load.
using Scenario = Document;
/// An evaluation of a trial's answers.
using Evaluation = Document;

/// A run of a trial from image to answer.
struct Pipeline
{
    std::int64_t id = 0;
    std::string createdUtc;
    std::string document; ///< JSON
};

/// The outcome of Store::salvage().
struct Salvage
{
    std::int64_t rows = 0;                  ///< rows in the new file
    std::int64_t dropped = 0;               ///< readable rows left out because rows that they need were lost
    std::int64_t placeholders = 0;          ///< rows and columns that stand for what was lost
    std::vector<std::string> damagedTables; ///< tables with a damaged part; some of their rows may be missing
};

} // namespace apertune::store
