// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal.h"

#include "core/base/clock.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace apertune::cli {

namespace {

/// The words of a line. A command in backquotes is one word, so that it can be copied.
std::vector<std::string> wordsOf(std::string_view line)
{
    std::vector<std::string> words(1);
    bool isCommand = false;
    for (const char c : line) {
        isCommand = isCommand != (c == '`');
        if (c == ' ' && !isCommand)
            words.emplace_back();
        else
            words.back() += c;
    }
    return words;
}

/// Breaks sentences that are wider than the terminal at blanks. Tables fit already; a command on a line of its own
/// stays whole, so that it can be copied. With width ≤ 0 nothing is broken.
std::string fitted(const std::string& text, int width)
{
    std::string out;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string line = text.substr(from, end - from);
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        const bool isCommand = indent > 0 && line.compare(indent, 9, "apertune ") == 0;
        out +=
            width <= 0 || isCommand || text::displayWidth(line) <= width
                ? line
                : line.substr(0, indent) + text::wrapPieces(wordsOf(std::string_view(line).substr(indent)), " ",
                                                            width - static_cast<int>(indent), static_cast<int>(indent));
        if (end < text.size())
            out += '\n';
        from = end + 1;
    }
    return out;
}

/// Writes all bytes; after a failure it writes no more. Returns 0 or the errno of the failure. A reader that has gone
/// is no failure, because it wants no more.
int writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            return errno == EPIPE ? 0 : errno;
    }
    return 0;
}

int columns(int fd)
{
    if (!::isatty(fd))
        // $COLUMNS wins, so that tests and scripts get a fixed width.
        return 0;
    if (const char* const wanted = ::getenv("COLUMNS")) {
        int width = 0;
        const char* const end = wanted + std::strlen(wanted);
        if (std::from_chars(wanted, end, width).ptr == end && width > 0)
            return width;
    }
    winsize size{};
    return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string withLineFeed(std::string text)
{
    if (!text.ends_with('\n'))
        text += '\n';
    return text;
}

} // namespace

std::string elapsedText(base::Nanoseconds time)
{
    const auto seconds = static_cast<std::int64_t>(time.seconds());
    return seconds < 60 ? std::to_string(seconds) + " s" : base::formatDuration(base::fromSeconds(seconds));
}

std::string documentText(const base::Json& document)
{
    return document.dump(2, ' ', false, base::Json::error_handler_t::replace) + '\n';
}

Terminal::Terminal(bool json, bool quiet) : m_json(json), m_quiet(quiet), m_statusLine(!quiet && ::isatty(2))
{
}

Terminal::~Terminal()
{
    m_painter.request_stop();
    if (m_painter.joinable())
        m_painter.join();
    clearStatus();
}

int Terminal::width() const
{
    return columns(1);
}

void Terminal::document(const base::Json& document)
{
    if (m_json)
        raw(documentText(document));
}

void Terminal::text(const std::string& text)
{
    if (!m_json)
        write(base::printable(withLineFeed(fitted(text, width()))));
}

void Terminal::raw(const std::string& bytes)
{
    write(::isatty(1) ? base::printable(bytes) : bytes);
}

void Terminal::write(const std::string& bytes)
{
    {
        const base::Lock lock(m_mutex);
        // The status line is on the same screen and would stand in the middle of the result.
        endStatus();
    }
    if (const int failure = writeAll(1, bytes))
        m_lost = failure;
}

int Terminal::finish(int code)
{
    const int failure = m_lost;
    if (failure == 0)
        return code;
    return fail(
        base::plainError(base::ErrorCode::io,
                         "The result could not be written to the output: " + std::string(std::strerror(failure)) + ".",
                         {}, failure == ENOSPC ? "Free some disk space and try again." : "Write it to another place."));
}

void Terminal::note(const std::string& text)
{
    if (m_quiet)
        return;
    const base::Lock lock(m_mutex);
    clearStatus();
    writeAll(2, base::printable(withLineFeed(text)));
    paintStatus();
}

void Terminal::liveStatus(StatusText text)
{
    if (!m_statusLine)
        return;
    const base::Lock lock(m_mutex);
    m_statusText = std::move(text);
    paintStatus();
    // The painter starts with the first status line and lives as long as the terminal.
    if (m_painter.joinable())
        return;
    m_painter = std::jthread([this](std::stop_token ended) {
        base::Lock painting(m_mutex);
        while (!ended.stop_requested()) {
            m_wake.wait_for(painting, ended, std::chrono::milliseconds(500), [] { return false; });
            paintStatus();
        }
    });
}

void Terminal::status(const std::string& text)
{
    if (text.empty()) {
        const base::Lock lock(m_mutex);
        endStatus();
        return;
    }
    liveStatus([text, begin = base::monotonicNow()](base::Nanoseconds now) {
        return now - begin < base::fromSeconds(1) ? text : text + "  " + elapsedText(now - begin);
    });
}

int Terminal::fail(const base::Error& error)
{
    {
        const base::Lock lock(m_mutex);
        endStatus();
    }
    const std::string hint = sentences::sentence(error.hint);
    if (error.code == base::ErrorCode::cancelled) {
        note(hint.empty() ? "Interrupted." : "Interrupted. " + hint);
        return kInterrupted;
    }
    std::string text = "apertune: " + sentences::sentence(error.message);
    if (!error.context.empty())
        text += error.context.find('\n') == std::string::npos ? " (" + error.context + ")" : "\n" + error.context;
    text += '\n';
    if (!hint.empty())
        text += "  " + hint + '\n';
    writeAll(2, base::printable(text));
    return kBadInput;
}

void Terminal::paintStatus()
{
    if (!m_statusText)
        return;
    const int width = columns(2);
    const std::string text = base::printableLine(m_statusText(base::monotonicNow()));
    // The cursor returns to the begin of the line, which is erased first.
    writeAll(2, "\r\033[K" + (width > 1 ? text::elide(text, width - 1) : text));
    m_statusShown = true;
}

void Terminal::clearStatus()
{
    if (m_statusShown)
        writeAll(2, "\r\033[K");
    m_statusShown = false;
}

void Terminal::endStatus()
{
    clearStatus();
    m_statusText = {};
}

} // namespace apertune::cli
