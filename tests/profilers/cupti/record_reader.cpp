// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profilers/cupti/record_reader.h"

#include "core/base/files.h"
#include "profilers/cupti/cupti_api.h"

#include <cstring>
#include <string_view>

namespace apertune::profilers::testing {

namespace {

constexpr std::string_view kMagic = "APTCUPT1";

base::Error damaged(const std::filesystem::path& file)
{
    return base::plainError(base::ErrorCode::corrupt, "The file holds no records of CUPTI, or not all of them.",
                            file.string());
}

} // namespace

base::Result<RecordBuffer> readRecords(const std::filesystem::path& file)
{
    const auto read = base::readFile(file);
    if (!read)
        return read.error();
    const std::string& bytes = *read;
    std::size_t at = kMagic.size();
    const auto number = [&] {
        std::uint64_t value = 0;
        if (bytes.size() - at >= sizeof value) {
            std::memcpy(&value, bytes.data() + at, sizeof value);
            at += sizeof value;
        } else {
            at = bytes.size();
        }
        return value;
    };
    if (!bytes.starts_with(kMagic))
        return damaged(file);
    RecordBuffer buffer;
    const std::uint64_t valid = number();
    const std::uint64_t texts = number();
    if (valid > bytes.size() || texts > bytes.size() || bytes.size() - at != valid + texts)
        return damaged(file);
    buffer.valid = valid;
    buffer.words.resize((valid + 7) / 8);
    std::memcpy(buffer.words.data(), bytes.data() + at, valid);
    at += valid;
    while (at < bytes.size()) {
        const std::uint64_t field = number();
        const std::uint64_t length = number();
        if (field % 8 != 0 || field > valid || valid - field < sizeof(char*) || length > bytes.size() - at)
            return damaged(file);
        const char* text = buffer.texts.emplace_back(bytes, at, length).c_str();
        at += length;
        // The reader of a record owns the names of devices and frees them.
        CUpti_ActivityKind kind{};
        const std::uint64_t device = field - offsetof(CUpti_ActivityDevice5, name);
        if (field >= offsetof(CUpti_ActivityDevice5, name)) {
            std::memcpy(&kind, buffer.bytes() + device, sizeof kind);
            if (kind == CUPTI_ACTIVITY_KIND_DEVICE)
                text = ::strdup(text);
        }
        std::memcpy(buffer.bytes() + field, &text, sizeof text);
    }
    return buffer;
}

} // namespace apertune::profilers::testing
