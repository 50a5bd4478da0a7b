// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/experiment.h"

#include "core/model/ceilings.h"

namespace apertune::model {

std::string machineClass(const Device& device)
{
    // The key of ceilings tells apart GPUs of one kind, which are of one class.
    return device.type.isCpu() ? ceilingKey(device) : device.name;
}

} // namespace apertune::model
