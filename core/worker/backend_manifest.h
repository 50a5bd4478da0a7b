// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::worker {

struct Installation;

/// The facts about a backend that are known without loading it. The build writes them to PLUGINS/NAME.json beside the
/// library (apertune_describe_engine). A backend without this file needs no vendor libraries and opens TorchScript.
struct BackendManifest
{
    std::string name;                   ///< name of its folder under plugins/
    std::string title;                  ///< name that is shown to users
    std::string package;                ///< Python package with the vendor's libraries; empty: none is needed
    std::string requirement;            ///< the package in pip's notation: "package==1.2.3"
    std::vector<std::string> libraries; ///< paths in the package, loaded before the plugin; '*' stands for a version
    std::vector<std::string> formats;   ///< the model files that it opens, best first (see formatsOf())
    std::string notBuilt;               ///< reason why this build lacks its library; empty: the build has it
    std::string remedy;                 ///< how to add it to a build that lacks it; empty: the set-up does it
    bool symmetricInt8 = false;         ///< the int8 models of the engine have signed activations with zero point 0
    bool system = false;                ///< without the package, the plugin looks for the system's own libraries
};

/// Returns the manifest of a backend, or the default one when there is no readable file. Never fails.
BackendManifest backendManifest(const std::filesystem::path& plugins, const std::string& name);

/// Returns the absolute paths of a backend's vendor libraries in the order of loading; empty when it needs none.
/// Failures: unsupported (not part of this build), notFound (the package is not installed; the hint has the command
/// that installs it).
base::Result<std::vector<std::filesystem::path>> backendLibraries(const Installation& installation,
                                                                  const std::string& name);

/// Returns the engines besides LibTorch that can be started here: they are built, and their packages are installed.
/// Starts nothing.
std::vector<std::string> installedEngines(const Installation& installation);

/// Returns the folder of a package in installation.engines; empty when none has it.
std::filesystem::path enginePackage(const Installation& installation, const std::string& package);

} // namespace apertune::worker
