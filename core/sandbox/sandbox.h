// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/sandbox/layers.h"
#include "core/sandbox/profile.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace apertune::sandbox {

/// The choices of the user about the sandbox.
struct Settings
{
    std::set<Layer> off{};                      ///< layers that are left out; all of them: --no-sandbox
    std::vector<std::filesystem::path> read{};  ///< further files and folders that every child may read
    std::vector<std::filesystem::path> write{}; ///< further folders that every child may write

    /// Without a sandbox, except for the death with the parent, which is needed for other reasons.
    static Settings none();
    /// Reads APERTUNE_SANDBOX ("off") and the lists APERTUNE_SANDBOX_READ and APERTUNE_SANDBOX_WRITE, separated by ':'.
    static Settings fromEnvironment();
};

/// Sets the settings of this process, which begin as Settings::fromEnvironment(). main() sets them before a child is
/// started. Threads: any.
void setSettings(Settings settings);
Settings settings();

/// A child that was started, and the layers that hold it.
struct ConfinedChild
{
    base::ChildProcess process;
    std::vector<std::string> layers; ///< names (toString()), in the order of kLayers

    /// Whether the process only waits for the program (programOf()).
    bool isGuarded() const;
};

/// The process of the program behind a guard, which start() made; 0 once it has ended.
int programOf(int guard);

/// Starts a program with no more rights than the profile gives. This is the only way to start a program that touches a
/// model.
///  - A layer that this kernel lacks (layerStates()) or that the settings leave out is skipped and is not in `layers`.
///  - When a layer that the kernel has cannot be set up, the program is not started.
///  - With the layer `processes`, pid() is a process that only waits for the program and ends as it does.
///
/// REQUIRES: the thread that calls this lives for as long as the child is needed (base::ChildProcess).
/// Failures: those of base::ChildProcess::start(); io (the sandbox cannot be set up).
base::Result<ConfinedChild> start(base::ChildCommand command, const Profile& profile);

} // namespace apertune::sandbox
