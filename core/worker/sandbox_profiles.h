// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sandbox/profile.h"
#include "core/worker/installation.h"
#include "core/worker/launcher.h"

#include <filesystem>

namespace apertune::worker {

/// A worker reads its programs and engines, the compiled packages and converted models of this user, and what the
/// request names. It writes the folder for temporary files, the request's folders and its engine's own cache. It starts
/// no programs. Only a worker for a GPU opens one. On the CPU its memory is limited to the machine's, swap included.
sandbox::Profile workerProfile(const Installation& installation, const LaunchRequest& request,
                               const std::filesystem::path& temporary);

/// The Python exporter and exported programs read the interpreter, its packages, the engines and the compilers of this
/// machine, and start programs. Callers add the files of a run.
sandbox::Profile pythonProfile(const Installation& installation);

/// The folder in which AOTInductor's loader unpacks packages. It is the loader's constant.
inline constexpr const char* kUnpackingFolder = "/tmp";

} // namespace apertune::worker
