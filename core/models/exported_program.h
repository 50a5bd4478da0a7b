// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/temporary_dir.h"
#include "core/model/device.h"
#include "core/models/export_verdict.h"
#include "core/sandbox/profile.h"

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

/// A folder that an export wrote, and its engine's facts about running it.
struct ExportedFolder
{
    std::filesystem::path dir;
    std::string backend;
    std::string rootOption;      ///< option of its CMakeLists.txt for the engine's folder: "ENGINE_ROOT"
    std::string fallbackProgram; ///< run.py for a folder without a program of its own; empty: there is none
};

/// Returns the engine's folder for building a C++ export: the value of its rootOption. Empty: not on this machine.
std::filesystem::path programRoot(const std::string& backend, const worker::Installation& installation);

/// A command line to which options can be added, and what it may do (core/sandbox). It must live until the command has
/// ended.
struct ExportedProgram
{
    std::vector<std::string> argv;
    sandbox::Profile profile;
    std::optional<base::TemporaryDir> work{};
};

/// Receives the current step as a sentence for people. The function may be empty.
using ExportPhase = std::function<void(const base::Message& step)>;

/// Returns the program of an exported folder, ready to be started. A C++ program is first built in a folder of its own,
/// which `phase` reports.
/// Failures: notFound and unsupported (a needed part is not on this machine), compileFailed, timeout, cancelled.
base::Result<ExportedProgram> exportedProgram(const ExportedFolder& folder, const worker::Installation& installation,
                                              const ExportPhase& phase, std::stop_token stop);

/// Name of the file that an export keeps of its check ("apertune.check/1", schema.md).
inline constexpr const char* kCheckFile = "apertune-check.json";

/// Runs an exported program with --verify while the load of the machine is watched, and returns its document
/// "apertune.verification/1" after reviseVerdict(). `check` is the document "apertune.check/1" of its folder; null:
/// there is none.
/// Failures: modelThrew (it does not run), corrupt (its answer is damaged), timeout, cancelled.
base::Result<base::Json> measureExported(const ExportedProgram& program, const base::Json& check, std::stop_token stop);

/// The outcome of one run of an exported folder.
struct ExportCheck
{
    bool ran = false;
    base::Message message; ///< ran: what came of it; otherwise why it could not be run on this machine
    std::optional<ProgramVerdict> verdict{}; ///< on outputs and time; outside: faster; nullopt: not measured
    std::string record{};                    ///< the document "apertune.check/1" for kCheckFile; empty: not measured
};

/// Runs the program of a folder that was exported for `device`, to check that it runs, gives the outputs that were
/// measured, and takes the time that was measured. A time that is slower is measured a second time. Where the device
/// has another name than `device`, the time is not measured. A tool, engine or GPU that this machine lacks is not a
/// failure. Failures: modelThrew (it does not run, gives other outputs, or is slower on a quiet machine),
/// compileFailed, corrupt, cancelled.
base::Result<ExportCheck> checkExported(const ExportedFolder& folder, const model::Device& device,
                                        const worker::Installation& installation, const ExportPhase& phase,
                                        std::stop_token stop);

} // namespace apertune::models
