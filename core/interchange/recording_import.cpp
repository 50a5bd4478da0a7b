// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/recording_import.h"

#include "core/base/text.h"
#include "core/interchange/chrome/kineto_import.h"
#include "core/interchange/errors.h"
#include "core/interchange/nsys/nsys_import.h"
#include "core/interchange/nsys/nsys_report.h"
#include "core/interchange/perfetto/perfetto_import.h"
#include "core/interchange/rocprof/rocpd.h"
#include "core/interchange/rocprof/rocprof_json.h"
#include "core/interchange/sqlite/foreign_database.h"
#include "core/trace/trace_file.h"

#include <array>
#include <fstream>
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

/// The ending of a file in small letters: ".nsys-rep".
std::string endingOf(const std::filesystem::path& file)
{
    return base::lower(file.extension().string());
}

} // namespace

base::Result<trace::Trace> importRecording(const std::filesystem::path& file, const trace::ImportOptions& options)
{
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) {
        if (sqlite::looksLikeSqlite(file))
            return looksLikeRocpd(file) ? importRocpd(file, options) : importNsys(file, options);
        if (looksLikeTraceFile(file))
            return trace::readTraceFile(file);
        if (looksLikeRocprofJson(file))
            return importRocprofJson(file, options);
        if (looksLikePerfetto(file))
            return importPerfetto(file, options);
    }
    auto trace = importKineto(file, options);
    if (trace || trace.error().code != base::ErrorCode::corrupt)
        return trace;
    // No reader recognized the content. The name still shows which program wrote the file.
    const std::string ending = endingOf(file);
    if (ending == ".nsys-rep" || ending == ".qdrep")
        return importNsysReport(file, options);
    if (ending == ".pftrace" || ending == ".perfetto-trace")
        return importPerfetto(file, options);
    if (ending == ".ncu-rep")
        return base::Error{base::ErrorCode::unsupported, base::message<errors::kComputeReport>(), file.string(),
                           base::message<errors::kRecordWithNsys>()};
    return trace;
}

} // namespace apertune::interchange
