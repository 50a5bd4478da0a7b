// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/kineto_import.h"

#include "core/interchange/chrome/errors.h"
#include "core/interchange/chrome/event_parser.h"
#include "core/interchange/chrome/parse_pipeline.h"
#include "core/interchange/chrome/trace_merger.h"
#include "core/interchange/files/errors.h"
#include "core/interchange/files/read_recording.h"
#include "core/interchange/files/recording_name.h"
#include "core/trace/errors.h"
#include "core/trace/recorder.h"

#include <algorithm>
#include <optional>

namespace apertune::interchange {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using namespace chrome;

namespace {

constexpr std::int64_t kProgressStep = std::int64_t{16} << 20;

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Returns the number of threads that parse blocks.
std::size_t parserCount(const trace::ImportOptions& options, std::int64_t fileSize)
{
    const auto processors = static_cast<std::int64_t>(std::max(1u, std::thread::hardware_concurrency()));
    const std::int64_t wanted = options.threads > 0 ? options.threads : std::min<std::int64_t>(processors, 8);
    // A small file does not pay for more threads than it has quarters of a MiB.
    return static_cast<std::size_t>(std::clamp<std::int64_t>(wanted, 1, 1 + fileSize / (1 << 18)));
}

Error cutOff(base::Message message)
{
    return {ErrorCode::corrupt, std::move(message), {}, base::message<files::errors::kCopyOrRecord>()};
}

/// Returns the position behind the object in which `text` begins, or nothing when the object does not end.
std::optional<std::size_t> endOfObject(std::string_view text)
{
    int depth = 1;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            i += c == '\\' ? 1 : 0;
            inString = c != '"';
            continue;
        }
        inString = c == '"';
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return std::nullopt;
}

/// Combines the blocks: joins events that were cut, and collects the text after the list of events.
class Assembly
{
public:
    Assembly(TraceMerger& merger, std::size_t ownParser, const FileFacts& facts)
        : m_merger(merger), m_ownNumber(ownParser), m_parser(facts.own)
    {
    }

    Status add(ParsePipeline::Job& job)
    {
        if (m_listClosed) {
            if (m_tail.size() + job.text.size() > kLargestPiece)
                m_tailTooLong = true;
            else
                m_tail += "," + job.text; // the blocks were separated at this comma
            return {};
        }
        if (m_carry.empty()) {
            take(job.parser, job.block, job.text);
        } else {
            // The block began within an event, so only its new texts, tracks and details are kept. Later blocks of that
            // parser refer to them. Its events come from the joined text.
            m_merger.add(job.parser, job.block, false);
            std::string joined = std::move(m_carry) + "," + job.text;
            m_parser.parse(joined, m_block);
            take(m_ownNumber, m_block, joined);
        }
        // The comma between two blocks belongs to neither.
        m_read += job.text.size() + 1;
        if (m_carry.size() < kLargestPiece)
            return {};
        return Error{ErrorCode::corrupt,
                     base::message<chrome::errors::kEventTooLong>(m_read - m_carry.size()),
                     {},
                     base::message<files::errors::kCopyOrRecord>()};
    }

    /// Ends the assembly after the last block. `textSize` is the size of the whole text.
    Status finish(bool bareList, std::size_t textSize, FileFacts& facts)
    {
        if (!m_listClosed) {
            if (!isBlank(m_carry))
                return cutOff(base::message<chrome::errors::kCutOffInEvent>());
            if (!bareList)
                return cutOff(base::message<chrome::errors::kCutOffInEvents>());
            m_merger.addLoss(LossReason::openList); // Chrome's format allows a list without its bracket
            return {};
        }
        if (m_tailTooLong) {
            m_merger.addLoss(LossReason::longTail);
            return {};
        }
        const std::optional<std::size_t> end = bareList ? std::optional<std::size_t>(0) : endOfObject(m_tail);
        if (!end)
            return cutOff(base::message<chrome::errors::kCutOffAfterEvents>());
        if (!isBlank(std::string_view(m_tail).substr(*end)))
            return somethingFollows(textSize - (m_tail.size() - *end), m_tail.size() - *end);
        m_tail.resize(*end);
        if (bareList)
            return {};
        if (const Status read = readMembers("{\"traceEvents\":[]" + m_tail, facts); !read)
            return read;
        return {};
    }

private:
    static Error somethingFollows(std::size_t end, std::size_t bytes)
    {
        return {ErrorCode::corrupt,
                bytes == 1 ? base::message<chrome::errors::kByteFollows>(end)
                           : base::message<chrome::errors::kBytesFollow>(end, bytes),
                {},
                base::message<chrome::errors::kCutText>(end)};
    }

