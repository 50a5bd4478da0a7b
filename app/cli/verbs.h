// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/interrupt.h"
#include "app/cli/options.h"
#include "app/cli/terminal.h"
#include "core/base/json.h"
#include "core/model/study.h"

namespace apertune::models {
struct ArtifactRemoval;
}

namespace apertune::models {
} // namespace apertune::models
namespace apertune::engine {
class Workbench;
} // namespace apertune::engine

namespace apertune::cli {

/// What a verb works with besides its options.
struct Session
{
    Terminal& terminal;
    const Interrupt& interrupt;
    std::string repeatLine; ///< the command line that repeats this call
};

/// Each returns the exit code.
int run(const Print& options, Session& session);
int run(const ModelImport& options, Session& session);
int run(const ModelList& options, Session& session);
int run(const ModelZoo& options, Session& session);
int run(const ModelShow& options, Session& session);
int run(const ModelDelete& options, Session& session);
int run(const Tune& options, Session& session);
int run(const Devices& options, Session& session);
int run(const Studies& options, Session& session);
int run(const Trials& options, Session& session);
int run(const Show& options, Session& session);
int run(const TraceTrial& options, Session& session);
int run(const TraceList& options, Session& session);
int run(const TraceImport& options, Session& session);
int run(const TraceExport& options, Session& session);
int run(const Compare& options, Session& session);
int run(const Delete& options, Session& session);
int run(const Repair& options, Session& session);
int run(const Export& options, Session& session);
int run(const Report& options, Session& session);
int run(const Verify& options, Session& session);
int run(const NoiseFloor& options, Session& session);
int run(const Gui& options, Session& session);
int run(const Query& options, Session& session);
int run(const TraceReport& options, Session& session);
int run(const Prove& options, Session& session);
int run(const RunScenario& options, Session& session);
int run(const ScenarioList& options, Session& session);
int run(const RunPipeline& options, Session& session);
int run(const EvaluateAccuracy& options, Session& session);
int run(const EvaluateSensitivity& options, Session& session);
int run(const SearchMixedPrecision& options, Session& session);
int run(const Ceilings& options, Session& session);

/// What `tune --scenario` does after the sweep: the best trials under each load, kept in the workspace. Trials that
/// cannot be put under one are noted on the terminal.
struct UnderLoad
{
    std::string table; ///< empty: nothing was run
    bool interrupted = false;
};
UnderLoad putUnderLoad(engine::Workbench& workbench, const model::StudySnapshot& snapshot, const Tune& options,
                       Session& session, base::Json& documents);

/// `verify` of a trial: measures it again and compares with what is stored.
int remeasure(const Verify& options, Session& session);

/// What became of the files of a deleted model, in one or two sentences.
std::string removalText(const models::ArtifactRemoval& removal, const model::ModelRef& model);

/// Shows what a child says about a model it works on.
models::ExporterObserver importObserver(Terminal& terminal);

} // namespace apertune::cli
