// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/event_blocks.h"

#include "core/interchange/chrome/errors.h"
#include "core/interchange/files/errors.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace apertune::interchange::chrome {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

constexpr int kDeepestHead = 64;

bool isBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

std::size_t skipBlanks(std::string_view text, std::size_t i)
{
    while (i < text.size() && isBlank(text[i]))
        ++i;
    return i;
}

/// Finds the bracket that opens the list of events. With more text it continues where it had stopped.
class HeadScanner
{
public:
    enum class State { wantsMore, found, noTrace, tooDeep, noEvents };

    State scan(std::string_view text)
    {
        for (; m_at < text.size(); ++m_at) {
            const State state = step(text, text[m_at]);
            if (state != State::wantsMore)
                return state;
        }
        return State::wantsMore;
    }
    std::size_t bracket() const { return m_at; }
    std::size_t keyStart() const { return m_keyStart; }
    bool bareList() const { return m_bare; }

private:
    State step(std::string_view text, char c)
    {
        if (m_inString) {
            if (m_escaped)
                m_escaped = false;
            else if (c == '\\')
                m_escaped = true;
            else if (c == '"')
                endString(text);
            return State::wantsMore;
        }
        if (isBlank(c))
            return State::wantsMore;
        // A list without an object around it is a trace, too.
        if (m_depth == 0) {
            m_bare = c == '[';
            if (m_bare)
                return State::found;
            if (c != '{' || m_closed)
                return m_closed ? State::noEvents : State::noTrace;
            m_depth = 1;
            return State::wantsMore;
        }
        const bool isValue = m_depth == 1 && m_afterColon;
        // The value of "traceEvents" has to be a list.
        if (isValue && m_isEvents)
            return c == '[' ? State::found : State::noTrace;
        switch (c) {
        case '"':
            m_inString = true;
            m_stringStart = m_at;
            break;
        case '{':
        case '[':
            // A deep head could make the reader of JSON use up the stack.
            if (++m_depth > kDeepestHead)
                return State::tooDeep;
            break;
        case '}':
        case ']':
            if (--m_depth == 0) {
                m_closed = true;
                return State::noEvents;
            }
            break;
        case ':':
            if (m_depth == 1) {
                m_afterColon = true;
                return State::wantsMore;
            }
            break;
        case ',':
            if (m_depth == 1)
                m_afterColon = m_isEvents = false;
            break;
        default:
            break;
        }
        return State::wantsMore;
    }

    void endString(std::string_view text)
    {
        m_inString = false;
        if (m_depth == 1 && !m_afterColon) {
            // The name is known only when its string ends.
            m_isEvents = text.substr(m_stringStart, m_at + 1 - m_stringStart) == "\"traceEvents\"";
            m_keyStart = m_stringStart;
        }
    }

    std::size_t m_at = 0;
    std::size_t m_stringStart = 0;
    std::size_t m_keyStart = 0;
    int m_depth = 0;
    bool m_inString = false;
    bool m_escaped = false;
    bool m_afterColon = false;
    bool m_isEvents = false;
    bool m_bare = false;
    bool m_closed = false;
};

Error notATrace(std::string_view text)
{
    const std::string_view start = text.substr(0, 16);
    Error error{ErrorCode::corrupt, base::message<errors::kNoTrace>(), {}, base::message<errors::kNameTraceAsTorch>()};
    if (start.starts_with("SQLite format 3"))
        error.hint = base::message<errors::kIsSqlite>();
    else if (start.starts_with("PK\x03\x04"))
        error.hint = base::message<errors::kIsZip>();
    else if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff"))
        error.hint = base::message<errors::kIsUtf16>();
    else if (start.starts_with("BZh") || start.starts_with("\xfd"
                                                           "7zXZ"))
        error.hint = base::message<errors::kIsOtherwisePacked>();
    return error;
}

