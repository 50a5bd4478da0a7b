// SPDX-License-Identifier: GPL-3.0-or-later
// libcupti.so.13: the functions of CUPTI that record activities. NVIDIA's own library, which lies beside this one as
// real-cupti.so, answers what needs no GPU: it walks the records, and names calls and results.
#include "tests/standin/machine.h"
#include "tests/standin/record_writer.h"
#include "tests/standin/settings.h"

#include <cupti.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>

using namespace apertune::standin; // this file holds nothing but functions of CUPTI

namespace {

RecordWriter& writer()
{
    static auto* const kWriter = new RecordWriter; // a thread of it runs until the process ends
    return *kWriter;
}

std::atomic<bool> subscribed{false};

/// A function of NVIDIA's library, or nullptr. Its name is not that of this one, so that it is no second CUPTI to
/// whoever looks for copies.
template <typename Function>
Function real(const char* name)
{
    static void* const kLibrary = [] {
        Dl_info self{};
        ::dladdr(&subscribed, &self);
        const std::string file = self.dli_fname ? self.dli_fname : "";
        return ::dlopen((file.substr(0, file.rfind('/') + 1) + "real-cupti.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    }();
    return kLibrary ? reinterpret_cast<Function>(::dlsym(kLibrary, name)) : nullptr;
}

/// Returns whether CUPTI can use the driver.
CUptiResult driver()
{
    return standinMachine()->initializeRuntime(CUDA_VERSION) == success ? CUPTI_SUCCESS : CUPTI_ERROR_NOT_INITIALIZED;
}

CUptiResult subscribeAs(CUpti_SubscriberHandle* subscriber)
{
    if (const CUptiResult answer = driver(); answer != CUPTI_SUCCESS)
        return answer;
    if (!settings().subscriber.empty() || subscribed.exchange(true))
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&subscribed);
    standinMachine()->observe(&writer());
    return CUPTI_SUCCESS;
}

CUptiResult enableKind(CUpti_ActivityKind kind, bool on, bool existing)
{
    if (const CUptiResult answer = driver(); answer != CUPTI_SUCCESS)
        return answer;
    if (kind <= CUPTI_ACTIVITY_KIND_INVALID || kind >= CUPTI_ACTIVITY_KIND_COUNT)
        return CUPTI_ERROR_INVALID_KIND;
    standinMachine()->observe(&writer());
    writer().enable(kind, on, existing);
    return CUPTI_SUCCESS;
}

} // namespace

extern "C" {

// --- What NVIDIA's library answers -----------------------------------------------------------------------------------

CUptiResult cuptiGetVersion(std::uint32_t* version)
{
    *version = settings().cupti;
    if (*version != 0)
        return CUPTI_SUCCESS;
    const auto ask = real<decltype(&cuptiGetVersion)>("cuptiGetVersion");
    return ask ? ask(version) : CUPTI_ERROR_NOT_INITIALIZED;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char** text)
{
    const auto ask = real<decltype(&cuptiGetResultString)>("cuptiGetResultString");
    return ask ? ask(result, text) : CUPTI_ERROR_NOT_INITIALIZED;
}

CUptiResult cuptiGetErrorMessage(CUptiResult result, const char** text)
{
    return cuptiGetResultString(result, text);
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, std::uint32_t callback, const char** name)
{
    const auto ask = real<decltype(&cuptiGetCallbackName)>("cuptiGetCallbackName");
    return ask ? ask(domain, callback, name) : CUPTI_ERROR_NOT_INITIALIZED;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record)
{
    const auto ask = real<decltype(&cuptiActivityGetNextRecord)>("cuptiActivityGetNextRecord");
    return ask ? ask(buffer, valid, record) : CUPTI_ERROR_NOT_INITIALIZED;
}

CUptiResult cuptiGetTimestamp(std::uint64_t* time)
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    *time = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000ULL + static_cast<std::uint64_t>(now.tv_nsec);
    return CUPTI_SUCCESS;
}

// --- Subscribers -----------------------------------------------------------------------------------------------------

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc, void*,
                              CUpti_SubscriberParams* parameters)
{
    const CUptiResult answer = subscribeAs(subscriber);
    if (answer == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED && parameters && parameters->oldSubscriberName)
        std::snprintf(parameters->oldSubscriberName, parameters->oldSubscriberSize, "%s",
                      settings().subscriber.c_str());
    return answer;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc, void*)
{
    return subscribeAs(subscriber);
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle)
{
    subscribed = false;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId)
{
    return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableDomain(std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain)
{
    return CUPTI_SUCCESS;
}

CUptiResult cuptiFinalize()
{
    return CUPTI_SUCCESS;
}

// --- Activities ------------------------------------------------------------------------------------------------------

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
    writer().setSystemThreads(type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute, std::size_t*, void*)
{
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc function)
{
    writer().setClock(function);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete)
{
    if (!request || !complete)
        return CUPTI_ERROR_INVALID_PARAMETER;
    writer().setBuffers(request, complete);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    return enableKind(kind, true, false);
}

CUptiResult cuptiActivityEnableAndDump(CUpti_ActivityKind kind)
{
    return enableKind(kind, true, true);
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
    return enableKind(kind, false, false);
}

CUptiResult cuptiActivityEnableRuntimeApi(std::uint32_t callback, std::uint8_t on)
{
    writer().enableCall(false, callback, on != 0);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableDriverApi(std::uint32_t callback, std::uint8_t on)
{
    writer().enableCall(true, callback, on != 0);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableAllSyncRecords(std::uint8_t)
{
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableAllocationSource(std::uint8_t)
{
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableCudaEventDeviceTimestamps(std::uint8_t)
{
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(std::uint32_t flag)
{
    writer().flush((flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* dropped)
{
    *dropped = writer().takeDropped();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind, std::uint64_t id)
{
    writer().push(kind, id);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind, std::uint64_t* last)
{
    return writer().pop(kind, last) ? CUPTI_SUCCESS : CUPTI_ERROR_QUEUE_EMPTY;
}

/// NVTX asks for this when the program names this library as the receiver of its ranges: 0 declines.
int InitializeInjectionNvtx2(void*)
{
    return 0;
}

} // extern "C"
