// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/backend_manifest.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/json_members.h"
#include "core/worker/errors.h"
#include "core/worker/installation.h"

#include <fnmatch.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::worker {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

/// Returns the file that matches a pattern such as "libs/libname.so.*"; of several, the last by name.
fs::path match(const fs::path& folder, const fs::path& pattern)
{
    fs::path found;
    std::error_code code;
    for (fs::directory_iterator it((folder / pattern).parent_path(), code), end; !code && it != end; it.increment(code))
        if (::fnmatch(pattern.filename().c_str(), it->path().filename().c_str(), 0) == 0 && it->path() > found)
            found = it->path();
    return found;
}

} // namespace

BackendManifest backendManifest(const fs::path& plugins, const std::string& name)
{
    BackendManifest manifest;
    manifest.name = name;
    manifest.title = name == "libtorch" ? "LibTorch" : name;
    // A backend without a manifest opens TorchScript, as LibTorch does.
    manifest.formats = {"torchscript"};
    const auto file = base::readFile(plugins / (name + ".json"));
    const Json json = file ? Json::parse(*file, nullptr, false) : Json();
    if (!json.is_object())
        return manifest;
    manifest.title = base::textMember(json, "title");
    manifest.package = base::textMember(json, "package");
    manifest.requirement = base::textMember(json, "requirement");
    manifest.libraries = base::textMembers(json, "libraries");
    if (auto formats = base::textMembers(json, "formats"); !formats.empty())
        manifest.formats = std::move(formats);
    manifest.notBuilt = base::textMember(json, "not_built");
    manifest.remedy = base::textMember(json, "remedy");
    manifest.symmetricInt8 = base::textMember(json, "int8_activations") == "symmetric";
    manifest.system = json.contains("system") && json["system"] == true;
    return manifest;
}

fs::path enginePackage(const Installation& installation, const std::string& package)
{
    std::error_code ignored;
    for (const fs::path& folder : installation.engines)
        if (!package.empty() && fs::is_directory(folder / package, ignored))
            return folder / package;
    return {};
}

std::vector<std::string> installedEngines(const Installation& installation)
{
    std::vector<std::string> names;
    std::error_code code;
    for (fs::directory_iterator it(installation.plugins, code), end; !code && it != end; it.increment(code))
        if (const std::string name = it->path().stem().string();
            // A description without its libraries belongs to an engine that is not installed.
            it->path().extension() == ".json" && backendLibraries(installation, name))
            names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
}

base::Result<std::vector<fs::path>> backendLibraries(const Installation& installation, const std::string& name)
{
    const BackendManifest manifest = backendManifest(installation.plugins, name);
    // The reason for not being built explains more than a missing package.
    if (!manifest.notBuilt.empty())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNotBuilt>(manifest.title, manifest.notBuilt),
                     {},
                     !manifest.remedy.empty()       ? base::foreignText(manifest.remedy)
                     : manifest.requirement.empty() ? base::message<errors::kBuildAgain>()
                                                    : base::message<errors::kBuildAgainPip>(manifest.requirement)};
    if (manifest.package.empty())
        return std::vector<fs::path>{};
    const base::Message remedy =
        manifest.requirement.empty() ? base::message<errors::kNameEngines>() : base::message<errors::kAddEngine>(name);
    const fs::path package = enginePackage(installation, manifest.package);
    // The system's libraries are found by the loader, so there is nothing to name.
    if (package.empty() && manifest.system)
        return std::vector<fs::path>{};
    if (package.empty())
        return Error{ErrorCode::notFound, base::message<errors::kNotInstalled>(manifest.title), {}, remedy};
    std::vector<fs::path> libraries;
    for (const std::string& pattern : manifest.libraries) {
        const fs::path library = match(package, pattern);
        if (library.empty())
            return Error{ErrorCode::notFound, base::message<errors::kNotWhole>(manifest.title, pattern),
                         package.string(), remedy};
        libraries.push_back(library);
    }
    return libraries;
}

} // namespace apertune::worker
