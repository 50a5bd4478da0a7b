// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profilers/cupti/cupti_api.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace apertune::profilers::testing {

/// CUPTI without a GPU: a table of functions that keeps what it was told, fills the client's buffers with the records
/// that a test emits, as CUPTI does (8-byte packing, a full buffer is completed on another thread, a flush returns the
/// rest), and fails where it is told to. One at a time, because the functions carry no user data.
class FakeCupti
{
public:
    FakeCupti();
    ~FakeCupti();
    FakeCupti(const FakeCupti&) = delete;
    FakeCupti& operator=(const FakeCupti&) = delete;

    CuptiApi api() const;

    /// Puts a record into the current buffer. What no buffer could be had for is dropped and counted, as CUPTI does.
    template <typename Record>
    void emit(const Record& record)
    {
        emitBytes(&record, sizeof record);
    }
    void emitBytes(const void* record, std::size_t size);
    void completeCurrent(); ///< hands the buffer over although it is not full

    // What the collector did.
    std::vector<std::string> calls; ///< in order: "subscribe", "attribute 5", "enable 10", "silence runtime 17", …
    std::set<int> enabled;
    std::vector<std::uint64_t> externalIds; ///< stack of the calling thread
    std::uint64_t (*clock)() = nullptr;
    CUpti_CallbackFunc callback = nullptr;

    // What the test asks for.
    std::map<std::string, CUptiResult> results; ///< answers, by the words of `calls`
    std::string holder;                         ///< name of the tool that is subscribed already
    bool flushForgets = false;                  ///< a flush does not give back the buffer
    std::atomic<std::size_t> dropped = 0;       ///< dropped records; CUPTI resets the number when it is asked for

    CUptiResult note(const std::string& call);
    CUptiResult flush();

    CUpti_BuffersCallbackRequestFunc requestBuffer = nullptr;
    CUpti_BuffersCallbackCompleteFunc completeBuffer = nullptr;

private:
    std::uint8_t* m_buffer = nullptr;
    std::size_t m_size = 0;
    std::size_t m_used = 0;
};

/// Walks a buffer as CUPTI does, by the sizes of the records that this version has.
CUptiResult nextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record);

/// A record of the kind, everything else zero.
template <typename Record>
Record make(CUpti_ActivityKind kind)
{
    Record record;
    std::memset(static_cast<void*>(&record), 0, sizeof record);
    record.kind = kind;
    return record;
}

} // namespace apertune::profilers::testing
