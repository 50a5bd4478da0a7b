// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/search/grid.h"

#include <vector>

namespace apertune::probe {

/// What a plugin says of itself (describe of plugins/api) as what the search needs. `device` is the one that the
/// worker was started for; equal GPUs among `devices` count as seen when it saw that one. Whether anything can be
/// compiled is not decided here. Private to this folder.
///
/// A device of a kind that Apertune does not find by itself (DeviceType::isProbed()) counts as the backend names it; an
/// id that is no device's (isDeviceId()) is left out with a note.
search::BackendInfo backendFromDescription(const std::string& name, const base::Json& description,
                                           const model::Device& device, const std::vector<model::Device>& devices);

/// The devices that only a description shows, in its order. Such a device that has no memory of its own has the
/// host's, `hostMemory`.
std::vector<model::Device> devicesFromDescription(const base::Json& description, base::Bytes hostMemory);

/// The names of the backends in a plugins folder, by their libraries and manifests, sorted.
std::vector<std::string> backendNames(const std::filesystem::path& plugins);

} // namespace apertune::probe
