// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::search::reasons {

using base::MessageKind;

// Reasons why a search leaves a configuration out.
inline constexpr MessageKind kBudgetSpent{"search.budget_spent"};
inline constexpr MessageKind kGettingWorse{"search.getting_worse",
                                           {"best", "best_batch", "before", "before_batch", "last", "last_batch"}};
inline constexpr MessageKind kFarBehind{"search.far_behind", {"figure", "leader", "leader_figure", "leader_batch"}};
inline constexpr MessageKind kBehind{"search.behind", {"first", "second", "leader", "leader_figure", "leader_batch"}};
inline constexpr MessageKind kCeiling{"search.ceiling", {"ceiling", "leader"}};
inline constexpr MessageKind kCompileGain{"search.compile_gain", {"share", "gain"}};
inline constexpr MessageKind kCompileTime{"search.compile_time", {"compile", "left"}};
inline constexpr MessageKind kConvertTime{"search.convert_time", {"convert", "left"}};
inline constexpr MessageKind kBeyondMemory{"search.beyond_memory", {"needed", "memory"}};
inline constexpr MessageKind kBatchBeyondMemory{"search.batch_beyond_memory", {"batch", "needed", "memory"}};
inline constexpr MessageKind kNoGrowth{"search.no_growth", {"batch", "figure", "best"}};
inline constexpr MessageKind kLatencyBound{"search.latency_bound", {"bound"}};
inline constexpr MessageKind kTwoBatchesFailed{"search.two_batches_failed", {"reason"}};
inline constexpr MessageKind kTooLittleInFloat{"search.too_little_in_float"};
inline constexpr MessageKind kEnoughInFloat{"search.enough_in_float"};

// Reasons why a configuration is impossible on this machine.
inline constexpr MessageKind kBackendCannotRun{"search.backend_cannot_run", {"backend"}};
inline constexpr MessageKind kBackendCannotRunBecause{"search.backend_cannot_run_because", {"backend", "reason"}};
inline constexpr MessageKind kBackendCannotUse{"search.backend_cannot_use", {"backend", "device"}};
inline constexpr MessageKind kBackendCannotUseBecause{"search.backend_cannot_use_because",
                                                      {"backend", "device", "reason"}};
inline constexpr MessageKind kGpuOnly{"search.precision_gpu_only", {"precision"}};
inline constexpr MessageKind kNeedsGpu{"search.precision_needs_gpu", {"precision", "capability"}};
inline constexpr MessageKind kNeedsCapability{"search.precision_needs_capability",
                                              {"precision", "capability", "device", "has"}};
inline constexpr MessageKind kEmulated{"search.precision_emulated", {"device", "precision", "instructions"}};
inline constexpr MessageKind kEither{"search.either", {"first", "second"}}; ///< instructions
inline constexpr MessageKind kNotOffered{"search.precision_not_offered", {"backend", "precision"}};
inline constexpr MessageKind kInt8CpuOnly{"search.int8_cpu_only", {"backend"}};
inline constexpr MessageKind kInt8Emulated{"search.int8_emulated", {"device"}};
inline constexpr MessageKind kSwitchCpuOnly{"search.switch_cpu_only", {"switch"}};
inline constexpr MessageKind kSwitchGpuOnly{"search.switch_gpu_only", {"switch"}};
inline constexpr MessageKind kQuantizedNeedsAoti{"search.quantized_needs_aoti", {"precision"}};
inline constexpr MessageKind kTf32NeedsFp32{"search.tf32_needs_fp32", {"precision"}};
inline constexpr MessageKind kNoSuchSwitch{"search.no_such_switch", {"backend", "switch"}};
inline constexpr MessageKind kCannotConvert{"search.cannot_convert", {"backend", "reason"}};
inline constexpr MessageKind kFormatNotOpened{"search.format_not_opened", {"format", "backend"}};
inline constexpr MessageKind kFixedBatch{"search.fixed_batch"};
inline constexpr MessageKind kFailingBatch{"search.failing_batch", {"batch", "why"}};
inline constexpr MessageKind kLosesState{"search.loses_state", {"buffers", "backend"}};
inline constexpr MessageKind kDrawsOtherwise{"search.draws_otherwise", {"backend"}};
inline constexpr MessageKind kDrawsOtherwiseAt{"search.draws_otherwise_at", {"precision"}};
inline constexpr MessageKind kNoExportedProgram{"search.no_exported_program"};
inline constexpr MessageKind kNoExportedProgramBecause{"search.no_exported_program_because", {"reason"}};
inline constexpr MessageKind kTorchScriptNotCompiled{"search.torchscript_not_compiled"};
inline constexpr MessageKind kNoCompiler{"search.no_compiler"};
inline constexpr MessageKind kNoCompilerBecause{"search.no_compiler_because", {"reason"}};

inline constexpr std::array kAll{kBudgetSpent,
                                 kGettingWorse,
                                 kFarBehind,
                                 kBehind,
                                 kCeiling,
                                 kCompileGain,
                                 kCompileTime,
                                 kConvertTime,
                                 kBeyondMemory,
                                 kBatchBeyondMemory,
                                 kNoGrowth,
                                 kLatencyBound,
                                 kTwoBatchesFailed,
                                 kTooLittleInFloat,
                                 kEnoughInFloat,
                                 kBackendCannotRun,
                                 kBackendCannotRunBecause,
                                 kBackendCannotUse,
                                 kBackendCannotUseBecause,
                                 kGpuOnly,
                                 kNeedsGpu,
                                 kNeedsCapability,
                                 kEmulated,
                                 kEither,
                                 kNotOffered,
                                 kInt8CpuOnly,
                                 kInt8Emulated,
                                 kSwitchCpuOnly,
                                 kSwitchGpuOnly,
                                 kQuantizedNeedsAoti,
                                 kTf32NeedsFp32,
                                 kNoSuchSwitch,
                                 kCannotConvert,
                                 kFormatNotOpened,
                                 kFixedBatch,
                                 kFailingBatch,
                                 kLosesState,
                                 kDrawsOtherwise,
                                 kDrawsOtherwiseAt,
                                 kNoExportedProgram,
                                 kNoExportedProgramBecause,
                                 kTorchScriptNotCompiled,
                                 kNoCompiler,
                                 kNoCompilerBecause};

} // namespace apertune::search::reasons
