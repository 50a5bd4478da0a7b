// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profilers/cupti/fake_cupti.h"

#include <array>
#include <cstdio>
#include <stdexcept>
#include <thread>

namespace apertune::profilers::testing {

namespace {

FakeCupti* g_fake = nullptr;

std::size_t sizeOf(CUpti_ActivityKind kind)
{
    static const std::map<std::size_t, std::size_t> known{
        {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, sizeof(CUpti_ActivityKernel10)},
        {CUPTI_ACTIVITY_KIND_KERNEL, sizeof(CUpti_ActivityKernel10)},
        {CUPTI_ACTIVITY_KIND_MEMCPY, sizeof(CUpti_ActivityMemcpy6)},
        {CUPTI_ACTIVITY_KIND_MEMCPY2, sizeof(CUpti_ActivityMemcpyPtoP4)},
        {CUPTI_ACTIVITY_KIND_MEMSET, sizeof(CUpti_ActivityMemset4)},
        {CUPTI_ACTIVITY_KIND_RUNTIME, sizeof(CUpti_ActivityAPI)},
        {CUPTI_ACTIVITY_KIND_DRIVER, sizeof(CUpti_ActivityAPI)},
        {CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API, sizeof(CUpti_ActivityAPI)},
        {CUPTI_ACTIVITY_KIND_MEMORY2, sizeof(CUpti_ActivityMemory4)},
        {CUPTI_ACTIVITY_KIND_MEMORY_POOL, sizeof(CUpti_ActivityMemoryPool3)},
        {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, sizeof(CUpti_ActivitySynchronization2)},
        {CUPTI_ACTIVITY_KIND_CUDA_EVENT, sizeof(CUpti_ActivityCudaEvent2)},
        {CUPTI_ACTIVITY_KIND_STREAM, sizeof(CUpti_ActivityStream)},
        {CUPTI_ACTIVITY_KIND_CONTEXT, sizeof(CUpti_ActivityContext3)},
        {CUPTI_ACTIVITY_KIND_DEVICE, sizeof(CUpti_ActivityDevice5)},
        {CUPTI_ACTIVITY_KIND_OVERHEAD, sizeof(CUpti_ActivityOverhead3)},
        {CUPTI_ACTIVITY_KIND_MARKER, sizeof(CUpti_ActivityMarker2)},
        {CUPTI_ACTIVITY_KIND_MARKER_DATA, sizeof(CUpti_ActivityMarkerData2)},
        {CUPTI_ACTIVITY_KIND_NAME, sizeof(CUpti_ActivityName)},
        {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, sizeof(CUpti_ActivityExternalCorrelation)},
        {CUPTI_ACTIVITY_KIND_GRAPH_TRACE, sizeof(CUpti_ActivityGraphTrace2)},
        {CUPTI_ACTIVITY_KIND_JIT, sizeof(CUpti_ActivityJit2)},
        {CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, sizeof(CUpti_ActivityUnifiedMemoryCounter3)},
        {CUPTI_ACTIVITY_KIND_ENVIRONMENT, sizeof(CUpti_ActivityEnvironment)},
        {CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS, sizeof(CUpti_ActivityMemDecompress)},
        {CUPTI_ACTIVITY_KIND_PCIE, sizeof(CUpti_ActivityPcie)},
        {CUPTI_ACTIVITY_KIND_NVLINK, sizeof(CUpti_ActivityNvLink4)},
        {CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION, sizeof(CUpti_ActivityConfidentialComputeRotation)},
        {CUPTI_ACTIVITY_KIND_MODULE, 32}, // known to CUPTI, not to us
    };
    // Flat, because benchmarks walk with it where there is no CUPTI.
    static const auto sizes = [] {
        std::array<std::size_t, CUPTI_ACTIVITY_KIND_COUNT> flat{};
        for (const auto& [number, size] : known)
            flat[number] = size;
        return flat;
    }();
    const auto number = static_cast<std::size_t>(kind);
    return number < sizes.size() ? sizes[number] : 0;
}

} // namespace

CUptiResult nextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record)
{
    auto* at = reinterpret_cast<std::uint8_t*>(*record);
    at = at ? at + sizeOf((*record)->kind) : buffer;
    const auto left = static_cast<std::size_t>(buffer + valid - at);
    if (left < sizeof(CUpti_ActivityKind))
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    CUpti_ActivityKind kind{};
    std::memcpy(&kind, at, sizeof kind);
    const std::size_t size = sizeOf(kind);
    if (size == 0)
        return CUPTI_ERROR_INVALID_KIND;
    if (size > left)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity*>(at);
    return CUPTI_SUCCESS;
}

FakeCupti::FakeCupti()
{
    if (g_fake)
        throw std::logic_error("one at a time");
    g_fake = this;
}

FakeCupti::~FakeCupti()
{
    g_fake = nullptr;
}

CUptiResult FakeCupti::note(const std::string& call)
{
    calls.push_back(call);
    const auto it = results.find(call);
    return it == results.end() ? CUPTI_SUCCESS : it->second;
}

void FakeCupti::emitBytes(const void* record, std::size_t size)
{
    if (m_buffer && m_used + size > m_size)
        completeCurrent();
    if (!m_buffer) {
        std::size_t most = 1;
        requestBuffer(&m_buffer, &m_size, &most);
        m_used = 0;
        if (!m_buffer) {
            ++dropped;
            return;
        }
        if (reinterpret_cast<std::uintptr_t>(m_buffer) % 8 != 0 || most != 0)
            throw std::logic_error("not a buffer that CUPTI takes");
        for (std::size_t i = 0; i < m_size; i += 512)
            if (m_buffer[i] != 0)
                throw std::logic_error("the buffer was promised to be zero");
    }
    std::memcpy(m_buffer + m_used, record, size);
    m_used += size;
}

