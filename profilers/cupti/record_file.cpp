// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/record_file.h"

#include "core/base/files.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace apertune::profilers {

namespace {

constexpr std::string_view kMagic = "APTCUPT1";

/// The offsets of the pointers to texts in a record of the kind.
std::span<const std::size_t> textFields(CUpti_ActivityKind kind)
{
    static constexpr std::size_t kKernel[] = {offsetof(CUpti_ActivityKernel10, name)};
    static constexpr std::size_t kMemory[] = {offsetof(CUpti_ActivityMemory4, name),
                                              offsetof(CUpti_ActivityMemory4, source)};
    static constexpr std::size_t kDevice[] = {offsetof(CUpti_ActivityDevice5, name)};
    static constexpr std::size_t kName[] = {offsetof(CUpti_ActivityName, name)};
    static constexpr std::size_t kMarker[] = {offsetof(CUpti_ActivityMarker2, name),
                                              offsetof(CUpti_ActivityMarker2, domain)};
    static constexpr std::size_t kJit[] = {offsetof(CUpti_ActivityJit2, cachePath)};
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return kKernel;
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return kMemory;
    case CUPTI_ACTIVITY_KIND_DEVICE:
        return kDevice;
    case CUPTI_ACTIVITY_KIND_NAME:
        return kName;
    case CUPTI_ACTIVITY_KIND_MARKER:
        return kMarker;
    case CUPTI_ACTIVITY_KIND_JIT:
        return kJit;
    default:
        return {};
    }
}

void appendNumber(std::string& out, std::uint64_t number)
{
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

} // namespace

base::Status writeRecords(const CuptiApi& api, std::uint8_t* buffer, std::size_t valid, std::size_t most,
                          const std::filesystem::path& file)
{
    std::size_t used = 0;
    std::string texts;
    CUpti_Activity* record = nullptr;
    std::size_t begin = 0; // begin of the current record; it ends where the next one begins
    bool more = api.activityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS;
    while (more) {
        CUpti_Activity* next = record;
        more = api.activityGetNextRecord(buffer, valid, &next) == CUPTI_SUCCESS;
        const std::size_t end = more ? static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(next) - buffer) : valid;
        if (end > most)
            break;
        for (const std::size_t field : textFields(record->kind)) {
            const char* text = nullptr;
            std::memcpy(&text, buffer + begin + field, sizeof text);
            if (!text)
                continue;
            appendNumber(texts, begin + field);
            appendNumber(texts, std::strlen(text));
            texts += text;
        }
        used = end;
        begin = end;
        record = next;
    }
    std::string out(kMagic);
    appendNumber(out, used);
    appendNumber(out, texts.size());
    out.append(reinterpret_cast<const char*>(buffer), used);
    return base::writeFileAtomically(file, out + texts);
}

} // namespace apertune::profilers
