// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::search::errors {

using base::MessageKind;

// Messages: each states the failure and its cause.
inline constexpr MessageKind kNoDevice{"search.no_device", {"name"}};
inline constexpr MessageKind kAutoBatchAlone{"search.auto_batch_alone"};
inline constexpr MessageKind kNoBatch{"search.no_batch", {"batch"}};
inline constexpr MessageKind kNoThreads{"search.no_threads", {"threads"}};
inline constexpr MessageKind kNoDeviceAtAll{"search.no_device_at_all"};
inline constexpr MessageKind kNoBackend{"search.no_backend", {"name"}};
inline constexpr MessageKind kNoSwitch{"search.no_switch", {"name"}};
inline constexpr MessageKind kSwitchWithoutValue{"search.switch_without_value", {"switch"}};
inline constexpr MessageKind kTooManyConfigurations{"search.too_many_configurations", {"count"}};
inline constexpr MessageKind kNothingExists{"search.nothing_exists", {"backends"}};

// Hints: each states the remedy.
inline constexpr MessageKind kDevicesHere{"search.devices_here", {"devices"}};
inline constexpr MessageKind kAutoOrList{"search.auto_or_list"};
inline constexpr MessageKind kBatchesFromOne{"search.batches_from_one"};
inline constexpr MessageKind kThreadsFromOne{"search.threads_from_one"};
inline constexpr MessageKind kSeeDevices{"search.see_devices"};
inline constexpr MessageKind kNoPlugins{"search.no_plugins"};
inline constexpr MessageKind kKnown{"search.known", {"names"}};
inline constexpr MessageKind kWriteSwitch{"search.write_switch", {"switch"}};
inline constexpr MessageKind kFewerAxes{"search.fewer_axes"};
inline constexpr MessageKind kSeeOffers{"search.see_offers"};

inline constexpr std::array kAll{kNoDevice,
                                 kAutoBatchAlone,
                                 kNoBatch,
                                 kNoThreads,
                                 kNoDeviceAtAll,
                                 kNoBackend,
                                 kNoSwitch,
                                 kSwitchWithoutValue,
                                 kTooManyConfigurations,
                                 kNothingExists,
                                 kDevicesHere,
                                 kAutoOrList,
                                 kBatchesFromOne,
                                 kThreadsFromOne,
                                 kSeeDevices,
                                 kNoPlugins,
                                 kKnown,
                                 kWriteSwitch,
                                 kFewerAxes,
                                 kSeeOffers};

} // namespace apertune::search::errors
