// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/metrics_api.h"

#include "core/model/gpu_obstacles.h"
#include "profilers/cupti/cupti_api.h"
#include "profilers/cupti/errors.h"
#include "profilers/cupti/parameter_layout.h"

#include <dlfcn.h>

namespace apertune::profilers {

using base::Error;
using base::ErrorCode;

namespace {

base::Result<MetricsApi> bindMetrics()
{
    const auto cupti = loadCupti();
    if (!cupti)
        return cupti.error();
    void* const library = ::dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    // CUPTI looks for these two libraries by their bare names, and says only "unknown error" when they are missing. Its
    // own copies have to be loaded first: the loader could find another version, or none.
    for (const char* part : {"libnvperf_host.so", "libnvperf_target.so"})
        if (!openBeside(cupti->file, part))
            return Error{ErrorCode::unsupported, base::message<cupti::errors::kNoCounterLibrary>(part), part,
                         base::message<cupti::errors::kBesideCupti>()};
    MetricsApi api;
    std::string missing;
    const auto bind = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
        if (!function)
            missing += (missing.empty() ? "" : ", ") + std::string(name);
    };
    bind(api.getResultString, "cuptiGetResultString");
    bind(api.getTimestamp, "cuptiGetTimestamp");
    bind(api.initialize, "cuptiProfilerInitialize");
    bind(api.deInitialize, "cuptiProfilerDeInitialize");
    bind(api.deviceGetChipName, "cuptiDeviceGetChipName");
    bind(api.deviceSupported, "cuptiProfilerDeviceSupported");
    bind(api.getCounterAvailability, "cuptiProfilerGetCounterAvailability");
    bind(api.hostGetSupportedChips, "cuptiProfilerHostGetSupportedChips");
    bind(api.hostInitialize, "cuptiProfilerHostInitialize");
    bind(api.hostDeinitialize, "cuptiProfilerHostDeinitialize");
    bind(api.hostConfigAddMetrics, "cuptiProfilerHostConfigAddMetrics");
    bind(api.hostGetConfigImageSize, "cuptiProfilerHostGetConfigImageSize");
    bind(api.hostGetConfigImage, "cuptiProfilerHostGetConfigImage");
    bind(api.hostGetNumOfPasses, "cuptiProfilerHostGetNumOfPasses");
    bind(api.hostEvaluateToGpuValues, "cuptiProfilerHostEvaluateToGpuValues");
    bind(api.pmGetCounterAvailability, "cuptiPmSamplingGetCounterAvailability");
    bind(api.pmEnable, "cuptiPmSamplingEnable");
    bind(api.pmDisable, "cuptiPmSamplingDisable");
    bind(api.pmSetConfig, "cuptiPmSamplingSetConfig");
    bind(api.pmGetCounterDataSize, "cuptiPmSamplingGetCounterDataSize");
    bind(api.pmCounterDataImageInitialize, "cuptiPmSamplingCounterDataImageInitialize");
    bind(api.pmStart, "cuptiPmSamplingStart");
    bind(api.pmStop, "cuptiPmSamplingStop");
    bind(api.pmDecodeData, "cuptiPmSamplingDecodeData");
    bind(api.pmGetCounterDataInfo, "cuptiPmSamplingGetCounterDataInfo");
    bind(api.pmCounterDataGetSampleInfo, "cuptiPmSamplingCounterDataGetSampleInfo");
    bind(api.rangeEnable, "cuptiRangeProfilerEnable");
    bind(api.rangeDisable, "cuptiRangeProfilerDisable");
    bind(api.rangeSetConfig, "cuptiRangeProfilerSetConfig");
    bind(api.rangeGetCounterDataSize, "cuptiRangeProfilerGetCounterDataSize");
    bind(api.rangeCounterDataImageInitialize, "cuptiRangeProfilerCounterDataImageInitialize");
    bind(api.rangeStart, "cuptiRangeProfilerStart");
    bind(api.rangeStop, "cuptiRangeProfilerStop");
    bind(api.rangeDecodeData, "cuptiRangeProfilerDecodeData");
    bind(api.rangeGetCounterDataInfo, "cuptiRangeProfilerGetCounterDataInfo");
    bind(api.rangeCounterDataGetRangeInfo, "cuptiRangeProfilerCounterDataGetRangeInfo");
    if (!missing.empty())
        return Error{ErrorCode::unsupported, base::message<cupti::errors::kLacksCounterFunctions>(), missing,
                     base::message<cupti::errors::kUseCuda13>()};
    if (void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
        api.driverInit = reinterpret_cast<decltype(api.driverInit)>(::dlsym(driver, "cuInit"));
        api.contextGetCurrent = reinterpret_cast<decltype(api.contextGetCurrent)>(::dlsym(driver, "cuCtxGetCurrent"));
    }
    return api;
}

Error unsupported(base::Message message, base::Message hint)
{
    return {ErrorCode::unsupported, std::move(message), {}, std::move(hint)};
}

Error noDriver()
{
    return unsupported(base::message<cupti::errors::kNoDriverForCounters>(),
                       base::message<cupti::errors::kInstallDriver>());
}

} // namespace

