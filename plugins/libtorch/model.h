// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/tensors.h"
#include "plugins/support/report.h"

#include <string>

namespace apertune::libtorch {

using plugins::Report;

/// A loaded model, whatever its format.
class Model
{
public:
    virtual ~Model() = default;

    /// Starts one forward pass. The result goes to *keep; with a null `keep` it is dropped at once.
    virtual void forward(const InputSet& inputs, c10::IValue* keep) = 0;

    /// Restores the loaded values of attributes that keep state, so that the outputs of the next pass depend on its
    /// inputs alone.
    virtual void resetState() {}

    /// Returns the folder into which the model unpacked itself, or "". It remains if the process is killed.
    virtual std::string temporaryFolder() const { return ""; }

    /// Reads back the switches that concern the model itself. `inputs` is one of the sets that it runs on.
    virtual void report(const Request& request, const InputSet& inputs, Report& report) = 0;
};

} // namespace apertune::libtorch
