// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/worker/backend_manifest.h"

namespace apertune::models {

/// The parts of int8 quantization that users do not choose.
struct Int8Recipe
{
    bool narrow = false;    ///< 7-bit weights, because the processor adds 8-bit products in 16 bits
    bool symmetric = false; ///< signed activations with zero point 0, because the backend accepts no others
};

Int8Recipe int8Recipe(const model::Device& device, const worker::BackendManifest& backend);

} // namespace apertune::models
