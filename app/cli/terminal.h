// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/units.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace apertune::cli {

/// Exit codes that scripts rely on, see core/report/schema.md.
enum ExitCode {
    kDone = 0,
    kGateFailed = 1,
    kBadInput = 2,
    kCannotTell = 3,
    kNoResult = 4, ///< nothing could be measured, or a sweep found nothing better than the model as loaded
    kInterrupted = 130,
};

/// Whole seconds: "0 s", "42 s", "2 min 05 s".
std::string elapsedText(base::Nanoseconds time);

/// The two streams and who may write what: results go to stdout, as text or as one JSON document, never both;
/// everything else goes to stderr. Text for people is made printable (base::printable), whoever wrote its names.
/// Thread-safe.
class Terminal
{
public:
    Terminal(bool json, bool quiet);
    ~Terminal();

    bool json() const { return m_json; }
    /// Columns of the terminal that stdout is, or $COLUMNS where that is set; 0 when stdout is no terminal.
    int width() const;

    /// The result as a document; written only with --json.
    void document(const base::Json& document);
    /// The result for people; written only without --json. A missing last line feed is added.
    void text(const std::string& text);
    /// Bytes to stdout as they are (a report that was asked for there); made printable where stdout is a terminal.
    void raw(const std::string& bytes);

    /// A remark on stderr, unless --quiet. It is printed above the status line.
    void note(const std::string& text);

    /// The text of a status line at a time of base::monotonicNow(). It is called from another thread, so it holds what
    /// it needs by value, and it must not call the Terminal.
    using StatusText = std::function<std::string(base::Nanoseconds now)>;
    /// The line that stays below everything else until the next one replaces it; it is painted again twice a second.
    /// On anything but a terminal, nothing. Results on stdout and failures end it.
    void liveStatus(StatusText text);
    /// The same with one text, after which the time since this call is shown from the first second on; "" ends the
    /// status line.
    void status(const std::string& text);
    bool hasStatusLine() const { return m_statusLine; }

    /// The failure on stderr, also with --quiet. Returns its exit code.
    int fail(const base::Error& error);

    /// The exit code of a verb that ended with `code`: bad input, with a sentence, when stdout did not take its result.
    int finish(int code);

private:
    void write(const std::string& bytes);
    // REQUIRES: m_mutex is held
    void paintStatus();
    void clearStatus();
    void endStatus();

    std::atomic<int> m_lost = 0; ///< errno of the last failed write to stdout
    std::mutex m_mutex;          ///< guards stderr, m_statusShown and m_statusText
    bool m_json;
    bool m_quiet;
    bool m_statusLine;
    bool m_statusShown = false;
    StatusText m_statusText{}; ///< empty: there is no status line
    std::condition_variable_any m_wake{};
    std::jthread m_painter{}; ///< begins with the first status line: earlier it would take the signals of Interrupt
};

} // namespace apertune::cli
