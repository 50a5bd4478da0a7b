// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::interchange {

/// One result that another tool measured. What the file does not tell is empty. Times are nanoseconds of a pass.
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
    std::optional<double> perSecond{};  ///< passes or samples a second, as the tool counts them
    std::optional<double> load{}, first{};
    std::vector<std::pair<std::string, std::string>> settings{}; ///< further facts in the words of the tool
};

/// The results of one file.
struct ForeignResults
{
    std::string tool;    ///< "trtexec", "benchmark_app", "nvbench", "perf_analyzer", "genai-perf", "hyperfine", …
    std::string version; ///< version of the tool or its library; empty: unknown
    std::vector<ForeignResult> results;
};

/// Reads the results of another measuring program, by the file's content. It knows:
///  - trtexec: --exportTimes (JSON, every pass) and its log (summary);
///  - benchmark_app: benchmark_report as JSON and CSV;
///  - NVBench: JSON;
///  - perf_analyzer: CSV of -f; genai-perf and aiperf: JSON;
///  - the log of onnxruntime_perf_test;
///  - hyperfine: --export-json (every run).
/// A result without any time is left out.
///
/// Failures: corrupt (none of these, or no result has a time; the hint names the tools), those of
/// files::ByteSource::open() and files::readAll().
base::Result<ForeignResults> readForeignResults(const std::filesystem::path& file);

/// The same for the text of a file. Pure.
base::Result<ForeignResults> parseForeignResults(std::string_view text);

} // namespace apertune::interchange
