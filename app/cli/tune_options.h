// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/load_options.h"
#include "core/models/model_library.h"
#include "core/study/study_request.h"
#include "core/workload/load/scenario.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace apertune::cli {

/// What `apertune tune` was asked for.
struct Tune
{
    std::string model; ///< empty only with `resume`
    study::StudyRequest request;
    std::vector<int> imageSizes{}; ///< pixels of a side; each a study of its own. Empty: the model's own size
    std::set<std::string> given{}; ///< the options that stand on the line, as "--levels"
    bool dryRun = false;
    bool resume = false;
    std::string resumeStudy; ///< empty: the newest unfinished one
    bool retryFailed = false;
    models::ImportLimits importLimits{};
    std::vector<workload::Scenario> scenarios{}; ///< loads that the best trials are put under afterwards
    int loadTrials = 3; ///< how many trials are put under load: the recommended one, then the front
};

/// Declares the options of `tune` on `app`. The result is complete once the line is read.
std::shared_ptr<const Tune> declareTuneOptions(CLI::App& app);

} // namespace apertune::cli
