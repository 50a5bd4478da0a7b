// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::probe::reasons {

using base::MessageKind;

// Recordings that this machine does not support, and why.
inline constexpr MessageKind kNoGpuDriver{"probe.no_gpu_driver"};
inline constexpr MessageKind kNoManagementLibrary{"probe.no_management_library"};
inline constexpr MessageKind kDriverSilent{"probe.driver_silent"};
inline constexpr MessageKind kNoGpuSeen{"probe.no_gpu_seen"};
inline constexpr MessageKind kGpusHidden{"probe.gpus_hidden", {"value"}};
inline constexpr MessageKind kGpusClosed{"probe.gpus_closed"};
inline constexpr MessageKind kOldDriver{"probe.old_driver", {"driver", "cuda", "needed"}};
inline constexpr MessageKind kNoGpuEngine{"probe.no_gpu_engine"};
inline constexpr MessageKind kBackendSays{"probe.backend_says", {"backend", "note"}};
inline constexpr MessageKind kAskingFailed{"probe.asking_failed", {"reason"}};
inline constexpr MessageKind kWorkerSilent{"probe.worker_silent"};
inline constexpr MessageKind kOldGpu{"probe.old_gpu"};
inline constexpr MessageKind kWslHides{"probe.wsl_hides"};
inline constexpr MessageKind kNoEnergyCounter{"probe.no_energy_counter"};
inline constexpr MessageKind kEnergyForRoot{"probe.energy_for_root"};
inline constexpr MessageKind kGpuTellsNoEnergy{"probe.gpu_tells_no_energy"};
inline constexpr MessageKind kNoPerfEvents{"probe.no_perf_events"};
inline constexpr MessageKind kPerfForAdministrators{"probe.perf_for_administrators", {"level"}};
inline constexpr MessageKind kNoPmu{"probe.no_pmu"};
inline constexpr MessageKind kNoLibTorch{"probe.no_lib_torch"};
inline constexpr MessageKind kRunsNoPackages{"probe.runs_no_packages", {"backend"}};

// GPUs of other vendors.
inline constexpr MessageKind kAmdGpu{"probe.amd_gpu"};
inline constexpr MessageKind kIntelGpu{"probe.intel_gpu"};

// Hints on what to do.
inline constexpr MessageKind kInstallGpuDriver{"probe.install_gpu_driver"};
inline constexpr MessageKind kGiveManagementLibrary{"probe.give_management_library"};
inline constexpr MessageKind kRestartMachine{"probe.restart_machine"};
inline constexpr MessageKind kGiveAccess{"probe.give_access"};
inline constexpr MessageKind kUnsetVisible{"probe.unset_visible"};
inline constexpr MessageKind kUpdateDriver{"probe.update_driver"};
inline constexpr MessageKind kMeasureOnLinux{"probe.measure_on_linux"};
inline constexpr MessageKind kUnrestrict{"probe.unrestrict"};
inline constexpr MessageKind kWholeGpuOrNewer{"probe.whole_gpu_or_newer"};
inline constexpr MessageKind kCountOnTheHost{"probe.count_on_the_host"};
inline constexpr MessageKind kMakeReadable{"probe.make_readable"};
inline constexpr MessageKind kLowerParanoid{"probe.lower_paranoid"};
inline constexpr MessageKind kGivePmu{"probe.give_pmu"};
inline constexpr MessageKind kNameTorchEnvironment{"probe.name_torch_environment"};

inline constexpr std::array kAll{kNoGpuDriver,
                                 kNoManagementLibrary,
                                 kDriverSilent,
                                 kNoGpuSeen,
                                 kGpusHidden,
                                 kGpusClosed,
                                 kOldDriver,
                                 kNoGpuEngine,
                                 kBackendSays,
                                 kAskingFailed,
                                 kWorkerSilent,
                                 kOldGpu,
                                 kWslHides,
                                 kNoEnergyCounter,
                                 kEnergyForRoot,
                                 kGpuTellsNoEnergy,
                                 kNoPerfEvents,
                                 kPerfForAdministrators,
                                 kNoPmu,
                                 kNoLibTorch,
                                 kRunsNoPackages,
                                 kInstallGpuDriver,
                                 kGiveManagementLibrary,
                                 kRestartMachine,
                                 kGiveAccess,
                                 kUnsetVisible,
                                 kUpdateDriver,
                                 kMeasureOnLinux,
                                 kUnrestrict,
                                 kCountOnTheHost,
                                 kMakeReadable,
                                 kWholeGpuOrNewer,
                                 kLowerParanoid,
                                 kGivePmu,
                                 kNameTorchEnvironment,
                                 kAmdGpu,
                                 kIntelGpu};

} // namespace apertune::probe::reasons
