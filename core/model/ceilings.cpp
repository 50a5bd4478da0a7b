// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ceilings.h"

#include <algorithm>

namespace apertune::model {

const Ceiling* DeviceCeilings::find(std::string_view quantity) const
{
    const auto it = std::find_if(rates.begin(), rates.end(), [&](const Ceiling& c) { return c.quantity == quantity; });
    return it == rates.end() ? nullptr : &*it;
}

bool DeviceCeilings::steady() const
{
    constexpr double kWidest = 0.1;
    return std::all_of(rates.begin(), rates.end(),
                       [](const Ceiling& c) { return c.rate.relativeHalfWidth() <= kWidest; });
}

DeviceCeilings higherOf(const DeviceCeilings& earlier, const DeviceCeilings& later)
{
    DeviceCeilings best = later;
    for (const Ceiling& old : earlier.rates) {
        const auto same = std::find_if(best.rates.begin(), best.rates.end(),
                                       [&](const Ceiling& c) { return c.quantity == old.quantity; });
        if (same == best.rates.end())
            best.rates.push_back(old);
        else if (old.rate.value > same->rate.value)
            *same = old;
    }
    return best;
}

std::string ceilingKey(const Device& device)
{
    if (!device.uuid.empty())
        return device.uuid;
    return device.name + ", " + std::to_string(device.cores) + " cores, " + std::to_string(device.threads) + " threads";
}

} // namespace apertune::model
