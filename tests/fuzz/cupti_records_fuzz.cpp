// SPDX-License-Identifier: GPL-3.0-or-later
// Activity records of CUPTI. The input is a list of records, each with a kind, the texts that it points to and its
// bytes. Pointers are always valid, because the decoder need not survive a random pointer. Buffers end at any byte,
// also within a record.
#include "profilers/cupti/record_decoder.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/trace_checks.h"
#include "tests/profilers/cupti/fake_cupti.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::fuzz {

using namespace profilers;

namespace {

/// The layout of a record: its size and the offsets of its pointers to texts.
struct Layout
{
    CUpti_ActivityKind kind;
    std::size_t size;
    std::vector<std::size_t> texts{};
};

const std::vector<Layout>& layouts()
{
    static const std::vector<Layout> all{
        {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
         sizeof(CUpti_ActivityKernel10),
         {offsetof(CUpti_ActivityKernel10, name)}},
        {CUPTI_ACTIVITY_KIND_RUNTIME, sizeof(CUpti_ActivityAPI)},
        {CUPTI_ACTIVITY_KIND_DRIVER, sizeof(CUpti_ActivityAPI)},
        {CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API, sizeof(CUpti_ActivityAPI)},
        {CUPTI_ACTIVITY_KIND_MEMCPY, sizeof(CUpti_ActivityMemcpy6)},
        {CUPTI_ACTIVITY_KIND_MEMCPY2, sizeof(CUpti_ActivityMemcpyPtoP4)},
        {CUPTI_ACTIVITY_KIND_MEMSET, sizeof(CUpti_ActivityMemset4)},
        {CUPTI_ACTIVITY_KIND_MEMORY2,
         sizeof(CUpti_ActivityMemory4),
         {offsetof(CUpti_ActivityMemory4, name), offsetof(CUpti_ActivityMemory4, source)}},
        {CUPTI_ACTIVITY_KIND_MEMORY_POOL, sizeof(CUpti_ActivityMemoryPool3)},
        {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, sizeof(CUpti_ActivitySynchronization2)},
        {CUPTI_ACTIVITY_KIND_CUDA_EVENT, sizeof(CUpti_ActivityCudaEvent2)},
        {CUPTI_ACTIVITY_KIND_STREAM, sizeof(CUpti_ActivityStream)},
        {CUPTI_ACTIVITY_KIND_CONTEXT, sizeof(CUpti_ActivityContext3)},
        {CUPTI_ACTIVITY_KIND_DEVICE, sizeof(CUpti_ActivityDevice5), {offsetof(CUpti_ActivityDevice5, name)}},
        {CUPTI_ACTIVITY_KIND_OVERHEAD, sizeof(CUpti_ActivityOverhead3)},
        {CUPTI_ACTIVITY_KIND_MARKER,
         sizeof(CUpti_ActivityMarker2),
         {offsetof(CUpti_ActivityMarker2, name), offsetof(CUpti_ActivityMarker2, domain)}},
        {CUPTI_ACTIVITY_KIND_MARKER_DATA, sizeof(CUpti_ActivityMarkerData2)},
        {CUPTI_ACTIVITY_KIND_NAME, sizeof(CUpti_ActivityName), {offsetof(CUpti_ActivityName, name)}},
        {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, sizeof(CUpti_ActivityExternalCorrelation)},
        {CUPTI_ACTIVITY_KIND_GRAPH_TRACE, sizeof(CUpti_ActivityGraphTrace2)},
        {CUPTI_ACTIVITY_KIND_JIT, sizeof(CUpti_ActivityJit2), {offsetof(CUpti_ActivityJit2, cachePath)}},
        {CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, sizeof(CUpti_ActivityUnifiedMemoryCounter3)},
        {CUPTI_ACTIVITY_KIND_ENVIRONMENT, sizeof(CUpti_ActivityEnvironment)},
        {CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS, sizeof(CUpti_ActivityMemDecompress)},
        {CUPTI_ACTIVITY_KIND_PCIE, sizeof(CUpti_ActivityPcie)},
        {CUPTI_ACTIVITY_KIND_NVLINK, sizeof(CUpti_ActivityNvLink4)},
        {CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION, sizeof(CUpti_ActivityConfidentialComputeRotation)},
        {CUPTI_ACTIVITY_KIND_MODULE, 32},
    };
    return all;
}

constexpr const char* kTexts[] = {nullptr, "gemm", "_Z4gemmPf", "_Z", "", "a text\n\"with\" \x01 \xff"};

/// Sets the pointers of a record. The client of CUPTI owns the name of a device and frees it, so that text is a copy.
void setPointers(std::uint8_t* record, const Layout& layout, std::uint8_t choice)
{
    const char* text = kTexts[choice % std::size(kTexts)];
    if (layout.kind == CUPTI_ACTIVITY_KIND_DEVICE && text)
        text = ::strdup(text);
    for (const std::size_t at : layout.texts)
        std::memcpy(record + at, &text, sizeof text);
    if (layout.kind == CUPTI_ACTIVITY_KIND_OVERHEAD) {
        const void* const none = nullptr;
        std::memcpy(record + offsetof(CUpti_ActivityOverhead3, overheadData), &none, sizeof none);
    }
}

struct Records
{
    std::vector<std::uint64_t> words; ///< 64-bit words, so that the records are aligned
    std::size_t size = 0;             ///< bytes of the records
    std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(words.data()); }
};

