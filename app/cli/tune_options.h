// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/load_options.h"
#include "app/cli/sweep_option.h"
#include "core/model/variant.h"
#include "core/models/model_library.h"
#include "core/study/study_request.h"
#include "core/sweeps/sweep_file.h"
#include "core/workload/load/scenario.h"

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace apertune::cli {

/// The parsed options of `apertune tune`.
struct Tune
{
    std::string model; ///< empty only with `resume`
    study::StudyRequest request;
    std::vector<int> imageSizes{}; ///< pixels of a side; each size is a study of its own. Empty: the model's own size
    std::vector<model::Variant> variants{};  ///< each variant of the model is a study of its own, beside the model's
    std::set<std::string> given{};           ///< the options on the command line and in the sweep file, as "--levels"
    SweepFile config{};                      ///< contribution of --config
    std::filesystem::path writeConfig{};     ///< sweep file to write; empty: none
    std::vector<sweeps::SweepEntry> sweep{}; ///< content of that file
    bool dryRun = false;
    bool resume = false;
    std::string resumeStudy;       ///< empty: the newest unfinished study
    base::Nanoseconds whenQuiet{}; ///< how long to wait for a quiet machine before the study is resumed
    bool retryFailed = false;
    models::ImportLimits importLimits{};
    std::vector<workload::Scenario> scenarios{}; ///< load scenarios for the best trials, run after the sweep
    bool robust = false; ///< afterwards, measure the best configurations beside a competing program
    int loadTrials = 3;  ///< number of trials to put under load: the recommended one, then the front
};

/// The line that repeats a call: `line` of repeatableLine(), with what came from a sweep file as options, because the
/// file may change.
std::string repeatLine(const Tune& options, std::string line);

/// Declares the options of `tune` on `app`. The result is complete after the parse.
std::shared_ptr<const Tune> declareTuneOptions(CLI::App& app);

/// Declares only those of them that describe a study: not those that resume one, show a plan, or run something
/// afterwards. MODEL is required.
std::shared_ptr<const Tune> declareStudyOptions(CLI::App& app);

} // namespace apertune::cli
