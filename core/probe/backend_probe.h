// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/search/grid.h"
#include "core/worker/installation.h"
#include "core/worker/launcher.h"

#include <vector>

namespace apertune::probe {

/// Converts a plugin's description of itself ("describe" of plugins/api) to the form that the search uses. Malformed
/// members are ignored. Private to this folder.
///
///   - `device` is the one that the worker was started for. If the plugin sees it, all equal devices of `devices` count
///     as seen, because a worker sees one GPU only.
///   - Devices of a kind that Apertune does not find by itself (DeviceType::isProbed()) are taken from the description.
///   - An id that names no device (isDeviceId()) is left out with a note.
///   - canCompile is not set here.
search::BackendInfo backendFromDescription(const std::string& name, const base::Json& description,
                                           const model::Device& device, const std::vector<model::Device>& devices);

/// Returns the devices of a description that Apertune does not find by itself, in its order. A device without memory of
/// its own gets the host's, `hostMemory`.
std::vector<model::Device> devicesFromDescription(const base::Json& description, base::Bytes hostMemory);

/// Returns the sorted names of the backends in a plugins folder, by their libraries and manifests.
std::vector<std::string> backendNames(const std::filesystem::path& plugins);

struct ProbedBackends
{
    std::vector<search::BackendInfo> backends;
    std::vector<model::Device> devices; ///< the given devices, then those that only backends show, with their engines
};

/// Asks each backend of the plugins folder for its capabilities, in workers that are started for this and end at once.
/// Blocks for seconds. A backend that cannot start is in the list with no switches and the reason in
/// cannotCompileReason.
ProbedBackends probeBackends(worker::Launcher& launcher, const worker::Installation& installation,
                             const std::vector<model::Device>& devices);

} // namespace apertune::probe
