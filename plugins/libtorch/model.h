// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/tensors.h"
#include "plugins/support/report.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace apertune::libtorch {

using plugins::Report;

/// A loaded model, whatever its format.
class Model
{
public:
    virtual ~Model() = default;

    /// Starts one forward pass. The result goes to *keep; with a null `keep` it is dropped at once.
    virtual void forward(const InputSet& inputs, c10::IValue* keep) = 0;

    /// The folder into which the model unpacked itself, or "". It stays behind if the process is killed.
    virtual std::string temporaryFolder() const { return ""; }

    /// Reads back the switches that concern the model itself. `inputs` is one of the sets that it runs on.
    virtual void report(const Request& request, const InputSet& inputs, Report& report) = 0;
};

/// The switches that change the TorchScript graph or how it is run.
const std::vector<KnownSwitch>& graphSwitches();

/// Loads the artifact's TorchScript and prepares it in the only order that works: fold, cast, lay out, freeze,
/// optimize. It also selects the executor and the fusers, which are settings of the process and of the thread. Adds
/// to `notes` what was not possible as requested.
std::unique_ptr<Model> loadTorchScript(const std::filesystem::path& file, const Request& request, at::Device device,
                                       std::vector<std::string>& notes);

/// Opens the request's compiled package after checking that it was made for this configuration, these inputs and this
/// machine. Throws Fault BAD_INPUT, which names the difference.
std::unique_ptr<Model> loadPackage(const Artifact& artifact, const Request& request, at::Device device,
                                   const InputSet& inputs);

} // namespace apertune::libtorch
