// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/int8_recipe.h"

namespace apertune::models {

namespace {

/// Whether the device adds 8-bit products in 32 bits (VNNI, AMX, ARM), so that 8-bit weights cannot overflow.
bool hasDotProducts(const model::Device& device)
{
    // Without such instructions, products are added in 16 bits, and 8-bit weights overflow.
    return !device.type.isCpu() || device.vnni() || device.hasIsa("asimd");
}

} // namespace

Int8Recipe int8Recipe(const model::Device& device, const worker::BackendManifest& backend)
{
    return {!hasDotProducts(device), backend.symmetricInt8};
}

} // namespace apertune::models
