// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ceilings.h"

#include <algorithm>

namespace apertune::model {

const Ceiling* DeviceCeilings::find(std::string_view quantity) const
{
    const auto it = std::find_if(rates.begin(), rates.end(), [&](const Ceiling& c) { return c.quantity == quantity; });
    return it == rates.end() ? nullptr : &*it;
}

std::string ceilingKey(const Device& device)
{
    if (!device.uuid.empty())
        return device.uuid;
    return device.name + ", " + std::to_string(device.cores) + " cores, " + std::to_string(device.threads) + " threads";
}

} // namespace apertune::model
