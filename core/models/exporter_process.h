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

/// One run of the Python exporter: `python -m apertune_exporter ARGUMENTS`. Private to this folder.
struct ExporterRun
{
    std::vector<std::string> arguments;
    std::map<std::string, std::optional<std::string>> environment{}; ///< changes to ours; nullopt removes
    base::Nanoseconds limit{};                                       ///< 0: none
    base::Bytes memory{};                                            ///< of the whole group; 0: defaultMemoryLimit()
    base::Nanoseconds grace = base::fromSeconds(1);                  ///< from SIGTERM to SIGKILL
};

/// What the exporter and all that it starts may hold in memory where nothing else is said: nine tenths of what this
/// machine, or the control group that this process runs in, has.
base::Bytes defaultMemoryLimit();

/// For one package or one converted file: far beyond what any that ended well has taken.
inline constexpr base::Nanoseconds kConversionLimit = base::fromSeconds(15 * 60);

/// Runs the exporter and returns its "done" message. It speaks one JSON object a line on stdout
/// (resources/exporter); what it prints besides, on either stream, goes to the observer as log lines. Blocking; the
/// observer is called on this thread. A stop request or the limit ends the child and everything it started, politely
/// first; so does the end of this process, whatever its reason, for the child itself.
///
/// Failures: what the child reported (invalidArgument, corrupt, unsupported, modelThrew, compileFailed, io), crashed
/// (it ended without a word; `context` has its last lines), cancelled, timeout, outOfMemory (it took more than
/// run.memory and was killed), unsupported (no Python, no exporter).
/// Files that a killed child left are the caller's to remove.
base::Result<base::Json> runExporter(const worker::Installation& installation, const ExporterRun& run,
                                     const ExporterObserver& observer, std::stop_token stop);

/// Removes what killed exporters left of `target`: its neighbours TARGET.partial-PID whose process is gone.
void removePartials(const std::filesystem::path& target);

} // namespace apertune::models
