// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/result.h"
#include "core/model/device.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::worker {
struct Installation;
}

namespace apertune::models {

/// A folder that an export wrote, with what its engine says of how it is run.
struct ExportedFolder
{
    std::filesystem::path dir;
    std::string backend;
    std::string rootOption;  ///< of its CMakeLists.txt: "ENGINE_ROOT"
    std::string lentProgram; ///< run.py for a folder without a program of its own; empty: there is none
};

/// The folder of the engine that a C++ export is built against: the value of its rootOption. Empty: not on this
/// machine.
std::filesystem::path programRoot(const std::string& backend, const worker::Installation& installation);

/// A command line to which options are added, and what has to live as long as it is used.
struct ExportedProgram
{
    std::vector<std::string> argv;
    std::optional<base::TemporaryDir> work{};
};

/// Takes what is being done, as a sentence for people. It may be empty.
using ExportPhase = std::function<void(const std::string&)>;

/// The program of an exported folder, ready to be started; one in C++ is built in a folder of its own, `phase` says so.
/// Failures: notFound and unsupported (what it takes is not on this machine), compileFailed, timeout, cancelled.
base::Result<ExportedProgram> exportedProgram(const ExportedFolder& folder, const worker::Installation& installation,
                                              const ExportPhase& phase, std::stop_token stop);

/// What came of running an exported folder once.
struct ExportCheck
{
    bool ran = false;
    std::string told; ///< ran: what the program said; otherwise why it could not be run on this machine
};

/// Runs the program of a folder that was exported for `device`, to see that it runs and gives the outputs that were
/// measured. Nothing is measured. Failures: modelThrew (it does not run, or gives other outputs), compileFailed,
/// cancelled. That a tool, the engine or a GPU is not on this machine is no failure.
base::Result<ExportCheck> checkExported(const ExportedFolder& folder, const model::Device& device,
                                        const worker::Installation& installation, const ExportPhase& phase,
                                        std::stop_token stop);

} // namespace apertune::models
