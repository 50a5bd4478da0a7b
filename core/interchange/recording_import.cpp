// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/recording_import.h"

#include "core/interchange/chrome/kineto_import.h"
#include "core/interchange/nsys/nsys_import.h"
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
    struct Format
    {
        std::string_view ending;
        const char* what;
        std::string_view remedy; ///< $ stands for the file
    };
    static constexpr Format kFormats[] = {
        {".nsys-rep", "a report that only Nsight Systems reads", "Export it: nsys export --type sqlite $"},
        {".qdrep", "a report that only Nsight Systems reads", "Export it: nsys export --type sqlite $"},
        {".ncu-rep", "a report of Nsight Compute, which has no timeline",
         "Record one: nsys profile PROGRAM, then nsys export --type sqlite"},
        {".pftrace", "a trace in Perfetto's own format", "Convert it: traceconv json $ trace.json"},
        {".perfetto-trace", "a trace in Perfetto's own format", "Convert it: traceconv json $ trace.json"},
    };
    std::string ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto format =
        std::find_if(std::begin(kFormats), std::end(kFormats), [&](const Format& f) { return f.ending == ending; });
    if (format == std::end(kFormats))
        return std::nullopt;
    std::string remedy(format->remedy);
    if (const auto at = remedy.find('$'); at != std::string::npos)
        remedy.replace(at, 1, file.filename().string());
    return base::Error{base::ErrorCode::unsupported, std::string("The file is ") + format->what + ".", file.string(),
                       remedy};
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
    }
    auto trace = importKineto(file, options);
    if (!trace && trace.error().code == base::ErrorCode::corrupt)
        if (auto foreign = foreignFormat(file))
            return std::move(*foreign);
    return trace;
}

} // namespace apertune::interchange
