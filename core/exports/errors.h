// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::exports::errors {

using base::MessageKind;

// Messages: each states the failure and its cause.
inline constexpr MessageKind kArtifactGone{"exports.artifact_gone"};
inline constexpr MessageKind kArtifactLacks{"exports.artifact_lacks", {"file"}};
inline constexpr MessageKind kNothingToExport{"exports.nothing_to_export", {"trial", "reason"}};
inline constexpr MessageKind kNoProgram{"exports.no_program", {"backend"}};
inline constexpr MessageKind kNoCppProgram{"exports.no_cpp_program", {"engine", "device"}};
inline constexpr MessageKind kEngineFileGone{"exports.engine_file_gone", {"trial", "backend"}};
inline constexpr MessageKind kPackageGone{"exports.package_gone", {"trial"}};
inline constexpr MessageKind kTooManyDimensions{"exports.too_many_dimensions", {"input", "count"}};
inline constexpr MessageKind kKeepsState{"exports.keeps_state", {"target"}};
inline constexpr MessageKind kFixedBatch{"exports.fixed_batch", {"tensor", "batch"}};
inline constexpr MessageKind kUnknownOutputs{"exports.unknown_outputs"};
inline constexpr MessageKind kTritonCannotRun{"exports.triton_cannot_run", {"engine", "reason"}};
inline constexpr MessageKind kTritonHasNoBackend{"exports.triton_has_no_backend", {"engine"}};
inline constexpr MessageKind kTritonPrecision{"exports.triton_precision", {"engine", "precision"}};
inline constexpr MessageKind kTritonType{"exports.triton_type", {"tensor", "type"}};
inline constexpr MessageKind kTritonDevice{"exports.triton_device", {"device"}};
inline constexpr MessageKind kNoFolder{"exports.no_folder", {"folder"}};
inline constexpr MessageKind kNotEmpty{"exports.not_empty", {"folder"}};
inline constexpr MessageKind kFilesMissing{"exports.files_missing", {"files"}};
inline constexpr MessageKind kFilesChanged{"exports.files_changed", {"files"}};
inline constexpr MessageKind kManifestDamaged{"exports.manifest_damaged"};
inline constexpr MessageKind kNoKit{"exports.no_kit", {"platform", "remark"}};
inline constexpr MessageKind kKitPrecision{"exports.kit_precision", {"platform", "precision"}};
inline constexpr MessageKind kKitNeedsFormat{"exports.kit_needs_format", {"model", "engine"}};
inline constexpr MessageKind kKitBatch{"exports.kit_batch", {"model", "batch"}};

// Hints: each states the remedy.
inline constexpr MessageKind kChooseOk{"exports.choose_ok", {"study"}};
inline constexpr MessageKind kImportByCommand{"exports.import_by_command"};
inline constexpr MessageKind kExportJson{"exports.export_json"};
inline constexpr MessageKind kExportPython{"exports.export_python"};
inline constexpr MessageKind kExportServer{"exports.export_server"};
inline constexpr MessageKind kExportBatchOne{"exports.export_batch_one"};
inline constexpr MessageKind kMeasureToWrite{"exports.measure_to_write"};
inline constexpr MessageKind kMeasureToCompile{"exports.measure_to_compile"};
inline constexpr MessageKind kCheckSpaceOrOther{"exports.check_space_or_other"};
inline constexpr MessageKind kOtherFolder{"exports.other_folder"};
inline constexpr MessageKind kOtherOrForce{"exports.other_or_force"};
inline constexpr MessageKind kExportAgain{"exports.export_again"};
inline constexpr MessageKind kSeePlatforms{"exports.see_platforms"};
inline constexpr MessageKind kKitPrecisions{"exports.kit_precisions", {"precisions"}};
inline constexpr MessageKind kKitOtherBatch{"exports.kit_other_batch"};

inline constexpr std::array kAll{
    kArtifactGone,       kArtifactLacks,     kNothingToExport, kNoProgram,      kNoCppProgram,     kEngineFileGone,
    kPackageGone,        kTooManyDimensions, kKeepsState,      kFixedBatch,     kUnknownOutputs,   kTritonCannotRun,
    kTritonHasNoBackend, kTritonPrecision,   kTritonType,      kTritonDevice,   kExportServer,     kExportBatchOne,
    kNoFolder,           kNotEmpty,          kFilesMissing,    kFilesChanged,   kManifestDamaged,  kChooseOk,
    kImportByCommand,    kExportJson,        kExportPython,    kMeasureToWrite, kMeasureToCompile, kCheckSpaceOrOther,
    kOtherFolder,        kOtherOrForce,      kExportAgain,     kNoKit,          kKitPrecision,     kKitNeedsFormat,
    kKitBatch,           kSeePlatforms,      kKitPrecisions,   kKitOtherBatch};

} // namespace apertune::exports::errors
