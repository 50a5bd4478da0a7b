// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/making_folder.h"

#include "core/base/contained_path.h"
#include "core/base/errors.h"
#include "core/models/errors.h"
#include "core/probe/system_files.h"

#include <unistd.h>

#include <atomic>
#include <utility>
#include <vector>

namespace apertune::models {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

namespace {

constexpr std::string_view kPrefix = ".importing-";

void removeAbandoned(const fs::path& among)
{
    std::vector<fs::path> abandoned;
    std::error_code code;
    for (fs::directory_iterator it(among, code), end; !code && it != end; it.increment(code)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(kPrefix))
            continue;
        // The number after the prefix is the process that made the folder.
        const auto pid = probe::parseInteger(std::string_view(name).substr(kPrefix.size()));
        if (pid && !probe::isRunning(static_cast<int>(*pid)))
            abandoned.push_back(it->path());
    }
    // The folders are collected first, because removing while iterating may skip entries.
    for (const fs::path& path : abandoned)
        fs::remove_all(path, code);
}

} // namespace

base::Result<MakingFolder> MakingFolder::create(const fs::path& beside)
{
    static std::atomic<int> s_count{0};
    removeAbandoned(beside);
    // Several imports of one process need folders of their own.
    MakingFolder folder(beside / (std::string(kPrefix) + std::to_string(::getpid()) + "-" + std::to_string(++s_count)));
    std::error_code code;
    fs::create_directories(folder.path(), code);
    if (code)
        return Error{ErrorCode::io,
                     base::message<base::errors::kCannotCreate>(folder.path().string(), code.message()),
                     {},
                     base::message<base::errors::kCheckSpace>()};
    return folder;
}

MakingFolder::MakingFolder(MakingFolder&& other) noexcept : m_path(std::exchange(other.m_path, {}))
{
}

MakingFolder::~MakingFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
}

base::Status MakingFolder::moveOut(const std::string& name, const fs::path& to) const
{
    // Later readers of the file have more rights than the exporter had.
    std::error_code code;
    if (auto within = base::requireWithin(m_path, m_path / name); !within)
        return within;
    // The exporter ran foreign code, which may have left links to the user's files.
    for (fs::recursive_directory_iterator it(m_path / name, code), end; !code && it != end; it.increment(code))
        if (auto within = base::requireWithin(m_path / name, it->path()); !within)
            return within;
    code.clear();
    // A rename replaces no folder that has content, so the old one is moved away first.
    const fs::path old = m_path / "replaced";
    if (fs::exists(to, code))
        fs::rename(to, old, code);
    if (!code)
        fs::rename(m_path / name, to, code);
    if (code)
        return Error{ErrorCode::io,
                     base::message<errors::kCannotPut>(to.string(), code.message()),
                     {},
                     base::message<base::errors::kCheckSpace>()};
    fs::remove_all(old, code);
    return {};
}

} // namespace apertune::models
