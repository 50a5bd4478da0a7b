// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/artifact_check.h"

#include "core/base/hash.h"
#include "core/engine/model_sources.h"

#include <chrono>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace apertune::engine {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

/// What a manifest says of a file beside it. What it does not say is not checked.
struct ListedFile
{
    fs::path path;
    std::optional<std::uintmax_t> bytes;
    std::string sha256;
};

std::vector<ListedFile> listedFiles(const Json& manifest, const fs::path& artifact)
{
    std::vector<ListedFile> files;
    const auto add = [&](const Json& described, const char* member) {
        const auto path = described.find(member);
        if (!described.is_object() || path == described.end() || !path->is_string())
            return;
        ListedFile file{artifact / path->get<std::string>(), {}, {}};
        if (const auto bytes = described.find("bytes"); bytes != described.end() && bytes->is_number_unsigned())
            file.bytes = bytes->get<std::uintmax_t>();
        if (const auto hash = described.find("sha256"); hash != described.end() && hash->is_string())
            file.sha256 = hash->get<std::string>();
        files.push_back(std::move(file));
    };
    const auto part = [&](const char* name) { return manifest.is_object() ? manifest.value(name, Json()) : Json(); };
    const Json formats = part("files");
    for (const auto& [format, described] : formats.items()) {
        add(described, "path");
        if (const auto beside = described.find("beside"); described.is_object() && beside != described.end())
            for (const Json& other : *beside)
                add(other, "path");
    }
    const Json inputs = part("inputs");
    for (const Json& input : inputs)
        add(input, "file");
    return files;
}

/// The hashes of files, each read once while it does not change.
class KnownHashes
{
public:
    base::Result<std::string> of(const fs::path& file, std::uintmax_t size)
    {
        std::error_code code;
        const auto changed = fs::last_write_time(file, code);
        {
            const std::lock_guard lock(m_mutex);
            const auto known = m_known.find(file);
            if (!code && known != m_known.end() && known->second.size == size && known->second.changed == changed)
                return known->second.sha256;
        }
        auto hash = base::sha256File(file);
        // What was written a moment ago can change once more without its time telling so.
        constexpr auto kClockGrain = std::chrono::seconds(2);
        if (hash && !code && changed + kClockGrain < fs::file_time_type::clock::now()) {
            const std::lock_guard lock(m_mutex);
            m_known[file] = {size, changed, *hash};
        }
        return hash;
    }

private:
    struct Known
    {
        std::uintmax_t size = 0;
        fs::file_time_type changed;
        std::string sha256;
    };
    std::mutex m_mutex; ///< guards m_known; a leaf
    std::map<fs::path, Known> m_known;
};

enum class Missing { damage, allowed };

bool isWhole(const ListedFile& file, Missing missing)
{
    static KnownHashes s_hashes;
    if (!file.bytes && file.sha256.empty())
        return true;
    std::error_code none;
    const auto size = fs::file_size(file.path, none);
    if (none)
        return missing == Missing::allowed;
    if (file.bytes && size != *file.bytes)
        return false;
    if (file.sha256.empty())
        return true;
    const auto hash = s_hashes.of(file.path, size);
    return hash && *hash == file.sha256;
}

base::Status checkListedFiles(const Json& manifest, const fs::path& artifact, Missing missing)
{
    for (const ListedFile& file : listedFiles(manifest, artifact))
        if (!isWhole(file, missing))
            return Error{ErrorCode::corrupt, "The model's file " + file.path.filename().string() + " is damaged.",
                         file.path.string(), "Import the model again."};
    return {};
}

} // namespace

base::Status checkArtifact(const fs::path& artifact)
{
    const auto manifest = model::readManifestDocument(artifact);
    if (!manifest)
        return manifest.error();
    if (const auto model = model::modelOfManifest(*manifest, artifact); !model)
        return model.error();
    return checkListedFiles(*manifest, artifact, Missing::damage);
}

base::Status requireUndamaged(const model::ModelRef& model)
{
    std::error_code none;
    if (!fs::exists(model.artifact / "manifest.json", none))
        return {};
    const auto manifest = model::readManifestDocument(model.artifact);
    const auto whole =
        manifest ? checkListedFiles(*manifest, model.artifact, Missing::allowed) : base::Status(manifest.error());
    if (whole)
        return {};
    Error error = whole.error();
    error.message = "The model " + model.name + " cannot be measured: its files are damaged. " + error.message;
    error.hint = "Import it again: apertune model import " + model.source + " --name " + model.name +
                 (hasOrigin(model, model.source, {}) ? "" : " --weights FILE");
    return error;
}

} // namespace apertune::engine
