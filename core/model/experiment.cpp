// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/experiment.h"

#include "core/base/text.h"
#include "core/model/ceilings.h"

#include <algorithm>
#include <vector>

namespace apertune::model {

std::string machineClass(const Device& device)
{
    // The key of ceilings tells apart GPUs of one kind, which are of one class.
    return device.type.isCpu() ? ceilingKey(device) : device.name;
}

std::string machineClass(const Environment& environment)
{
    std::vector<std::string> classes;
    for (const Device& device : environment.devices)
        if (const std::string own = machineClass(device);
            std::find(classes.begin(), classes.end(), own) == classes.end())
            classes.push_back(own);
    return base::join(classes, " + ");
}

} // namespace apertune::model
