// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/kernel_times.h"

#include <utility>

namespace apertune::analysis {

std::vector<TimeRanges> kernelTimes(const TraceIndex& index, Collectives collectives)
{
    std::vector<std::vector<TimeRange>> kernels(index.devices.size());
    for (const Work& w : index.work)
        if (w.isKernel() &&
            (collectives == Collectives::counted || index.kernelClass(w.name) != OpClass::communication))
            kernels[w.device].push_back(w.time);
    std::vector<TimeRanges> times;
    for (std::vector<TimeRange>& list : kernels)
        times.push_back(unite(std::move(list)));
    return times;
}

} // namespace apertune::analysis
