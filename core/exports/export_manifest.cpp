// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/export_manifest.h"

#include "core/base/contained_path.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/exports/errors.h"
#include "core/model/json_codec.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace apertune::exports {

namespace fs = std::filesystem;

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

Error changed(base::Message what, const fs::path& folder)
{
    return {ErrorCode::corrupt, std::move(what), folder.string(), base::message<errors::kExportAgain>()};
}

bool namesManifest(const fs::path& folder)
{
    const auto text = base::readFile(folder / "apertune-config.json");
    const auto config = text ? model::parseJson(*text) : base::Result<Json>(text.error());
    return config && config->is_object() && config->contains("manifest");
}

} // namespace

base::Status writeManifest(const fs::path& folder, const std::vector<fs::path>& files)
{
    Json entries = Json::array();
    for (const fs::path& file : files) {
        const auto hash = base::sha256File(folder / file);
        if (!hash)
            return hash.error();
        std::error_code ignored;
        entries.push_back({{"path", file.generic_string()},
                           {"bytes", static_cast<std::uint64_t>(fs::file_size(folder / file, ignored))},
                           {"sha256", *hash}});
    }
    const Json document{{"schema", "apertune.manifest/1"}, {"files", entries}};
    return base::writeFileAtomically(folder / kManifestFile,
                                     document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

base::Result<std::size_t> checkManifest(const fs::path& folder)
{
    std::error_code ignored;
    if (!fs::exists(folder / kManifestFile, ignored)) {
        if (namesManifest(folder))
            return changed(base::message<errors::kFilesMissing>(std::string(kManifestFile)), folder);
        return std::size_t{0};
    }
    const auto text = base::readFile(folder / kManifestFile);
    const auto document = text ? model::parseJson(*text) : base::Result<Json>(text.error());
    if (!document || !document->is_object() || document->value("schema", Json()) != "apertune.manifest/1" ||
        !document->contains("files") || !document->at("files").is_array())
        return changed(base::message<errors::kManifestDamaged>(), folder);
    std::vector<std::string> missing;
    std::vector<std::string> others;
    for (const Json& entry : document->at("files")) {
        if (!entry.is_object() || !entry.value("path", Json()).is_string() ||
            !entry.value("sha256", Json()).is_string())
            return changed(base::message<errors::kManifestDamaged>(), folder);
        const std::string path = entry.at("path").get<std::string>();
        const fs::path file = folder / path;
        if (!fs::exists(file, ignored)) {
            missing.push_back(path);
            continue;
        }
        // A manifest from elsewhere must not make this process read other files.
        if (!base::requireWithin(folder, file))
            return changed(base::message<errors::kManifestDamaged>(), folder);
        const auto hash = base::sha256File(file);
        if (!hash || *hash != entry.at("sha256").get<std::string>())
            others.push_back(path);
    }
    if (missing.empty() && others.empty())
        return document->at("files").size();
    return changed(base::sentencesOf(
                       {missing.empty() ? base::Message() : base::message<errors::kFilesMissing>(base::join(missing)),
                        others.empty() ? base::Message() : base::message<errors::kFilesChanged>(base::join(others))}),
                   folder);
}

} // namespace apertune::exports