/// Returns the position of the comma of the last `},{"`, so that the text before it consists of complete events.
std::optional<std::size_t> lastCut(std::string_view text)
{
    // A cut lies between two events: before a brace that begins an object and after a comma behind another one.
    for (std::size_t brace = text.rfind('{'); brace != std::string_view::npos && brace > 0;
         brace = text.rfind('{', brace - 1)) {
        // The brace of an empty object or within a string has no name behind it.
        const std::size_t key = skipBlanks(text, brace + 1);
        if (key == text.size() || text[key] != '"')
            continue;
        std::size_t comma = brace;
        while (comma > 0 && isBlank(text[comma - 1]))
            --comma;
        if (comma == 0 || text[comma - 1] != ',')
            continue;
        std::size_t end = --comma;
        while (end > 0 && isBlank(text[end - 1]))
            --end;
        // Before the comma another event has to end.
        if (end > 0 && text[end - 1] == '}')
            return comma;
    }
    return std::nullopt;
}

} // namespace

EventBlocks::EventBlocks(files::ByteSource& source, std::size_t blockSize) : m_source(source), m_blockSize(blockSize)
{
}

Status EventBlocks::more(std::string& text, std::size_t bytes)
{
    const std::size_t before = text.size();
    text.resize(before + bytes);
    const auto got = m_source.read(text.data() + before, bytes);
    text.resize(before + (got ? *got : 0));
    if (!got)
        return got.error();
    m_textSize += *got;
    // Less than was asked for means the end of the file.
    m_ended = *got < bytes;
    return {};
}

Result<TraceHead> EventBlocks::readHead()
{
    HeadScanner scanner;
    auto state = HeadScanner::State::wantsMore;
    std::size_t skipped = 0;
    while (state == HeadScanner::State::wantsMore && !m_ended && m_rest.size() < kLargestPiece) {
        if (const Status read = more(m_rest, m_blockSize); !read)
            return read.error();
        if (skipped == 0 && m_rest.starts_with("\xef\xbb\xbf")) {
            m_rest.replace(0, 3, "   "); // blanks replace a byte order mark
            skipped = 3;
        }
        state = scanner.scan(m_rest);
    }
    switch (state) {
    case HeadScanner::State::found:
        break;
    case HeadScanner::State::wantsMore:
        if (!m_ended)
            return Error{ErrorCode::corrupt,
                         base::message<errors::kNoEventsEarly>(),
                         {},
                         base::message<errors::kNameTraceEventsFirst>()};
        if (skipBlanks(m_rest, 0) == m_rest.size())
            return notATrace(m_rest);
        return Error{ErrorCode::corrupt,
                     base::message<errors::kEndsBeforeEvents>(),
                     {},
                     base::message<files::errors::kCopyOrRecord>()};
    case HeadScanner::State::tooDeep:
        return Error{ErrorCode::corrupt, base::message<errors::kTooDeep>(), {}, base::message<errors::kNameTrace>()};
    case HeadScanner::State::noTrace:
    case HeadScanner::State::noEvents:
        return notATrace(m_rest);
    }
    TraceHead head;
    head.bareList = scanner.bareList();
    if (!head.bareList)
        // The head is completed to a document of its own, whose list is empty.
        head.json = m_rest.substr(0, scanner.keyStart()) + "\"traceEvents\":[]}";
    m_rest.erase(0, scanner.bracket() + 1);
    return head;
}

Result<std::string> EventBlocks::next()
{
    std::string block;
    if (const Status read = next(block); !read)
        return read.error();
    return block;
}

Status EventBlocks::next(std::string& block)
{
    block.swap(m_rest);
    m_rest.clear();
    std::size_t wanted = m_blockSize;
    while (true) {
        if (!m_ended && block.size() < wanted)
            // The rest of the last block is used before more is read.
            if (const Status read = more(block, wanted - block.size()); !read)
                return read;
        if (m_ended)
            return {}; // the last block
        if (const auto cut = lastCut(block)) {
            m_rest.assign(block, *cut + 1);
            block.resize(*cut);
            return {};
        }
        if (block.size() >= kLargestPiece)
            return {}; // no event is that large; the parser reports it, or the text follows the list of events
        // A block without a cut is one long event: read twice as much, so that its text is scanned a few times only.
        wanted = std::min(block.size() * 2 + m_blockSize, kLargestPiece);
    }
}

} // namespace apertune::interchange::chrome