/// A buffer of whole records.
Records takeBuffer(Input& input)
{
    Records records;
    const std::size_t count = 1 + input.take<std::uint8_t>() % 32;
    for (std::size_t i = 0; i < count && !input.atEnd(); ++i) {
        const Layout& layout = layouts()[input.take<std::uint8_t>() % layouts().size()];
        const auto choice = input.take<std::uint8_t>();
        const std::string_view bytes = input.text(layout.size);
        records.words.resize(records.words.size() + (layout.size + 7) / 8);
        std::uint8_t* const record = records.bytes() + records.size;
        std::memcpy(record, bytes.data(), bytes.size());
        std::memcpy(record, &layout.kind, sizeof layout.kind);
        setPointers(record, layout, choice);
        records.size += layout.size;
    }
    return records;
}

void decode(std::string_view bytes)
{
    testing::FakeCupti fake;
    const CuptiApi api = fake.api();
    Input input(bytes);
    trace::TraceBuilder builder;
    const std::int64_t origin = input.take<std::uint32_t>();
    RecordDecoder decoder(api, builder, origin, 1000);
    std::vector<Records> buffers; // the decoder may look at a text again
    while (!input.atEnd()) {
        Records& records = buffers.emplace_back(takeBuffer(input));
        decoder.decode(records.bytes(), records.size);
    }
    decoder.finish();
    const DecodeCounts& c = decoder.counts();
    require(c.records == c.events + c.context + c.unknown + c.untimed + c.dropped, "no record goes astray");
    const trace::Trace trace = builder.finish(false);
    // A record of a memory pool becomes two samples.
    require(c.events <= trace.eventCount(), "each record that became events is in the trace");
    requireSound(trace);
}

template <typename Record>
std::string entry(const Record& record, std::uint8_t choice)
{
    std::uint8_t number = 0;
    while (layouts()[number].kind != record.kind)
        ++number;
    return bytesOf(number, choice, record);
}

} // namespace

void examine(std::string_view input)
{
    decode(input);
}

std::vector<std::string> seeds()
{
    using testing::make;
    const std::string begin = bytesOf(std::uint32_t{1000}, std::uint8_t{31});
    auto kernel = make<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    kernel.start = 2000;
    kernel.end = 2500;
    kernel.correlationId = 7;
    kernel.streamId = 13;
    auto call = make<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    call.start = 1900;
    call.end = 1950;
    call.correlationId = 7;
    call.cbid = 211;
    auto link = make<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    link.correlationId = 7;
    link.externalId = 3;
    auto copy = make<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    copy.start = 2600;
    copy.end = 2700;
    copy.bytes = 4096;
    auto opened = make<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER);
    opened.flags = CUPTI_ACTIVITY_FLAG_MARKER_START;
    opened.timestamp = 1500;
    opened.id = 5;
    auto closed = opened;
    closed.flags = CUPTI_ACTIVITY_FLAG_MARKER_END;
    closed.timestamp = 3000;
    auto memory = make<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
    memory.timestamp = 1700;
    memory.bytes = 64;
    memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    auto clock = make<CUpti_ActivityEnvironment>(CUPTI_ACTIVITY_KIND_ENVIRONMENT);
    clock.timestamp = 1800;
    clock.environmentKind = CUPTI_ACTIVITY_ENVIRONMENT_SPEED;
    const auto device = make<CUpti_ActivityDevice5>(CUPTI_ACTIVITY_KIND_DEVICE);
    return {begin + entry(call, 0) + entry(kernel, 2) + entry(link, 0) + entry(copy, 0),
            begin + entry(opened, 1) + entry(closed, 0) + entry(memory, 5) + entry(clock, 0) + entry(device, 1),
            begin + entry(opened, 1)};
}

} // namespace apertune::fuzz
