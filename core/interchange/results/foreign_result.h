// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/study.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apertune::interchange {

/// One result that another tool measured. What the file does not state is empty. Times are nanoseconds of a pass.
struct ForeignResult
{
    std::string name;             ///< names the model, the command, or the benchmark with its parameters
    std::string device;           ///< the tool's name of the device
    std::string precision;        ///< the tool's name of the precision
    int batch = 0;                ///< samples of a pass; 0: unknown
    std::vector<double> passes{}; ///< single passes in order; empty where the tool tells statistics alone
    std::optional<double> median{};
    std::optional<double> mean{};
    std::optional<double> p90{}, p95{}, p99{};
    std::optional<double> deviceTime{}; ///< median on the device's own clock
    /// Samples a second, as the tool counted them. A pass of an unknown batch counts as one sample.
    std::optional<double> perSecond{};
    int concurrency = 0; ///< passes that the tool keeps in flight; 0: unknown
    std::optional<double> load{}, first{};
    std::vector<std::pair<std::string, std::string>> settings{}; ///< further facts in the words of the tool
    std::vector<base::Message> remarks{}; ///< values that contradict each other or could not be read
    base::Message failure{};              ///< why the run failed, so that its times mean nothing; empty: it did not
};

/// What a measuring kit of Apertune reports (core/exports/kit.h). Its trials hold the blocks themselves.
struct KitRun
{
    std::string platform;      ///< name of the platform: "rocm"
    std::string platformTitle; ///< "ROCm"
    std::string engine;        ///< "pytorch"
    bool standIn = false;      ///< a processor ran in place of the platform, to try the kit
    std::string manifestHash;  ///< hash of the kit's list of files
    std::string measuredUtc;
    std::string apertune;           ///< version that wrote the kit
    model::ModelRef model;          ///< name, source, task type, hash and inputs alone
    model::Environment environment; ///< one device; no host and no engines
    std::vector<model::Trial> trials;
};

/// The results of one file.
struct ForeignResults
{
    std::string tool;    ///< "trtexec", "benchmark_app", "nvbench", "perf_analyzer", "genai-perf", "hyperfine", …
    std::string version; ///< version of the tool or its library; empty: unknown
    std::vector<ForeignResult> results;
    std::size_t withoutTime = 0; ///< results that were left out because they have no time
    std::optional<KitRun> kit{}; ///< only of a measuring kit; `results` then names its trials, in their order
};

} // namespace apertune::interchange