    void take(std::size_t parser, const ParsedBlock& block, const std::string& text)
    {
        m_merger.add(parser, block, true);
        std::string rest;
        if (block.end != ParsedBlock::End::complete)
            rest = text.substr(block.offset);
        m_listClosed = block.end == ParsedBlock::End::listClosed;
        (m_listClosed ? m_tail : m_carry) = std::move(rest);
        if (m_listClosed)
            m_carry.clear();
    }

    TraceMerger& m_merger;
    std::size_t m_ownNumber;
    EventParser m_parser;
    ParsedBlock m_block;
    std::string m_carry;
    std::string m_tail;
    std::size_t m_read = 0;
    bool m_listClosed = false;
    bool m_tailTooLong = false;
};

Result<trace::Trace> importFrom(files::ByteSource& source, const std::filesystem::path& file,
                                const trace::ImportOptions& options)
{
    EventBlocks blocks(source, std::max<std::size_t>(options.blockSize, 16));
    const Result<TraceHead> head = blocks.readHead();
    if (!head)
        return head.error();
    FileFacts facts;
    if (!head->bareList)
        if (const Status read = readMembers(head->json, facts); !read)
            return read.error();
    const std::size_t parsers = parserCount(options, source.size());
    TraceMerger merger(parsers + 1, facts);
    Assembly assembly(merger, parsers, facts);
    {
        ParsePipeline pipeline(blocks, facts.own, parsers);
        std::int64_t reported = 0;
        while (auto job = pipeline.next()) {
            if (options.cancel.stop_requested())
                return Error{ErrorCode::cancelled, base::message<chrome::errors::kImportStopped>()};
            if (const Status added = assembly.add(*job); !added)
                return added.error();
            pipeline.release(std::move(job));
            if (options.progress && source.position() - reported >= kProgressStep) {
                reported = source.position();
                options.progress({reported, source.size(), merger.eventCount()});
            }
        }
        if (!pipeline.error())
            return pipeline.error().error();
    }
    if (const Status finished = assembly.finish(head->bareList, blocks.textSize(), facts); !finished)
        return finished.error();
    const Error nothing{ErrorCode::corrupt,
                        base::message<chrome::errors::kNothingToShow>(),
                        {},
                        base::message<chrome::errors::kNameTraceAsTorch>()};
    if (merger.eventCount() == 0)
        return nothing;
    if (!facts.own) {
        facts.head.name = files::recordingName(file);
        facts.head.source =
            toString(facts.kineto || merger.kinetoNames() ? trace::Recorder::kineto : trace::Recorder::chrome);
    }
    if (options.progress)
        options.progress({source.size(), source.size(), merger.eventCount()});
    trace::Trace trace = merger.finish(facts);
    if (trace.eventCount() == 0) // beginnings without an end, and the like
        return nothing;
    return trace;
}

} // namespace

Result<trace::Trace> importKineto(const std::filesystem::path& file, const trace::ImportOptions& options)
{
    return files::readRecording(file, base::message<trace::errors::kTooLarge>(),
                                base::message<chrome::errors::kShorterRun>(),
                                [&](files::ByteSource& source) { return importFrom(source, file, options); });
}

} // namespace apertune::interchange
