// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profilers/cupti/record_decoder.h"
#include "tests/profilers/cupti/fake_cupti.h"

#include <gmock/gmock.h>

#include <cstring>
#include <stdexcept>
#include <vector>

namespace apertune::profilers::testing {

/// Records put one after another into a buffer as CUPTI fills one, and the trace that the decoder makes of it.
struct Decoder : ::testing::Test
{
    FakeCupti fake;
    CuptiApi api = fake.api();
    trace::TraceBuilder builder;
    RecordDecoder decoder{api, builder, 1000};
    std::vector<std::uint64_t> buffer; ///< 64-bit words, so that the records are aligned
    std::size_t bytes = 0;
    trace::Trace trace;

    template <typename Record>
    void add(const Record& record)
    {
        buffer.resize((bytes + sizeof record + 7) / 8);
        std::memcpy(reinterpret_cast<std::uint8_t*>(buffer.data()) + bytes, &record, sizeof record);
        bytes += sizeof record;
    }

    const trace::Trace& decoded()
    {
        decoder.decode(reinterpret_cast<std::uint8_t*>(buffer.data()), bytes);
        decoder.finish();
        trace = builder.finish(false);
        return trace;
    }

    const trace::Series& only(trace::EventKind kind) const
    {
        const trace::Series* found = nullptr;
        for (const trace::Series& s : trace.series)
            if (s.kind == kind) {
                EXPECT_EQ(found, nullptr) << "more than one series";
                found = &s;
            }
        if (!found)
            throw std::runtime_error("no such series");
        return *found;
    }

    void expectNothingLost() const
    {
        const DecodeCounts& c = decoder.counts();
        EXPECT_EQ(c.records, c.events + c.context + c.unknown + c.untimed + c.dropped);
        EXPECT_EQ(c.events, trace.eventCount());
    }
};

inline CUpti_ActivityKernel10 kernel(std::uint64_t start, std::uint64_t end, const char* name,
                                     std::uint32_t correlation = 7)
{
    auto r = make<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    r.start = start;
    r.end = end;
    r.name = name;
    r.correlationId = correlation;
    r.deviceId = 1;
    r.contextId = 2;
    r.streamId = 13;
    return r;
}

inline CUpti_ActivityAPI call(CUpti_ActivityKind kind, std::uint64_t start, std::uint32_t cbid,
                              std::uint32_t correlation = 7)
{
    auto r = make<CUpti_ActivityAPI>(kind);
    r.cbid = cbid;
    r.start = start;
    r.end = start + 50;
    r.processId = 100;
    r.threadId = 101;
    r.correlationId = correlation;
    r.returnValue = 2;
    return r;
}

} // namespace apertune::profilers::testing
