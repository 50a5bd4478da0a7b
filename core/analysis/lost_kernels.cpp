// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/lost_kernels.h"

#include <algorithm>

namespace apertune::analysis {

LostKernels lostKernels(const TraceIndex& index)
{
    LostKernels kernels;
    for (const HostCall& call : index.calls) {
        if (call.kind != CallKind::launch && call.kind != CallKind::graphLaunch)
            continue;
        if (call.captured) {
            ++kernels.captured;
            continue;
        }
        ++kernels.launched;
        kernels.lost += call.work == kNone ? 1 : 0;
    }
    const bool joined = index.work.empty() || std::any_of(index.work.begin(), index.work.end(),
                                                          [](const Work& work) { return work.call != kNone; });
    if (!joined)
        kernels.lost = 0;
    return kernels;
}

} // namespace apertune::analysis
