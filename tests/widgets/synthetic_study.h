// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <memory>

namespace apertune::testing {

/// A study that never ran, for tests of views: levels × precisions × batches on a made-up CPU, with a failure of each
/// interesting kind. The same arguments give the same study.
struct SyntheticOptions
{
    int batches = 6;      ///< 1, 2, 4 …
    bool running = false; ///< the last third of the trials is still to do
    bool interrupted = false;
    bool withRecommendation = true; ///< or a shortlist, unless it is confirmed; false: neither
    bool confirmed = true;          ///< the best trial and its baseline took turns
};

std::shared_ptr<const model::StudySnapshot> makeSyntheticStudy(const SyntheticOptions& options = {});

/// A model as an import leaves it: classification, one input, a handful of layers.
model::ModelRef makeSyntheticModel();
model::Device makeSyntheticCpu();

} // namespace apertune::testing
