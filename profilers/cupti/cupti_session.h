// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/profiler.h"
#include "profilers/cupti/cupti_api.h"

#include <chrono>
#include <cstddef>
#include <memory>

namespace apertune::profilers {

struct CuptiOptions
{
    std::size_t readyBuffers = 8; ///< of 8 MiB, made before recording begins
    std::size_t mostBuffers = 64; ///< the memory cap; beyond it records are lost and that is counted
    std::chrono::milliseconds flushPeriod{500};
    trace::GraphRecords graphs = trace::GraphRecords::nodes;
};

/// Subscribes, switches the kinds on in the order that CUPTI needs, and records until stop(). Two threads of its own
/// come and go with it, one that flushes and one that decodes; no lock of ours is ever
/// held around a call of CUPTI. `api` must outlive the session.
/// Failures: busy (another tool holds the one place: it is named, or PyTorch's own profiler was asked for), unsupported
/// (no NVIDIA driver, no permission), internal. All that was switched on is switched off again.
base::Result<std::unique_ptr<trace::ProfilerSession>> startCupti(const CuptiApi& api, const CuptiOptions& options = {});

} // namespace apertune::profilers
