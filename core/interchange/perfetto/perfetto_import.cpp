// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/perfetto/perfetto_import.h"

#include "core/base/errors.h"
#include "core/interchange/files/byte_source.h"
#include "core/interchange/files/errors.h"
#include "core/interchange/files/read_recording.h"
#include "core/interchange/files/recording_name.h"
#include "core/interchange/perfetto/errors.h"
#include "core/interchange/perfetto/packet_reader.h"
#include "core/interchange/perfetto/trace_assembly.h"
#include "core/trace/errors.h"

#include <algorithm>
#include <string>

namespace apertune::interchange {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

constexpr std::size_t kMostBytes = 0xffff'0000; // lengths of the format have 32 bits
/// Highest accepted ratio of compression. Real recordings stay far below; a file above it is made to fill the memory.
constexpr std::size_t kDensest = 256;
/// Bytes that every file may have, whatever its ratio: short files with repeated texts are dense.
constexpr std::size_t kSmallFile = std::size_t{64} << 20;
/// Number of bytes by which a file is recognized.
constexpr std::size_t kBeginning = std::size_t{64} << 10;

Result<trace::Trace> importFrom(files::ByteSource& source, const fs::path& file, const trace::ImportOptions& options)
{
    const auto keepGoing = [&](std::size_t events) {
        if (options.progress)
            options.progress({source.position(), source.size(), events});
        return !options.cancel.stop_requested();
    };
    const std::size_t most = std::min(
        kMostBytes, kSmallFile + kDensest * static_cast<std::size_t>(std::max<std::int64_t>(0, source.size())));
    perfetto::Packets packets;
    std::string bytes;
    const Status read = files::readAll(source, bytes, most, [&] { return keepGoing(0); });
    if (!read && (read.error().code != ErrorCode::corrupt || bytes.empty()))
        return read.error();
    packets.cutOff = !read; // a packed file that is damaged
    if (!perfetto::PacketReader::recognizes(std::string_view(bytes).substr(0, kBeginning), bytes.size() <= kBeginning))
        return Error{ErrorCode::corrupt,
                     base::message<perfetto::errors::kNoPackets>(),
                     {},
                     base::message<files::errors::kCopyOrRecord>()};
    if (!perfetto::PacketReader(packets, most).read(bytes, [&] { return keepGoing(packets.events.size()); }))
        return Error{ErrorCode::cancelled, base::message<base::errors::kCancelled>()};
    std::size_t recorded = bytes.size();
    for (const std::string& text : packets.unpacked)
        recorded += text.size();
    chrome::FileFacts facts;
    facts.head.name = files::recordingName(file);
    return perfetto::assembled(packets, std::move(facts), recorded, keepGoing);
}

} // namespace

bool looksLikePerfetto(const fs::path& file)
{
    auto source = files::ByteSource::open(file);
    if (!source)
        return false;
    std::string beginning(kBeginning, '\0');
    const auto got = source->read(beginning.data(), kBeginning);
    return got && perfetto::PacketReader::recognizes(std::string_view(beginning).substr(0, *got), *got < kBeginning);
}

Result<trace::Trace> importPerfetto(const fs::path& file, const trace::ImportOptions& options)
{
    return files::readRecording(file, base::message<trace::errors::kTooLarge>(),
                                base::message<files::errors::kRecordShorter>(),
                                [&](files::ByteSource& source) { return importFrom(source, file, options); });
}

} // namespace apertune::interchange
