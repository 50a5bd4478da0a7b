// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/temporary_dir.h"
#include "core/model/model_ref.h"
#include "core/study/phase.h"
#include "core/study/run_context.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::runs {

/// What a measuring kit needs of one batch.
struct KitMaterialBatch
{
    int batch = 1;
    std::filesystem::path opened;   ///< the model in a format of the engine; empty where it opens the TorchScript model
    std::filesystem::path expected; ///< file with the expected outputs, in the folder of KitMaterial
};

struct KitMaterial
{
    base::TemporaryDir folder; ///< holds the expected outputs; it is removed with this object
    std::vector<KitMaterialBatch> batches;
};

/// Makes the files of a measuring kit (core/exports/kit.h) for an engine:
///  - the model in a format that the engine opens, from the cache or converted;
///  - the outputs of the model as loaded, O0 fp32 on this machine's processor, for the input sets of a worker. A model
///    without TorchScript is run by the engine itself.
///
/// Blocks. `phase` gets "compile" and "load".
/// Failures: those of models::requireUsable() and PackageSource::get(), study::toError(), unsupported (no processor).
base::Result<KitMaterial> makeKitMaterial(const study::RunContext& context, const model::ModelRef& model,
                                          const std::string& engine, const std::vector<int>& batches,
                                          const study::PhaseSink& phase, std::stop_token stop);

} // namespace apertune::runs