std::string MetricsApi::textOf(CUptiResult result) const
{
    return resultText(getResultString, result);
}

Error MetricsApi::errorOf(CUptiResult result) const
{
    Error error;
    switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        error = unsupported(base::message<model::gpu_obstacles::kForAdministrators>(),
                            base::message<cupti::errors::kRunAsRoot>());
        break;
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        error = unsupported(base::message<cupti::errors::kHiddenByHypervisor>(),
                            base::message<cupti::errors::kEnableForGuest>());
        break;
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
        error = unsupported(base::message<model::gpu_obstacles::kSplitByMig>(),
                            base::message<model::gpu_obstacles::kTurnMigOff>());
        break;
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        error =
            unsupported(base::message<cupti::errors::kConfidential>(), base::message<cupti::errors::kMeasureWithout>());
        break;
    case CUPTI_ERROR_HARDWARE_BUSY:
        error = {ErrorCode::busy,
                 base::message<cupti::errors::kCountersBusy>(),
                 {},
                 base::message<cupti::errors::kStopOther>()};
        break;
    case CUPTI_ERROR_INVALID_CHIP_NAME:
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
        error = unsupported(base::message<cupti::errors::kNotThisConfiguration>(),
                            base::message<cupti::errors::kNeedsPlainGpu>());
        break;
    case CUPTI_ERROR_UNKNOWN:
        error =
            unsupported(base::message<cupti::errors::kFailedSilently>(), base::message<cupti::errors::kUpdateDriver>());
        break;
    default:
        error = {ErrorCode::internal,
                 base::message<cupti::errors::kCountersFailed>(),
                 {},
                 base::message<cupti::errors::kUpdateDriver>()};
    }
    error.context = textOf(result);
    return error;
}

void* openBeside(const std::string& neighbour, const char* name)
{
    const std::size_t slash = neighbour.rfind('/');
    if (slash != std::string::npos)
        if (void* const library = ::dlopen((neighbour.substr(0, slash + 1) + name).c_str(), RTLD_NOW | RTLD_GLOBAL))
            return library;
    return ::dlopen(name, RTLD_NOW | RTLD_GLOBAL);
}

base::Result<MetricsApi> loadMetrics()
{
    static const base::Result<MetricsApi> loaded = bindMetrics();
    return loaded;
}

base::Status checkMetrics(const MetricsApi& api, CUpti_Profiler_API kind)
{
    if (!api.driverInit || !api.contextGetCurrent)
        return noDriver();
    if (const CUresult status = api.driverInit(0); status != CUDA_SUCCESS)
        return unsupported(base::message<cupti::errors::kDriverSilent>(status),
                           base::message<model::gpu_obstacles::kRunSmi>());
    auto begin = APERTUNE_PARAMS(CUpti_Profiler_Initialize_Params);
    if (const CUptiResult status = api.initialize(&begin); status != CUPTI_SUCCESS)
        return api.errorOf(status);
    auto device = APERTUNE_PARAMS(CUpti_Profiler_DeviceSupported_Params);
    device.cuDevice = 0;
    device.api = kind;
    const CUptiResult status = api.deviceSupported(&device);
    auto end = APERTUNE_PARAMS(CUpti_Profiler_DeInitialize_Params);
    api.deInitialize(&end);
    if (status != CUPTI_SUCCESS)
        return api.errorOf(status);
    if (device.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        return {};
    const auto bad = [](CUpti_Profiler_Support_Level level) {
        return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED || level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
    };
    if (bad(device.architecture))
        return unsupported(base::message<cupti::errors::kTooOld>(),
                           base::message<model::gpu_obstacles::kNeedsTuring>());
    if (bad(device.vGpu))
        return api.errorOf(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
    if (bad(device.confidentialCompute))
        return api.errorOf(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
    if (bad(device.sli) || bad(device.cmp) || bad(device.wsl))
        return api.errorOf(CUPTI_ERROR_NOT_SUPPORTED);
    return unsupported(base::message<cupti::errors::kNotSupported>(), base::message<cupti::errors::kUpdateDriver>());
}

} // namespace apertune::profilers
