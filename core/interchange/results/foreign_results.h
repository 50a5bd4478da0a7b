// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/results/foreign_result.h"

#include <filesystem>
#include <string_view>

namespace apertune::interchange {

/// Reads the results of another measuring program, by the file's content. It knows:
///  - trtexec: --exportTimes (JSON, every pass) and its log (summary);
///  - benchmark_app: benchmark_report as JSON and CSV;
///  - NVBench: JSON;
///  - perf_analyzer: CSV of -f; genai-perf and aiperf: JSON;
///  - the log of onnxruntime_perf_test;
///  - hyperfine: --export-json (every run);
///  - a measuring kit of Apertune: trials.json (every block).
///
/// A result without any time is left out, unless its run failed.
///
/// Failures: corrupt (none of these, with what was recognised; no result has a time; a number with a comma, which may
/// stand before decimals or between thousands; a member of a kit's trials is damaged), those of
/// files::ByteSource::open() and files::readAll().
base::Result<ForeignResults> readForeignResults(const std::filesystem::path& file);

/// The same for the text of a file. Pure.
base::Result<ForeignResults> parseForeignResults(std::string_view text);

} // namespace apertune::interchange
