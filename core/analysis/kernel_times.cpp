// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/kernel_times.h"

#include <utility>

namespace apertune::analysis {

std::vector<Intervals> kernelTimes(const TraceIndex& index, Collectives collectives)
{
    std::vector<std::vector<Interval>> kernels(index.devices.size());
    for (const Work& w : index.work)
        if (w.isKernel() &&
            (collectives == Collectives::counted || index.kernelClass(w.name) != OpClass::communication))
            kernels[w.device].push_back(w.time);
    std::vector<Intervals> times;
    for (std::vector<Interval>& list : kernels)
        times.push_back(unite(std::move(list)));
    return times;
}

} // namespace apertune::analysis
