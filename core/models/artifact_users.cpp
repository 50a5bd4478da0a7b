// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/artifact_users.h"

#include "core/base/errors.h"
#include "core/base/files.h"
#include "core/models/errors.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace apertune::models {

namespace fs = std::filesystem;
using Kept = ArtifactRemoval::Kept;

namespace {

constexpr const char* kUnknown = "?"; ///< the line for users from before users were recorded

fs::path listOf(const fs::path& artifact)
{
    return base::userDataDir() / "model-users" / artifact.filename();
}

fs::path resolvedPath(const fs::path& path)
{
    std::error_code code;
    const fs::path found = fs::weakly_canonical(path, code);
    return code ? path.lexically_normal() : found;
}

bool isImported(const fs::path& artifact)
{
    return resolvedPath(artifact).parent_path() == resolvedPath(modelsDir());
}

/// Returns nothing when there is no list.
std::optional<std::set<std::string>> usersOf(const fs::path& artifact)
{
    const auto text = base::readFile(listOf(artifact));
    if (!text)
        return std::nullopt;
    std::set<std::string> users;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty())
            users.insert(line);
    return users;
}

base::Bytes sizeOf(const fs::path& folder)
{
    base::Bytes size{};
    std::error_code code;
    for (fs::recursive_directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        std::error_code ignored;
        if (const auto bytes = fs::file_size(it->path(), ignored); it->is_regular_file(ignored) && !ignored)
            size.count += static_cast<std::int64_t>(bytes);
    }
    return size;
}

/// The other workspaces of the list that still exist. One that was moved records itself again when it is used.
std::vector<std::string> othersOf(const std::set<std::string>& users, const std::string& workspace)
{
    std::vector<std::string> others;
    std::error_code ignored;
    for (const std::string& user : users)
        if (user != workspace && user != kUnknown && fs::exists(user, ignored))
            others.push_back(user);
    return others;
}

} // namespace

fs::path modelsDir()
{
    return base::userDataDir() / "models";
}

base::Status noteArtifactUser(const fs::path& artifact, const fs::path& workspace, bool wasThere)
{
    if (!isImported(artifact))
        return {};
    const std::string user = resolvedPath(workspace).string();
    const auto known = usersOf(artifact);
    if (known && known->contains(user))
        return {};
    std::error_code ignored; // the write below reports the failure
    fs::create_directories(listOf(artifact).parent_path(), ignored);
    // One write in append mode, so that the lines of two processes do not overwrite each other.
    std::ofstream list(listOf(artifact), std::ios::app);
    list << (wasThere && !known ? std::string(kUnknown) + '\n' : std::string()) + user + '\n' << std::flush;
    if (list)
        return {};
    return base::Error{base::ErrorCode::io,
                       base::message<errors::kUsersNotNoted>(listOf(artifact).string()),
                       {},
                       base::message<base::errors::kCheckSpace>()};
}

base::Result<ArtifactRemoval> removeUnusedArtifact(const store::Store& store, const model::ModelRef& model)
{
    const fs::path& artifact = model.artifact;
    if (!isImported(artifact))
        return ArtifactRemoval{Kept::foreign};
    ArtifactRemoval removal;
    const auto models = store.models();
    if (!models)
        return models.error();
    for (const model::ModelRef& other : *models)
        if (other.artifact == artifact)
            removal.users.push_back(other.name);
    if (!removal.users.empty()) {
        removal.kept = Kept::models;
        return removal;
    }
    const auto studies = store.studies();
    if (!studies)
        return studies.error();
    for (const store::StudySummary& summary : *studies) {
        const auto study = store.study(summary.id);
        if (!study)
            return study.error();
        if (study->model.artifact == artifact)
            removal.users.push_back("s" + std::to_string(summary.id.value));
    }
    if (!removal.users.empty()) {
        removal.kept = Kept::studies;
        return removal;
    }
    const auto users = usersOf(artifact);
    const std::string self = resolvedPath(store.file()).string();
    if (!users || users->contains(kUnknown)) {
        std::error_code ignored;
        removal.kept = fs::exists(artifact, ignored) ? Kept::unknownUsers : Kept::no;
        return removal;
    }
    removal.users = othersOf(*users, self);
    if (!removal.users.empty()) {
        std::string rest;
        for (const std::string& user : removal.users)
            rest += user + '\n';
        if (const auto written = base::writeFileAtomically(listOf(artifact), rest); !written)
            return written.error();
        removal.kept = Kept::otherWorkspaces;
        return removal;
    }
    const base::Bytes size = sizeOf(artifact);
    std::error_code code;
    fs::remove_all(artifact, code);
    if (code)
        return ArtifactRemoval{Kept::error, {code.message()}};
    fs::remove(listOf(artifact), code);
    removal.freed = size;
    return removal;
}

} // namespace apertune::models
