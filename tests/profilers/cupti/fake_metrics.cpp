// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profilers/cupti/fake_metrics.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <stdexcept>

namespace apertune::profilers::testing {

struct FakeMetrics::State
{
    std::mutex mutex;
    std::map<std::uintptr_t, std::vector<std::string>> hosts; ///< names added to each host object
    std::uintptr_t nextHost = 1;
    std::deque<Sample> pending;
    std::vector<Sample> image;
    std::size_t capacity = 0;
    int on = 0;
    int deepest = 0;
};

namespace {

FakeMetrics* g_metrics = nullptr;
constexpr std::size_t kImageSize = 32;

FakeMetrics::State& state()
{
    return *g_metrics->state;
}

template <typename Params>
CUptiResult checked(const char* call, const Params* p, std::size_t size)
{
    return p->structSize == size && p->pPriv == nullptr ? g_metrics->note(call) : CUPTI_ERROR_INVALID_PARAMETER;
}
#define NOTED(call, p, type)                                                                                           \
    if (const CUptiResult noted = checked(call, p, type##_STRUCT_SIZE); noted != CUPTI_SUCCESS)                        \
    return noted

template <int Step>
CUptiResult switched()
{
    state().on += Step;
    return CUPTI_SUCCESS;
}

std::uintptr_t numberOf(const CUpti_Profiler_Host_Object* host)
{
    return reinterpret_cast<std::uintptr_t>(host);
}

CUptiResult giveImage(std::size_t& size, std::uint8_t* image)
{
    if (image)
        std::memset(image, 7, size);
    size = kImageSize;
    return CUPTI_SUCCESS;
}

void bindHost(MetricsApi& t)
{
    t.hostInitialize = [](CUpti_Profiler_Host_Initialize_Params* p) {
        NOTED("host initialize", p, CUpti_Profiler_Host_Initialize_Params);
        state().hosts[state().nextHost];
        p->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(state().nextHost++);
        return CUPTI_SUCCESS;
    };
    t.hostDeinitialize = [](CUpti_Profiler_Host_Deinitialize_Params* p) {
        return state().hosts.erase(numberOf(p->pHostObject)) == 1 ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
    };
    t.hostConfigAddMetrics = [](CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
        NOTED("host add", p, CUpti_Profiler_Host_ConfigAddMetrics_Params);
        for (std::size_t i = 0; i < p->numMetrics; ++i) {
            if (g_metrics->unknown.contains(p->ppMetricNames[i]))
                return CUPTI_ERROR_INVALID_METRIC_NAME;
            state().hosts.at(numberOf(p->pHostObject)).emplace_back(p->ppMetricNames[i]);
        }
        return CUPTI_SUCCESS;
    };
    t.hostGetConfigImageSize = [](CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
        p->configImageSize = sizeof(int);
        return CUPTI_SUCCESS;
    };
    t.hostGetConfigImage = [](CUpti_Profiler_Host_GetConfigImage_Params* p) {
        int passes = 1;
        for (const std::string& name : state().hosts.at(numberOf(p->pHostObject)))
            if (const auto it = g_metrics->passes.find(name); it != g_metrics->passes.end())
                passes += it->second;
        std::memcpy(p->pConfigImage, &passes, sizeof passes);
        return CUPTI_SUCCESS;
    };
    t.hostGetNumOfPasses = [](CUpti_Profiler_Host_GetNumOfPasses_Params* p) {
        int passes = 0;
        std::memcpy(&passes, p->pConfigImage, sizeof passes);
        p->numOfPasses = static_cast<std::size_t>(passes);
        return CUPTI_SUCCESS;
    };
    t.hostEvaluateToGpuValues = [](CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
        NOTED("evaluate", p, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
        const FakeMetrics::Values& values =
            g_metrics->kernels.empty() ? state().image.at(p->rangeIndex).values : g_metrics->kernels.at(p->rangeIndex);
        for (std::size_t i = 0; i < p->numMetrics; ++i) {
            const auto it = values.find(p->ppMetricNames[i]);
            p->pMetricValues[i] = it == values.end() ? 0 : it->second;
        }
        return CUPTI_SUCCESS;
    };
}

void bindSampling(MetricsApi& t)
{
    t.pmGetCounterAvailability = [](CUpti_PmSampling_GetCounterAvailability_Params* p) {
        NOTED("pm availability", p, CUpti_PmSampling_GetCounterAvailability_Params);
        return giveImage(p->counterAvailabilityImageSize, p->pCounterAvailabilityImage);
    };
    t.pmEnable = [](CUpti_PmSampling_Enable_Params* p) {
        NOTED("pm enable", p, CUpti_PmSampling_Enable_Params);
        p->pPmSamplingObject = reinterpret_cast<CUpti_PmSampling_Object*>(0x10);
        return switched<1>();
    };
    t.pmDisable = [](CUpti_PmSampling_Disable_Params* p) {
        NOTED("pm disable", p, CUpti_PmSampling_Disable_Params);
        return switched<-1>();
    };
    t.pmSetConfig = [](CUpti_PmSampling_SetConfig_Params* p) {
        NOTED("pm config", p, CUpti_PmSampling_SetConfig_Params);
        if (g_metrics->oldChip && (p->triggerMode != CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL ||
                                   p->hwBufferAppendMode != CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST))
            return CUPTI_ERROR_NOT_SUPPORTED;
        g_metrics->sampling = *p;
        return CUPTI_SUCCESS;
    };
    t.pmGetCounterDataSize = [](CUpti_PmSampling_GetCounterDataSize_Params* p) {
        NOTED("pm data size", p, CUpti_PmSampling_GetCounterDataSize_Params);
        state().capacity = p->maxSamples;
        p->counterDataSize = kImageSize;
        return CUPTI_SUCCESS;
    };
    t.pmCounterDataImageInitialize = [](CUpti_PmSampling_CounterDataImage_Initialize_Params* p) {
        state().image.clear();
        return p->counterDataSize == kImageSize ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
    };
    t.pmStart = [](CUpti_PmSampling_Start_Params* p) {
        NOTED("pm start", p, CUpti_PmSampling_Start_Params);
        return switched<1>();
    };
    t.pmStop = [](CUpti_PmSampling_Stop_Params* p) {
        NOTED("pm stop", p, CUpti_PmSampling_Stop_Params);
        return switched<-1>();
    };
    t.pmDecodeData = [](CUpti_PmSampling_DecodeData_Params* p) {
        NOTED("pm decode", p, CUpti_PmSampling_DecodeData_Params);
        const std::lock_guard lock(state().mutex);
        while (!state().pending.empty() && state().image.size() < state().capacity) {
            state().image.push_back(state().pending.front());
            state().pending.pop_front();
        }
        p->decodeStopReason = state().pending.empty() ? CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS
                                                      : CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
        p->overflow = g_metrics->overflow;
        return g_metrics->overflow ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
    };
    t.pmGetCounterDataInfo = [](CUpti_PmSampling_GetCounterDataInfo_Params* p) {
        p->numTotalSamples = state().capacity;
        p->numPopulatedSamples = p->numCompletedSamples = state().image.size();
        return CUPTI_SUCCESS;
    };
    t.pmCounterDataGetSampleInfo = [](CUpti_PmSampling_CounterData_GetSampleInfo_Params* p) {
        p->startTimestamp = state().image.at(p->sampleIndex).begin;
        p->endTimestamp = state().image.at(p->sampleIndex).end;
        return CUPTI_SUCCESS;
    };
}

void bindRanges(MetricsApi& t)
{
    t.rangeEnable = [](CUpti_RangeProfiler_Enable_Params* p) {
        NOTED("range enable", p, CUpti_RangeProfiler_Enable_Params);
        if (!p->ctx)
            throw std::logic_error("the real one crashes");
        p->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(0x20);
        return switched<1>();
    };
    t.rangeDisable = [](CUpti_RangeProfiler_Disable_Params* p) {
        NOTED("range disable", p, CUpti_RangeProfiler_Disable_Params);
        return switched<-1>();
    };
    t.rangeGetCounterDataSize = [](CUpti_RangeProfiler_GetCounterDataSize_Params* p) {
        NOTED("range data size", p, CUpti_RangeProfiler_GetCounterDataSize_Params);
        p->counterDataSize = kImageSize;
        return p->maxNumRangeTreeNodes >= p->maxNumOfRanges ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
    };
    t.rangeCounterDataImageInitialize = [](CUpti_RangeProfiler_CounterDataImage_Initialize_Params* p) {
        NOTED("range image", p, CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
        return CUPTI_SUCCESS;
    };
    t.rangeSetConfig = [](CUpti_RangeProfiler_SetConfig_Params* p) {
        NOTED("range config", p, CUpti_RangeProfiler_SetConfig_Params);
        g_metrics->ranging = *p;
        return CUPTI_SUCCESS;
    };
    t.rangeStart = [](CUpti_RangeProfiler_Start_Params* p) {
        NOTED("range start", p, CUpti_RangeProfiler_Start_Params);
        return switched<1>();
    };
    t.rangeStop = [](CUpti_RangeProfiler_Stop_Params* p) {
        NOTED("range stop", p, CUpti_RangeProfiler_Stop_Params);
        p->isAllPassSubmitted = g_metrics->allPasses;
        return switched<-1>();
    };
    t.rangeDecodeData = [](CUpti_RangeProfiler_DecodeData_Params* p) {
        NOTED("range decode", p, CUpti_RangeProfiler_DecodeData_Params);
        p->numOfRangeDropped = g_metrics->droppedKernels;
        return CUPTI_SUCCESS;
    };
    t.rangeGetCounterDataInfo = [](CUpti_RangeProfiler_GetCounterDataInfo_Params* p) {
        p->numTotalRanges = g_metrics->kernels.size();
        return CUPTI_SUCCESS;
    };
    t.rangeCounterDataGetRangeInfo = [](CUpti_RangeProfiler_CounterData_GetRangeInfo_Params* p) {
        static std::string name;
        name = std::to_string(p->rangeIndex);
        p->rangeName = name.c_str();
        return CUPTI_SUCCESS;
    };
}

} // namespace

FakeMetrics::FakeMetrics() : state(std::make_unique<State>())
{
    if (g_metrics)
        throw std::logic_error("one at a time");
    g_metrics = this;
    device.isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
}

FakeMetrics::~FakeMetrics()
{
    g_metrics = nullptr;
}

CUptiResult FakeMetrics::note(const std::string& call)
{
    const std::lock_guard lock(state->mutex);
    calls.push_back(call);
    const auto it = results.find(call);
    return it == results.end() ? CUPTI_SUCCESS : it->second;
}

void FakeMetrics::push(const Sample& sample)
{
    const std::lock_guard lock(state->mutex);
    state->pending.push_back(sample);
}

bool FakeMetrics::balanced() const
{
    return state->on == 0 && state->hosts.empty();
}

MetricsApi FakeMetrics::api() const
{
    MetricsApi t;
    t.getResultString = [](CUptiResult result, const char** text) {
        *text = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" : "CUPTI_ERROR";
        return CUPTI_SUCCESS;
    };
    t.getTimestamp = [](std::uint64_t* time) {
        *time = g_metrics->clock;
        return CUPTI_SUCCESS;
    };
    t.initialize = [](CUpti_Profiler_Initialize_Params* p) {
        NOTED("initialize", p, CUpti_Profiler_Initialize_Params);
        return switched<1>();
    };
    t.deInitialize = [](CUpti_Profiler_DeInitialize_Params* p) {
        NOTED("deinitialize", p, CUpti_Profiler_DeInitialize_Params);
        return switched<-1>();
    };
    t.deviceGetChipName = [](CUpti_Device_GetChipName_Params* p) {
        NOTED("chip name", p, CUpti_Device_GetChipName_Params);
        p->pChipName = "GH100";
        return CUPTI_SUCCESS;
    };
    t.deviceSupported = [](CUpti_Profiler_DeviceSupported_Params* p) {
        NOTED("device supported", p, CUpti_Profiler_DeviceSupported_Params);
        const auto asked = *p;
        *p = g_metrics->device;
        p->api = asked.api;
        return CUPTI_SUCCESS;
    };
    t.getCounterAvailability = [](CUpti_Profiler_GetCounterAvailability_Params* p) {
        NOTED("range availability", p, CUpti_Profiler_GetCounterAvailability_Params);
        return giveImage(p->counterAvailabilityImageSize, p->pCounterAvailabilityImage);
    };
    t.driverInit = [](unsigned) { return g_metrics->driver; };
    t.contextGetCurrent = [](CUcontext* current) {
        *current = g_metrics->context;
        return CUDA_SUCCESS;
    };
    bindHost(t);
    bindSampling(t);
    bindRanges(t);
    return t;
}

} // namespace apertune::profilers::testing
