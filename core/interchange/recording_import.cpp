// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/recording_import.h"

#include "core/interchange/chrome/kineto_import.h"
#include "core/interchange/errors.h"
#include "core/interchange/nsys/nsys_import.h"
#include "core/interchange/rocprof/rocprof_json.h"
#include "core/trace/trace_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace apertune::interchange {

namespace {

bool looksLikeTraceFile(const std::filesystem::path& file)
{
    constexpr std::string_view kBegin = "APTNTRC"; // the version follows
    std::array<char, kBegin.size()> head{};
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), head.size());
    return in && std::string_view(head.data(), head.size()) == kBegin;
}

/// Recognizes files that recorders write for their own programs, by their ending. The error says what the file is and
/// how to get one that can be read.
std::optional<base::Error> foreignFormat(const std::filesystem::path& file)
{
    std::string ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::string name = file.filename().string();
    base::Error error{base::ErrorCode::unsupported, {}, file.string()};
    if (ending == ".nsys-rep" || ending == ".qdrep") {
        error.message = base::message<errors::kNsightReport>();
        error.hint = base::message<errors::kExportWithNsys>(name);
    } else if (ending == ".ncu-rep") {
        error.message = base::message<errors::kComputeReport>();
        error.hint = base::message<errors::kRecordWithNsys>();
    } else if (ending == ".pftrace" || ending == ".perfetto-trace") {
        error.message = base::message<errors::kPerfettoTrace>();
        error.hint = base::message<errors::kConvertTrace>(name);
    } else {
        return std::nullopt;
    }
    return error;
}

} // namespace

base::Result<trace::Trace> importRecording(const std::filesystem::path& file, const trace::ImportOptions& options)
{
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) {
        if (looksLikeSqlite(file))
            return importNsys(file, options);
        if (looksLikeTraceFile(file))
            return trace::readTraceFile(file);
        if (looksLikeRocprofJson(file))
            return importRocprofJson(file, options);
    }
    auto trace = importKineto(file, options);
    if (!trace && trace.error().code == base::ErrorCode::corrupt)
        if (auto foreign = foreignFormat(file))
            return std::move(*foreign);
    return trace;
}

} // namespace apertune::interchange
