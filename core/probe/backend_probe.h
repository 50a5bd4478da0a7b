// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/search/grid.h"

#include <vector>

namespace apertune::probe {

/// What a plugin says of itself (describe of plugins/api) as what the search needs. `device` is the one that the
/// worker was started for; equal GPUs among `devices` count as seen when it saw that one. Whether anything can be
/// compiled is not decided here. Private to this folder.
search::BackendInfo backendFromDescription(const std::string& name, const base::Json& description,
                                           const model::Device& device, const std::vector<model::Device>& devices);

/// The names of the backends in a plugins folder, by their libraries and manifests, sorted.
std::vector<std::string> backendNames(const std::filesystem::path& plugins);

} // namespace apertune::probe
