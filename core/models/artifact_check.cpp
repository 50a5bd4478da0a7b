// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/artifact_check.h"

#include "core/base/contained_path.h"
#include "core/base/errors.h"
#include "core/base/hash.h"
#include "core/model/model_manifest.h"
#include "core/models/archive_check.h"
#include "core/models/errors.h"
#include "core/models/file_hash.h"
#include "core/models/model_origin.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <vector>

namespace apertune::models {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

/// A manifest's facts about a file beside it. Facts that the manifest lacks are not checked.
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
        // A description of another form is left to the check of the manifest.
        if (!described.is_object() || path == described.end() || !path->is_string())
            return;
        ListedFile file{artifact / path->get<std::string>(), {}, {}};
        if (const auto bytes = described.find("bytes"); bytes != described.end() && bytes->is_number_unsigned())
            file.bytes = bytes->get<std::uintmax_t>();
        if (const auto hash = described.find("sha256"); hash != described.end() && hash->is_string())
            file.sha256 = hash->get<std::string>();
        files.push_back(std::move(file));
    };
    // A manifest from elsewhere may be anything, so members are read with a default.
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

enum class Missing { damage, allowed };

bool isWhole(const ListedFile& file, Missing missing)
{
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
    const auto hash = fileHash(file.path);
    return hash && *hash == file.sha256;
}

base::Status checkListedFiles(const Json& manifest, const fs::path& artifact, Missing missing)
{
    for (const ListedFile& file : listedFiles(manifest, artifact)) {
        // A path from the manifest must not lead to a file outside of the artifact.
        if (auto within = base::requireWithin(artifact, file.path); !within)
            return within.error();
        if (!isWhole(file, missing))
            return Error{ErrorCode::corrupt, base::message<errors::kDamagedFile>(file.path.filename().string()),
                         file.path.string(), base::message<base::errors::kImportModelAgain>()};
        if (auto safe = requireSafeArchive(file.path); !safe)
            return safe;
    }
    return {};
}

/// The hashes of all listed files by their path. Failures: notFound, io, corrupt (outside the artifact).
base::Result<std::map<fs::path, std::string>> listedHashes(const Json& manifest, const fs::path& artifact)
{
    std::map<fs::path, std::string> hashes;
    for (const ListedFile& file : listedFiles(manifest, artifact)) {
        if (auto within = base::requireWithin(artifact, file.path); !within)
            return within.error();
        const auto hash = fileHash(file.path);
        if (!hash)
            return hash.error();
        hashes[file.path] = *hash;
    }
    return hashes;
}

