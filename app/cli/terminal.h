// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/base/units.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <string>
#include <thread>

namespace apertune::cli {

/// Exit codes for scripts, see core/report/schema.md.
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

/// The text of a JSON document as --json prints it. Bytes that are not UTF-8 are replaced: a log tail or a file name
/// may hold them, and the document is always valid.
std::string documentText(const base::Json& document);

/// The two output streams. Results go to stdout, as text or as one JSON document, never both; everything else goes to
/// stderr. Text for people is made printable (base::printable), because names in it may come from elsewhere.
/// Thread-safe.
class Terminal
{
public:
    Terminal(bool json, bool quiet);
    ~Terminal();

    bool json() const { return m_json; }
    /// The columns of the terminal on stdout, or $COLUMNS if that is set; 0 when stdout is no terminal.
    int width() const;

    /// Writes the result as a document, if --json was given.
    void document(const base::Json& document);
    /// Writes the result as text, if --json was not given. Adds a missing final line feed. On a terminal, sentences
    /// that are wider than it are broken at blanks.
    void text(const std::string& text);
    /// Writes bytes to stdout unchanged, for a report that was requested there. On a terminal they are made printable.
    void raw(const std::string& bytes);

    /// Writes a remark to stderr, above the status line. --quiet suppresses it.
    void note(const std::string& text);

    /// Returns the text of a status line at a time of base::monotonicNow(). Another thread calls it, so it has to own
    /// its data, and it must not call the Terminal.
    using StatusText = std::function<std::string(base::Nanoseconds now)>;
    /// Shows a line below all other output until the next one replaces it, painted again twice a second. Does nothing
    /// unless stderr is a terminal. Results on stdout and failures end it.
    void liveStatus(StatusText text);
    /// Shows a fixed text in the status line, followed by the time since this call once that is a second. "" ends the
    /// status line.
    void status(const std::string& text);
    bool hasStatusLine() const { return m_statusLine; }

    /// Writes a failure to stderr, also with --quiet. Returns its exit code.
    int fail(const base::Error& error);

    /// The exit code of a verb that ended with `code`. If writing the result to stdout failed, it shows a message and
    /// returns kBadInput.
    int finish(int code);

private:
    void write(const std::string& bytes);
    void paintStatus() APERTUNE_REQUIRES(m_mutex);
    void clearStatus() APERTUNE_REQUIRES(m_mutex);
    void endStatus() APERTUNE_REQUIRES(m_mutex);

    std::atomic<int> m_lost = 0; ///< errno of the last failed write to stdout
    base::Mutex m_mutex;         ///< guards the status line and the notes above it on stderr
    bool m_json;
    bool m_quiet;
    bool m_statusLine;
    bool m_statusShown APERTUNE_GUARDED_BY(m_mutex) = false;
    StatusText m_statusText APERTUNE_GUARDED_BY(m_mutex){}; ///< empty: there is no status line
    std::condition_variable_any m_wake{};
    std::jthread
        m_painter{}; ///< started with the first status line: an earlier thread would take the signals of Interrupt
};

} // namespace apertune::cli
