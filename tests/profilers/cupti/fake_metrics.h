// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profilers/cupti/metrics_api.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace apertune::profilers::testing {

/// CUPTI's counters without a GPU: a table of functions that keeps what it was told, hands out the samples and kernels
/// that a test gives it, and fails where it is told to. One at a time, because the functions carry no user data.
class FakeMetrics
{
public:
    using Values = std::map<std::string, double>; ///< values by metric; a metric that is not named is 0
    struct Sample
    {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        Values values{};
    };

    FakeMetrics();
    ~FakeMetrics();
    FakeMetrics(const FakeMetrics&) = delete;
    FakeMetrics& operator=(const FakeMetrics&) = delete;

    MetricsApi api() const;
    void push(const Sample& sample); ///< adds it to the hardware's buffer; from any thread

    // What the session did.
    std::vector<std::string> calls; ///< in order: "initialize", "pm enable", "range start", …
    bool balanced() const;          ///< whatever was switched on is off again, and no host object is left
    CUpti_PmSampling_SetConfig_Params sampling{};
    CUpti_RangeProfiler_SetConfig_Params ranging{};

    // What the test asks for.
    std::map<std::string, CUptiResult> results; ///< answers, by the words of `calls`
    std::set<std::string> unknown;              ///< metrics that the chip does not have
    std::map<std::string, int> passes;          ///< further passes for a metric; 0 where it fits beside the others
    CUpti_Profiler_DeviceSupported_Params device{};
    CUresult driver = CUDA_SUCCESS;
    CUcontext context = reinterpret_cast<CUcontext>(0x1234);
    std::uint64_t clock = 0; ///< time that cuptiGetTimestamp() returns
    bool overflow = false;
    bool oldChip = false; ///< the chip triggers by cycles only and keeps the oldest samples only
    std::vector<Values> kernels;
    std::size_t droppedKernels = 0;
    bool allPasses = true;

    struct State;
    std::unique_ptr<State> state;
    CUptiResult note(const std::string& call);
};

} // namespace apertune::profilers::testing