std::string asciiText(const Json& leaf)
{
    // ASCII only, as Python's json.dumps() writes by default.
    return leaf.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// The document as Python's json.dumps(…, sort_keys=True) writes it, because the exporter hashes that text.
std::string dumpedAsPython(const Json& json)
{
    std::string text;
    if (json.is_object()) {
        // std::map sorts the members by their bytes, which is Python's order for ASCII.
        std::map<std::string, std::string> members;
        for (const auto& [key, value] : json.items())
            members[asciiText(key)] = dumpedAsPython(value);
        for (const auto& [key, value] : members)
            text += (text.empty() ? "" : ", ") + key + ": " + value;
        return "{" + text + "}";
    }
    if (!json.is_array())
        return asciiText(json);
    for (const Json& value : json)
        text += (text.empty() ? "" : ", ") + dumpedAsPython(value);
    return "[" + text + "]";
}

/// The content hash by the exporter's rule. For TorchScript models it names the hashes of both programs; for a model in
/// an engine's format it lists the hashes of all its files. Throws Json::exception when the manifest lacks a field.
std::string contentHash(const Json& manifest, const fs::path& artifact, const std::map<fs::path, std::string>& hashes)
{
    const auto hashAt = [&](const Json& described, const char* member) {
        return Json(hashes.at(artifact / described.at(member).get<std::string>()));
    };
    Json hashed = {{"exporter", manifest.at("exporter")},
                   {"inputs", manifest.at("inputs")},
                   {"outputs", manifest.at("outputs")},
                   {"input_files", Json::array()}};
    // The hash of an input's file replaces the one in the manifest, which might be wrong.
    for (Json& input : hashed.at("inputs")) {
        hashed["input_files"].push_back(hashAt(input, "file"));
        input.erase("sha256");
    }
    const Json& files = manifest.at("files");
    if (const Json& torchscript = files.at("torchscript"); torchscript.is_object()) {
        const Json& exported = files.at("exported");
        hashed["torchscript"] = hashAt(torchscript, "path");
        hashed["exported"] = exported.is_object() ? hashAt(exported, "path") : Json();
        if (const auto other = files.find("base"); other != files.end())
            hashed["base"] = hashAt(*other, "path");
    } else {
        hashed["files"] = Json::array();
        // The order of the manifest counts.
        for (const Json& described : files) {
            if (!described.is_object())
                continue;
            hashed["files"].push_back(hashAt(described, "path"));
            for (const Json& other : described.at("beside"))
                hashed["files"].push_back(hashAt(other, "path"));
        }
    }
    return base::sha256(dumpedAsPython(hashed));
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

base::Result<std::string> artifactKey(const fs::path& artifact)
{
    auto manifest = model::readManifestDocument(artifact);
    if (!manifest)
        return manifest.error();
    if (const auto model = model::modelOfManifest(*manifest, artifact); !model)
        return model.error();
    // These members differ between two imports of the same model.
    for (const char* member : {"name", "source", "weights", "created", "notes", "content_hash"})
        manifest->erase(member);
    std::map<std::string, std::string> hashes;
    // All files count, not only the listed ones: exporters may add files that the model reads.
    std::error_code code;
    for (fs::recursive_directory_iterator it(artifact, code), end; !code && it != end; it.increment(code)) {
        const std::string name = it->path().lexically_relative(artifact).string();
        std::error_code unknown;
        if (it->is_symlink(unknown)) // Another target is another model, also within the artifact.
            hashes[name] = "link " + fs::read_symlink(it->path(), unknown).string() + " ";
        if (name == "manifest.json" || !it->is_regular_file(unknown))
            continue;
        if (auto within = base::requireWithin(artifact, it->path()); !within)
            return within.error();
        const auto hash = fileHash(it->path());
        if (!hash)
            return hash.error();
        hashes[name] += *hash;
    }
    if (code)
        return Error{ErrorCode::io, base::message<errors::kUnreadableFolder>(code.message()), artifact.string(),
                     base::message<base::errors::kCheckPermissions>()};
    const Json parts = Json::array({"artifact", *manifest, hashes});
    return base::sha256(dumpedAsPython(parts));
}

bool isContentHash(const std::string& claimed)
{
    constexpr std::size_t kDigits = 64;
    return claimed.size() == kDigits && claimed.find_first_not_of("0123456789abcdef") == std::string::npos;
}

base::Status requireContentHash(const fs::path& artifact, const std::string& claimed)
{
    const auto manifest = model::readManifestDocument(artifact);
    if (!manifest)
        return manifest.error();
    const auto hashes = listedHashes(*manifest, artifact);
    if (!hashes)
        return hashes.error();
    // at() throws for each member that is missing.
    try {
        const std::string computed = contentHash(*manifest, artifact, *hashes);
        if (computed == claimed)
            return {};
        return Error{ErrorCode::corrupt,
                     base::message<errors::kOtherContentHash>(artifact.string(), claimed, computed),
                     {},
                     base::message<errors::kImportOrGetAgain>()};
    } catch (const Json::exception& missing) {
        return Error{ErrorCode::corrupt, base::message<errors::kMissingField>(), missing.what(),
                     base::message<errors::kImportFromSource>()};
    }
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
    // The message names the model, as a user knows neither the folder nor its files.
    error.message = base::message<errors::kDamagedModel>(model.name, std::move(error.message));
    error.hint = importByCommand(model, !hasOrigin(model, model.source, {}));
    return error;
}

} // namespace apertune::models
