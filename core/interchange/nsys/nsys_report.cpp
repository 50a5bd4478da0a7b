// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/nsys/nsys_report.h"

#include "core/base/run_child.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/interchange/nsys/errors.h"
#include "core/interchange/nsys/nsys_import.h"

#include <algorithm>
#include <string>

namespace apertune::interchange {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

constexpr base::Nanoseconds kLongestExport{600'000'000'000};

} // namespace

Result<trace::Trace> importNsysReport(const fs::path& file, const trace::ImportOptions& options)
{
    const auto folder = base::TemporaryDir::create("nsys");
    if (!folder)
        return folder.error();
    std::error_code ignored;
    const fs::path report = fs::absolute(file, ignored);
    const fs::path database = folder->path() / report.filename().replace_extension(".sqlite");
    const auto exported = base::runChild({"nsys", "export", "--type", "sqlite", "--force-overwrite", "true", "--output",
                                          database.string(), report.string()},
                                         kLongestExport, options.cancel);
    if (!exported && (exported.error().code == ErrorCode::notFound || exported.error().code == ErrorCode::io))
        return Error{ErrorCode::unsupported, base::message<nsys::errors::kNeedsNsys>(), file.string(),
                     base::message<nsys::errors::kInstallOrExport>(file.filename().string())};
    if (!exported)
        return exported.error();
    if (!exported->exit.clean() || !fs::is_regular_file(database, ignored)) {
        constexpr std::size_t kMost = 200;
        const std::string words =
            base::lastLine(exported->err.empty() ? exported->out : exported->err).substr(0, kMost);
        return Error{ErrorCode::corrupt,
                     base::message<nsys::errors::kExportFailed>(words.empty() ? base::describe(exported->exit) : words),
                     file.string(), base::message<nsys::errors::kNewerNsys>()};
    }
    auto trace = importNsys(database, options);
    if (trace)
        return trace;
    Error error = trace.error();
    error.context = file.string();
    return error;
}

} // namespace apertune::interchange
