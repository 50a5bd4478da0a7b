// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/model.h"

#include <memory>

namespace apertune::libtorch {

/// Opens the request's compiled package after checking that it was made for this configuration, these inputs and this
/// machine. Throws Fault BAD_INPUT, which names the difference.
std::unique_ptr<Model> loadPackage(const Artifact& artifact, const Request& request, at::Device device,
                                   const InputSet& inputs);

} // namespace apertune::libtorch
