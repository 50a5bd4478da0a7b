// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/exports/export_file.h"
#include "core/exports/kit_platforms.h"
#include "core/model/model_ref.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::exports {

/// The files of one batch of a measuring kit.
struct KitBatch
{
    int batch = 1;
    std::filesystem::path opened;   ///< the model in the engine's format; empty where it opens the TorchScript model
    std::filesystem::path expected; ///< the outputs of the model as loaded (core/worker/protocol.md, "Reference file")
};

/// How a kit measures: the limits of a worker and the target of a study.
struct KitProtocol
{
    base::Nanoseconds warmUpLeast{}, warmUpMost{};
    base::Nanoseconds minBlock{};
    base::Nanoseconds minTime{}, maxTime{}; ///< time in which the blocks of a configuration are taken
    int minBlocks = 0, leastBlocks = 0, maxBlocks = 0;
    double target = 0; ///< relative half-width of the median's interval at which measuring ends
};

/// A measuring kit to write: a folder that measures a model on another machine, where only the platform's engine and
/// numpy are needed, by the protocol of Apertune's worker.
struct KitRequest
{
    const model::ModelRef& model;
    const Platform& platform;
    std::vector<KitBatch> batches;
    std::vector<model::Precision> precisions;
    std::string apertune; ///< version that writes the kit
    KitProtocol protocol;
};

/// Checks that a kit of these can be written, before its files are made.
/// Whether the engine's file can be converted is not known before.
/// Failures: unsupported (the platform has no kit, the engine has no such precision there, the model is in no
/// format that the engine opens or that can be converted, it takes no such batch).
base::Status checkKit(const model::ModelRef& model, const Platform& platform, const std::vector<int>& batches,
                      const std::vector<model::Precision>& precisions);

/// Plans a kit without writing anything. Its files are:
/// - apertune-config.json ("apertune.kit/1", schema.md): what is measured, and how;
/// - kit.py, which compares the files with their hashes, measures, compares the outputs, and writes trials.json
///   ("apertune.trials/1"); kit_engine.py, run.py and check_files.py, which it imports;
/// - the model, its inputs, and the expected outputs;
/// - README.md.
///
/// Pure except for reading the artifact. writeExport() adds the manifest with the hashes.
/// Failures: those of checkKit() and readArtifactFiles(), corrupt (a file of the model lies outside of its folder).
base::Result<std::vector<ExportFile>> planKit(const KitRequest& request);

} // namespace apertune::exports