void FakeCupti::completeCurrent()
{
    if (!m_buffer)
        return;
    std::uint8_t* const buffer = m_buffer;
    m_buffer = nullptr;
    std::thread([this, buffer] { completeBuffer(nullptr, 0, buffer, m_size, m_used); }).join();
}

CUptiResult FakeCupti::flush()
{
    if (!flushForgets)
        completeCurrent();
    return CUPTI_SUCCESS;
}

CuptiApi FakeCupti::api() const
{
    CuptiApi t;
    t.getVersion = [](std::uint32_t* version) {
        *version = 130001;
        return CUPTI_SUCCESS;
    };
    t.getResultString = [](CUptiResult result, const char** text) {
        static thread_local std::string words;
        words = "result " + std::to_string(static_cast<int>(result));
        *text = words.c_str();
        return CUPTI_SUCCESS;
    };
    t.getTimestamp = [](std::uint64_t* time) {
        *time = 1'000'000;
        return CUPTI_SUCCESS;
    };
    t.getCallbackName = [](CUpti_CallbackDomain domain, std::uint32_t cbid, const char** name) {
        if (cbid == 99)
            return CUPTI_ERROR_INVALID_PARAMETER;
        *name = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? "cudaLaunchKernel" : "cuLaunchKernel";
        return CUPTI_SUCCESS;
    };
    t.subscribe = [](CUpti_SubscriberHandle* handle, CUpti_CallbackFunc function, void*,
                     CUpti_SubscriberParams* parameters) {
        const CUptiResult result = g_fake->note("subscribe");
        g_fake->callback = function;
        *handle = reinterpret_cast<CUpti_SubscriberHandle>(g_fake);
        std::snprintf(parameters->oldSubscriberName, parameters->oldSubscriberSize, "%s", g_fake->holder.c_str());
        return result;
    };
    t.unsubscribe = [](CUpti_SubscriberHandle) { return g_fake->note("unsubscribe"); };
    t.setThreadIdType = [](CUpti_ActivityThreadIdType) { return g_fake->note("thread ids"); };
    t.activitySetAttribute = [](CUpti_ActivityAttribute attribute, std::size_t*, void*) {
        return g_fake->note("attribute " + std::to_string(static_cast<int>(attribute)));
    };
    t.activityRegisterTimestampCallback = [](CUpti_TimestampCallbackFunc function) {
        g_fake->clock = function;
        return g_fake->note("clock");
    };
    t.activityRegisterCallbacks = [](CUpti_BuffersCallbackRequestFunc request,
                                     CUpti_BuffersCallbackCompleteFunc complete) {
        g_fake->requestBuffer = request;
        g_fake->completeBuffer = complete;
        return g_fake->note("buffers");
    };
    t.activityEnable = [](CUpti_ActivityKind kind) {
        const CUptiResult result = g_fake->note("enable " + std::to_string(static_cast<int>(kind)));
        if (result == CUPTI_SUCCESS)
            g_fake->enabled.insert(kind);
        return result;
    };
    t.activityDisable = [](CUpti_ActivityKind kind) {
        g_fake->enabled.erase(kind);
        return g_fake->note("disable " + std::to_string(static_cast<int>(kind)));
    };
    t.activityFlushAll = [](std::uint32_t flag) {
        if (flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) {
            g_fake->note("flush forced");
            return g_fake->flush();
        }
        return CUPTI_SUCCESS; // returns only what is complete, which is handed over already
    };
    t.activityGetNextRecord = nextRecord;
    t.activityGetNumDroppedRecords = [](CUcontext, std::uint32_t, std::size_t* count) {
        *count = g_fake->dropped.exchange(0);
        return CUPTI_SUCCESS;
    };
    t.activityPushExternalCorrelationId = [](CUpti_ExternalCorrelationKind, std::uint64_t id) {
        g_fake->externalIds.push_back(id);
        return CUPTI_SUCCESS;
    };
    t.activityPopExternalCorrelationId = [](CUpti_ExternalCorrelationKind, std::uint64_t* id) {
        *id = g_fake->externalIds.back();
        g_fake->externalIds.pop_back();
        return CUPTI_SUCCESS;
    };
    t.activityEnableAndDump = [](CUpti_ActivityKind kind) {
        const CUptiResult result = g_fake->note("dump " + std::to_string(static_cast<int>(kind)));
        if (result == CUPTI_SUCCESS)
            g_fake->enabled.insert(kind);
        return result;
    };
    t.activityEnableRuntimeApi = [](CUpti_CallbackId id, std::uint8_t) {
        return g_fake->note("silence runtime " + std::to_string(id));
    };
    t.activityEnableDriverApi = [](CUpti_CallbackId id, std::uint8_t) {
        return g_fake->note("silence driver " + std::to_string(id));
    };
    t.activityEnableAllSyncRecords = [](std::uint8_t) { return g_fake->note("sync records"); };
    t.activityEnableAllocationSource = [](std::uint8_t) { return g_fake->note("allocation source"); };
    t.enableCallback = [](std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain domain, CUpti_CallbackId id) {
        return g_fake->note("callback " + std::to_string(static_cast<int>(domain)) + " " + std::to_string(id));
    };
    return t;
}

} // namespace apertune::profilers::testing
