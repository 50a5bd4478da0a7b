// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/models/exporter_progress.h"
#include "core/worker/installation.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::models {

/// One run of the Python exporter: `python -m apertune_exporter ARGUMENTS`, in the sandbox. It can read the files and
/// folders that the arguments name. Of a `python:` source that is the project around it (projectOf()), and of an
/// engine's file its folder.
struct ExporterRun
{
    std::vector<std::string> arguments;
    std::map<std::string, std::optional<std::string>> environment{}; ///< changed variables; nullopt removes one
    base::Nanoseconds limit{};                                       ///< time limit; 0: none
    base::Bytes memory{};                           ///< memory limit of the process group; 0: defaultMemoryLimit()
    base::Nanoseconds grace = base::fromSeconds(1); ///< time from SIGTERM to SIGKILL
    std::vector<std::filesystem::path> writes{};    ///< folders that it may write, besides one for temporary files
    std::filesystem::path kernels{};                ///< folder that keeps AOTInductor's kernels; empty: none is kept
    bool gpu = false;                               ///< it may open GPUs
    bool unpacks = false;                           ///< it loads compiled packages, which unpack themselves below /tmp
};

/// Returns the folder that the code of a model may import from: the nearest one above the file that holds a repository
/// or a Python project (.git, pyproject.toml, setup.py), if that lies below the home folder; else the file's own.
std::filesystem::path projectOf(const std::filesystem::path& file);

/// Returns the memory limit of the exporter and its child processes unless another is set: nine tenths of the memory of
/// this machine, or of this process's control group.
base::Bytes defaultMemoryLimit();

/// Time limit for one package or one converted file. No successful run has come close to it.
inline constexpr base::Nanoseconds kConversionLimit = base::fromSeconds(15 * 60);

/// Runs the exporter and returns its "done" message.
///
///  - The exporter writes one JSON object a line to stdout (resources/exporter). Other output on either stream goes to
///    the observer as log lines.
///  - The call blocks. The observer is called on this thread.
///  - A stop request or the limit ends the child and all processes that it started: SIGTERM, then SIGKILL.
///  - The child also ends when this process ends, for whatever reason.
///  - The caller removes the files that a killed child left.
///
/// Failures: the child's own (invalidArgument, corrupt, unsupported, modelThrew, compileFailed, io), crashed (it ended
/// without a message; `context` has its last lines), cancelled, timeout, outOfMemory (it exceeded run.memory and was
/// killed), unsupported (no Python, or no exporter).
base::Result<base::Json> runExporter(const worker::Installation& installation, const ExporterRun& run,
                                     const ExporterObserver& observer, std::stop_token stop);

} // namespace apertune::models
