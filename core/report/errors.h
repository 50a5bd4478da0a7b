// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::report::errors {

using base::MessageKind;

// Messages: each states the failure and its cause.
inline constexpr MessageKind kArtifactGone{"report.artifact_gone"};
inline constexpr MessageKind kArtifactLacks{"report.artifact_lacks", {"file"}};
inline constexpr MessageKind kNothingToExport{"report.nothing_to_export", {"trial", "reason"}};
inline constexpr MessageKind kNoProgram{"report.no_program", {"backend"}};
inline constexpr MessageKind kNoCppProgram{"report.no_cpp_program", {"engine", "device"}};
inline constexpr MessageKind kEngineFileGone{"report.engine_file_gone", {"trial", "backend"}};
inline constexpr MessageKind kPackageGone{"report.package_gone", {"trial"}};
inline constexpr MessageKind kTooManyDimensions{"report.too_many_dimensions", {"input", "count"}};
inline constexpr MessageKind kNoFolder{"report.no_folder", {"folder"}};
inline constexpr MessageKind kNotEmpty{"report.not_empty", {"folder"}};
inline constexpr MessageKind kFilesMissing{"report.files_missing", {"files"}};
inline constexpr MessageKind kFilesChanged{"report.files_changed", {"files"}};
inline constexpr MessageKind kManifestDamaged{"report.manifest_damaged"};
inline constexpr MessageKind kNothingToCompare{"report.nothing_to_compare", {"trace"}};
inline constexpr MessageKind kKernelsNotRecorded{"report.kernels_not_recorded", {"trace"}};

// Hints: each states the remedy.
inline constexpr MessageKind kChooseOk{"report.choose_ok", {"study"}};
inline constexpr MessageKind kImportByCommand{"report.import_by_command"};
inline constexpr MessageKind kExportJson{"report.export_json"};
inline constexpr MessageKind kExportPython{"report.export_python"};
inline constexpr MessageKind kMeasureToWrite{"report.measure_to_write"};
inline constexpr MessageKind kMeasureToCompile{"report.measure_to_compile"};
inline constexpr MessageKind kCheckSpaceOrOther{"report.check_space_or_other"};
inline constexpr MessageKind kOtherFolder{"report.other_folder"};
inline constexpr MessageKind kOtherOrForce{"report.other_or_force"};
inline constexpr MessageKind kExportAgain{"report.export_again"};
inline constexpr MessageKind kCompareRecordedWork{"report.compare_recorded_work"};

inline constexpr std::array kAll{kArtifactGone,       kArtifactLacks,      kNothingToExport, kNoProgram,
                                 kNoCppProgram,       kEngineFileGone,     kPackageGone,     kTooManyDimensions,
                                 kNoFolder,           kNotEmpty,           kChooseOk,        kImportByCommand,
                                 kExportJson,         kExportPython,       kMeasureToWrite,  kMeasureToCompile,
                                 kCheckSpaceOrOther,  kOtherFolder,        kOtherOrForce,    kFilesMissing,
                                 kFilesChanged,       kManifestDamaged,    kExportAgain,     kNothingToCompare,
                                 kKernelsNotRecorded, kCompareRecordedWork};

} // namespace apertune::report::errors
