// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/device_watch.h"

namespace apertune::worker {

std::function<bool()> deviceSlowdown(const base::NvmlApi* nvml, const std::string& uuid)
{
    using base::NvmlApi;
    constexpr auto kSlowed =
        NvmlApi::kHardwareSlowdown | NvmlApi::kSoftwareThermal | NvmlApi::kHardwareThermal | NvmlApi::kPowerBrake;
    NvmlApi::Handle handle = nullptr;
    if (!nvml || uuid.empty() || !nvml->deviceGetCurrentClocksEventReasons || nvml->init() != 0 ||
        nvml->deviceGetHandleByUUID(uuid.c_str(), &handle) != 0)
        return {};
    return [nvml, handle] {
        unsigned long long reasons = 0;
        return nvml->deviceGetCurrentClocksEventReasons(handle, &reasons) == 0 && (reasons & kSlowed) != 0;
    };
}

} // namespace apertune::worker
