// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/known_switch.h"
#include "plugins/libtorch/model.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace apertune::libtorch {

/// The switches that change the TorchScript graph or how it is run.
const std::vector<KnownSwitch>& graphSwitches();

/// Loads the artifact's TorchScript and prepares it in the only order that works: fold, cast, lay out, freeze,
/// optimize. It also selects the executor and the fusers, which are settings of the process and of the thread. Requests
/// that could not be fulfilled are added to `notes`. `state` names the attributes that Model::resetState() restores.
std::unique_ptr<Model> loadTorchScript(const std::filesystem::path& file, const Request& request, at::Device device,
                                       const std::vector<std::string>& state, std::vector<std::string>& notes);

} // namespace apertune::libtorch
