// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/advice/facts.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <string>

namespace apertune::cli {

/// A status line with the completed share and, once it can be estimated, the time that is left.
class Steps
{
public:
    explicit Steps(Terminal& terminal) : m_terminal(terminal) {}

    void begin(const char* what);
    void at(double share, const std::string& more = {});

private:
    Terminal& m_terminal;
    std::string m_what;
    base::Nanoseconds m_started{};
};

/// Reads a recording of another tool and shows the progress. Failures: those of interchange::importRecording().
base::Result<trace::Trace> readTrace(const std::filesystem::path& file, Steps& steps, Session& session);

/// A trace that a command was given.
struct OpenedTrace
{
    trace::TracePtr trace;
    std::string name;        ///< "tr3", or the name of the file
    advice::Context context; ///< holds what the workspace knows beside the trace; default for a file
};

/// Opens a trace of the workspace ("tr3", "last"), or a recording when `text` is the name of a file. Failures: those of
/// findTrace(), of the store and of readTrace().
base::Result<OpenedTrace> openTrace(const std::string& text, Session& session);

} // namespace apertune::cli
