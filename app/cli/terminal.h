// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <atomic>
#include <mutex>
#include <string>

namespace apertune::cli {

/// Exit codes that scripts rely on, see core/report/schema.md.
enum ExitCode {
    kDone = 0,
    kGateFailed = 1,
    kBadInput = 2,
    kCannotTell = 3,
    kNothingMeasured = 4,
    kInterrupted = 130,
};

/// The two streams and who may write what: results go to stdout, as text or as one JSON document, never both;
/// everything else goes to stderr. Thread-safe.
class Terminal
{
public:
    Terminal(bool json, bool quiet);
    ~Terminal();

    bool json() const { return m_json; }
    /// Columns of the terminal that stdout is; 0 when it is none.
    int width() const;

    /// The result as a document; written only with --json.
    void document(const base::Json& document);
    /// The result for people; written only without --json. A missing last line feed is added.
    void text(const std::string& text);
    /// Bytes to stdout as they are (a report that was asked for there).
    void raw(const std::string& bytes);

    /// A remark on stderr, unless --quiet.
    void note(const std::string& text);
    /// A line that the next one replaces; on anything but a terminal, nothing.
    void status(const std::string& text);
    bool hasStatusLine() const { return m_statusLine; }

    /// The failure on stderr, also with --quiet. Returns its exit code.
    int fail(const base::Error& error);

    /// The exit code of a verb that ended with `code`: bad input, with a sentence, when stdout did not take its result.
    int finish(int code);

private:
    void writeError(const std::string& text);
    void clearStatus();

    std::atomic<int> m_lost = 0; ///< errno of the last failed write to stdout
    std::mutex m_mutex;          ///< guards stderr and m_statusShown
    bool m_json;
    bool m_quiet;
    bool m_statusLine;
    bool m_statusShown = false;
};

} // namespace apertune::cli
