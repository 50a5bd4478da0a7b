// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::worker {

struct Installation;

/// What is known of a backend without loading it: PLUGINS/NAME.json beside its library, which the build writes
/// (apertune_describe_engine). A backend without this file runs by itself and opens TorchScript.
struct BackendManifest
{
    std::string name;                   ///< of its folder under plugins/
    std::string title;                  ///< for people
    std::string package;                ///< Python package with the vendor's libraries; empty: none is needed
    std::string requirement;            ///< how pip names it: "package==1.2.3"
    std::vector<std::string> libraries; ///< below the package, loaded before the plugin; '*' stands for a version
    std::vector<std::string> formats;   ///< the model files that it opens, best first (see formatsOf())
    std::string notBuilt;               ///< why this build lacks its library; empty: it has it
    std::string remedy;                 ///< how it comes into a build that lacks it; empty: the set-up does it
    bool symmetricInt8 = false;         ///< its int8 models have signed activations with zero point 0
    bool system = false;                ///< without the package, the plugin looks for the system's own libraries
};

/// The manifest of a backend, or what stands for one that has none. Never fails: an unreadable file is as none.
BackendManifest backendManifest(const std::filesystem::path& plugins, const std::string& name);

/// The vendor's libraries of a backend, with absolute paths, in the order in which they are to be loaded; empty for
/// one that needs none. Failures: unsupported (not part of this build), notFound (the package is not installed); the
/// hint has the command that adds it.
base::Result<std::vector<std::filesystem::path>> backendLibraries(const Installation& installation,
                                                                  const std::string& name);

/// The engines besides LibTorch that can be started here: built, and their packages are installed. Starts nothing.
std::vector<std::string> installedEngines(const Installation& installation);

/// The folder of a package among installation.engines; empty when none has it.
std::filesystem::path enginePackage(const Installation& installation, const std::string& package);

} // namespace apertune::worker
