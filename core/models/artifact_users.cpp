// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/artifact_users.h"

#include "core/base/errors.h"
#include "core/base/files.h"
#include "core/base/json_members.h"
#include "core/model/model_manifest.h"
#include "core/models/errors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
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
    // A path that cannot be resolved, such as one on a drive that is away, is compared by its text.
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
    // A missing list means that nobody recorded a use, which is not the same as no user.
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

/// The size of a file, or of all files in a folder.
base::Bytes sizeOf(const fs::path& folder)
{
    base::Bytes size{};
    std::error_code code;
    if (const auto bytes = fs::file_size(folder, code); !code)
        return {static_cast<std::int64_t>(bytes)};
    // The failed call for a folder left its error in `code`.
    code.clear();
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

/// The references to an artifact in a workspace: names of models and ids of studies.
struct Referrers
{
    std::vector<std::string> models{};
    std::vector<std::string> studies{};
};
using Artifacts = std::map<fs::path, Referrers>;

/// The artifacts that the models and studies of a workspace refer to.
base::Result<Artifacts> artifactsOf(const store::Store& store)
{
    Artifacts artifacts;
    const auto models = store.models();
    if (!models)
        return models.error();
    for (const model::ModelRef& model : *models)
        artifacts[resolvedPath(model.artifact)].models.push_back(model.name);
    const auto studies = store.studies();
    if (!studies)
        return studies.error();
    for (const store::StudySummary& summary : *studies) {
        const auto study = store.study(summary.id);
        if (!study)
            return study.error();
        artifacts[resolvedPath(study->model.artifact)].studies.push_back("s" + std::to_string(summary.id.value));
    }
    return artifacts;
}

/// The artifacts that other workspaces refer to. Each workspace is opened once.
class OtherWorkspaces
{
public:
    /// Returns whether the workspace may refer to the artifact: it does, or it cannot be read.
    bool mayUse(const std::string& workspace, const fs::path& artifact)
    {
        auto known = m_artifacts.find(workspace);
        if (known == m_artifacts.end()) {
            const auto store = store::Store::open(workspace, store::OpenMode::readOnly);
            known = m_artifacts.emplace(workspace, store ? artifactsOf(*store) : base::Result<Artifacts>(store.error()))
                        .first;
        }
        // A workspace that cannot be read might use the artifact, so it counts as a user.
        return !known->second || known->second->contains(artifact);
    }

private:
    std::map<std::string, base::Result<Artifacts>> m_artifacts;
};

/// The content hash that a description beside a made file names; empty without one.
std::string contentHashIn(const fs::path& description)
{
    const auto text = base::readFile(description);
    const base::Json json = text ? base::Json::parse(*text, nullptr, false) : base::Json();
    return json.is_object() ? base::textMember(json, "content_hash") : std::string();
}

std::vector<fs::path> entriesOf(const fs::path& folder, std::error_code& code)
{
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
        entries.push_back(it->path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

/// Removes a file or folder and returns its size; 0 when it could not be removed.
base::Bytes removeWhole(const fs::path& path)
{
    const base::Bytes size = sizeOf(path);
    std::error_code code;
    return fs::remove_all(path, code) > 0 && !code ? size : base::Bytes{};
}

/// Longer than an import takes from writing the artifact to recording it.
constexpr std::chrono::minutes kRecent{10};

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
    // A line more for each use would let the list grow for ever.
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
    // A folder that the user named is the user's own and is never deleted.
    if (!isImported(artifact))
        return ArtifactRemoval{Kept::foreign};
    ArtifactRemoval removal;
    const auto used = artifactsOf(store);
    if (!used)
        return used.error();
    // The own workspace decides first; the list of others is read only when it does not use the model.
    if (const auto found = used->find(resolvedPath(artifact)); found != used->end()) {
        const auto& [models, studies] = found->second;
        removal.kept = models.empty() ? Kept::studies : Kept::models;
        removal.users = models.empty() ? studies : models;
        return removal;
    }
    const auto users = usersOf(artifact);
    const std::string self = resolvedPath(store.file()).string();
    // Without a list, older workspaces may use the artifact.
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
        // This workspace leaves the list; the others stay.
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
    // The list goes after the artifact: an artifact without a list would count as used by nobody known.
    fs::remove(listOf(artifact), code);
    removal.freed = size;
    return removal;
}

base::Bytes removeMadeFiles(const std::string& contentHash)
{
    base::Bytes freed{};
    std::error_code ignored; // a folder that is not there holds nothing
    // Another artifact of the same content uses the same made files.
    for (const fs::path& artifact : entriesOf(modelsDir(), ignored))
        if (const auto manifest = model::readManifest(artifact); manifest && manifest->contentHash == contentHash)
            return freed;
    if (contentHash.empty())
        // An empty hash would match files that name none.
        return freed;
    ignored.clear();
    for (const fs::path& file : entriesOf(base::userCacheDir() / "packages", ignored))
        if (file.extension() == ".json" && contentHashIn(file) == contentHash) {
            freed.count += removeWhole(fs::path(file).replace_extension()).count;
            freed.count += removeWhole(file).count;
        }
    for (const fs::path& folder : entriesOf(base::userCacheDir() / "formats", ignored))
        if (contentHashIn(folder / "format.json") == contentHash)
            freed.count += removeWhole(folder).count;
    return freed;
}

base::Result<std::vector<LeftArtifact>> removeUnusedArtifacts(const store::Store& store, fs::file_time_type now)
{
    const auto used = artifactsOf(store);
    if (!used)
        return used.error();
    std::error_code code;
    const std::vector<fs::path> folders =
        fs::exists(modelsDir(), code) ? entriesOf(modelsDir(), code) : std::vector<fs::path>{};
    if (code)
        return base::Error{base::ErrorCode::io, base::message<errors::kFolderUnreadable>(code.message()),
                           modelsDir().string(), base::message<base::errors::kCheckPermissions>()};
    const std::string self = resolvedPath(store.file()).string();
    OtherWorkspaces others;
    std::vector<LeftArtifact> left;
    for (const fs::path& folder : folders) {
        const fs::path artifact = resolvedPath(folder);
        const auto manifest = model::readManifest(artifact);
        // A folder without a manifest is none of this program's, or an import that is under way.
        if (!manifest || !isImported(artifact) || used->contains(artifact))
            continue;
        LeftArtifact found{artifact, sizeOf(artifact), {}};
        ArtifactRemoval& removal = found.removal;
        const auto users = usersOf(artifact);
        const auto written = fs::last_write_time(artifact / "manifest.json", code);
        // A fresh artifact may belong to an import that has not recorded it yet.
        if (code || now - written < kRecent) {
            removal.kept = Kept::recent;
        } else if (!users || users->contains(kUnknown)) {
            removal.kept = Kept::unknownUsers;
        } else {
            for (const std::string& user : othersOf(*users, self))
                if (others.mayUse(user, artifact))
                    removal.users.push_back(user);
            removal.kept = removal.users.empty() ? Kept::no : Kept::otherWorkspaces;
        }
        if (removal.kept == Kept::no) {
            fs::remove_all(artifact, code);
            if (code) {
                removal = {Kept::error, {code.message()}};
            } else {
                fs::remove(listOf(artifact), code);
                removal.freed.count = found.size.count + removeMadeFiles(manifest->contentHash).count;
            }
        }
        left.push_back(std::move(found));
    }
    return left;
}

} // namespace apertune::models
