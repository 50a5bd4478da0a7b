// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"
#include "plugins/libtorch/request.h"
#include "plugins/support/artifact.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace apertune::libtorch {

using plugins::Artifact;
using plugins::InputSpec;

/// The arguments of one forward pass, on the device, in two forms: for compiled packages and for TorchScript.
struct InputSet
{
    std::vector<at::Tensor> tensors;
    std::vector<c10::IValue> values;
};

/// Returns the type to which floating-point tensors are cast. nullopt for fp32 and tf32, which need no cast.
std::optional<at::ScalarType> castType(Precision precision);

/// Reads the reference samples and makes request.inputSets sets on the device. Set k holds the samples k*batch …
/// k*batch+batch-1, modulo the number of samples. An input without a batch dimension is the same in all sets. Besides
/// the sets, only the reference samples take memory.
std::vector<InputSet> makeInputSets(const Artifact& artifact, const Request& request, at::Device device);

/// Copies samples into a set, as set_samples() of apertune_plugin.h says. Pixels are converted to values on the device.
/// The call may return before the device has the samples. Throws Fault UNSUPPORTED or BAD_INPUT.
void setInputSamples(const InputSet& set, const Artifact& artifact, const Request& request,
                     const apertune_samples& samples);

/// A tensor inside a result (tensor, tuple, list, dictionary, nested). flatten() returns them in a fixed order:
/// sequences by position, dictionaries by their own order. Values that are no tensors are left out.
struct NamedTensor
{
    std::string name;
    at::Tensor tensor;
};
std::vector<NamedTensor> flatten(const c10::IValue& result, const std::vector<std::string>& names);

/// Copies tensors to host memory in the form of apertune_tensor and passes them to `sink`.
void handOver(const std::vector<NamedTensor>& tensors,
              const std::function<void(const apertune_tensor*, std::size_t)>& sink);

} // namespace apertune::libtorch
