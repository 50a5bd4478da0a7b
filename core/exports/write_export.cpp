// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/write_export.h"

#include "core/base/errors.h"
#include "core/base/files.h"
#include "core/exports/errors.h"
#include "core/exports/export_manifest.h"

#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace apertune::exports {

namespace fs = std::filesystem;

using base::Error;
using base::ErrorCode;

namespace {

/// A folder beside the target. It is removed unless it became the target.
class Partial
{
public:
    explicit Partial(fs::path path) : m_path(std::move(path)) {}
    ~Partial()
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    Partial(const Partial&) = delete;
    Partial& operator=(const Partial&) = delete;
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

Error ioError(const fs::path& path, const std::error_code& code)
{
    return {ErrorCode::io,
            base::message<base::errors::kCannotWrite>(path.string(), code.message()),
            {},
            base::message<errors::kCheckSpaceOrOther>()};
}

base::Status checkTarget(const fs::path& dir, bool overwrite)
{
    std::error_code code;
    const auto status = fs::status(dir, code);
    if (status.type() == fs::file_type::not_found)
        return {};
    if (status.type() != fs::file_type::directory)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoFolder>(dir.string()),
                     {},
                     base::message<errors::kOtherFolder>()};
    if (!overwrite && !fs::is_empty(dir, code))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNotEmpty>(dir.string()),
                     {},
                     base::message<errors::kOtherOrForce>()};
    return {};
}

base::Status writeFiles(const std::vector<ExportFile>& files, const fs::path& folder)
{
    std::error_code code;
    for (const ExportFile& file : files) {
        const fs::path target = folder / file.path;
        fs::create_directories(target.parent_path(), code);
        if (code)
            return ioError(target.parent_path(), code);
        if (file.copyFrom.empty()) {
            if (const auto written = base::writeFileAtomically(target, file.content); !written)
                return written;
            continue;
        }
        fs::copy_file(file.copyFrom, target, code);
        if (code)
            return ioError(target, code);
    }
    return {};
}

/// Removes files that a run of the program left beside the export's files, such as an engine's cache.
void removeOthers(const std::vector<ExportFile>& files, const fs::path& folder)
{
    std::error_code ignored;
    std::vector<fs::path> others;
    for (fs::recursive_directory_iterator it(folder, ignored), end; it != end; it.increment(ignored)) {
        const fs::path inside = it->path().lexically_relative(folder);
        const bool kept = std::any_of(files.begin(), files.end(), [&](const ExportFile& file) {
            const fs::path planned = file.path.lexically_normal();
            return std::mismatch(inside.begin(), inside.end(), planned.begin(), planned.end()).first == inside.end();
        });
        if (!kept)
            others.push_back(it->path());
    }
    for (const fs::path& path : others)
        fs::remove_all(path, ignored);
}

/// Moves the finished files into the folder. Other files in it stay.
base::Status moveInto(const std::vector<fs::path>& files, const fs::path& from, const fs::path& dir)
{
    std::error_code code;
    for (const fs::path& file : files) {
        fs::create_directories((dir / file).parent_path(), code);
        if (!code)
            fs::rename(from / file, dir / file, code);
        if (code)
            return ioError(dir / file, code);
    }
    return {};
}

} // namespace

base::Result<std::vector<fs::path>> writeExport(const std::vector<ExportFile>& files, const fs::path& dir,
                                                bool overwrite, const ExportFolderCheck& checkFolder)
{
    if (const auto possible = checkTarget(dir, overwrite); !possible)
        return possible.error();
    std::error_code code;
    fs::path target = fs::absolute(dir, code).lexically_normal();
    if (!target.has_filename())
        target = target.parent_path(); // "out/" means the folder itself
    // Written beside the target and renamed at the end, so that an interrupted export leaves no half folder. Both are
    // on one file system, where a rename copies nothing.
    const Partial partial(target.string() + ".partial-" + std::to_string(::getpid()));
    if (const auto written = writeFiles(files, partial.path()); !written)
        return written.error();
    std::vector<fs::path> names;
    for (const ExportFile& file : files)
        names.push_back(file.path);
    if (checkFolder) {
        const auto added = checkFolder(partial.path());
        if (!added)
            return added.error();
        // Before the files that the check adds are written, which would be removed, too.
        removeOthers(files, partial.path());
        if (const auto written = writeFiles(*added, partial.path()); !written)
            return written.error();
        for (const ExportFile& file : *added)
            names.push_back(file.path);
    }
    if (const auto written = writeManifest(partial.path(), names); !written)
        return written.error();
    names.emplace_back(kManifestFile);
    // A folder with other files in it cannot be replaced by a rename.
    if (fs::exists(target, code) && !fs::is_empty(target, code)) {
        if (const auto moved = moveInto(names, partial.path(), target); !moved)
            return moved.error();
        return names;
    }
    fs::remove(target, code);
    fs::rename(partial.path(), target, code);
    if (code)
        return ioError(target, code);
    return names;
}

} // namespace apertune::exports
