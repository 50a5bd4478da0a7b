// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::worker {

struct Installation;

/// A backend of this installation, and its engine.
struct EngineState
{
    std::string backend;                   ///< name of its library in the plugins folder
    std::string title;                     ///< name that is shown to users
    std::vector<std::string> requirements; ///< in pip's notation, the engine first; empty: pip does not have it
    std::string version;                   ///< version of the engine's package; empty: unknown, or there is none
    std::filesystem::path folder;          ///< site-packages folder that has it; empty: none has
    bool added = false;                    ///< addEngine() put it there
    base::Bytes size;                      ///< bytes of the added folder; 0 for engines elsewhere
    std::optional<base::Error> missing;    ///< why the backend cannot use an engine; the hint has the remedy
};

/// Returns the backends of the installation, sorted by name. It reads folders only: whether an engine works on this
/// machine, its worker says.
std::vector<EngineState> engineStates(const Installation& installation);

/// Returns whether pip can give a backend its engine: pip has the packages, and the build has the backend.
bool canBeAdded(const EngineState& engine);

/// A package that pip installed.
struct AddedPackage
{
    std::string name;
    std::string version;
    std::string sha256; ///< hash of its wheel; empty when pip did not report it
};

struct AddedEngine
{
    std::filesystem::path folder;
    base::Bytes size; ///< bytes of the folder
    std::vector<AddedPackage> packages;
};

/// Called a few times a second with the bytes that are on the disk so far, downloads included.
using AddObserver = std::function<void(base::Bytes bytes)>;

/// Installs the packages of a backend's engine from the package index that pip is configured for, or from `index`, with
/// the Python of the installation. Only wheels are taken: nothing is compiled, and no code of a package runs. An
/// earlier folder of the backend is replaced when all is there; a failure leaves it as it was. Failures: notFound (no
/// Python, no pip), io (the folder cannot be written; pip failed, its last lines are the context), cancelled.
///
/// REQUIRES: `engine.requirements` is not empty.
base::Result<AddedEngine> addEngine(const Installation& installation, const EngineState& engine,
                                    const std::string& index, const AddObserver& observer, std::stop_token stop);

/// Removes what addEngine() installed for a backend. Returns its size.
/// Failures: notFound (it was not added), io.
base::Result<base::Bytes> removeEngine(const std::string& backend);

} // namespace apertune::worker
