// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/reference_file.h"

#include <string>
#include <vector>

namespace apertune::worker::testing {

inline KeptTensor floats(std::string name, std::vector<std::int64_t> shape, std::vector<float> values)
{
    KeptTensor tensor;
    tensor.name = std::move(name);
    tensor.shape = std::move(shape);
    tensor.floats = std::move(values);
    return tensor;
}

inline KeptTensor integers(std::string name, std::vector<std::int64_t> shape, std::vector<std::int64_t> values)
{
    KeptTensor tensor;
    tensor.name = std::move(name);
    tensor.dtype = APERTUNE_INT64;
    tensor.shape = std::move(shape);
    tensor.integers = std::move(values);
    return tensor;
}

/// The tensors of a set as a backend hands them over; valid while the set is.
inline std::vector<apertune_tensor> handedOver(const KeptSet& set)
{
    std::vector<apertune_tensor> tensors;
    for (const KeptTensor& t : set)
        tensors.push_back({t.name.c_str(), t.dtype, static_cast<std::uint32_t>(t.shape.size()), t.shape.data(),
                           t.dtype == APERTUNE_FLOAT32 ? static_cast<const void*>(t.floats.data())
                                                       : static_cast<const void*>(t.integers.data())});
    return tensors;
}

} // namespace apertune::worker::testing
