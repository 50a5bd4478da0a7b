// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace apertune::base {

/// Kinds of failure that callers treat differently.
enum class ErrorCode {
    invalidArgument, ///< the caller or the user asked for something that makes no sense
    notFound,        ///< a file, study, trial, model or plugin that does not exist
    unsupported,     ///< cannot exist on this machine or in this version
    io,              ///< the operating system refused (disk full, permission, …)
    corrupt,         ///< data that breaks the rules of its format
    busy,            ///< another process or thread holds it
    timeout,
    outOfMemory,
    crashed,       ///< a child process died
    compileFailed, ///< an ahead-of-time compiler gave up
    modelThrew,    ///< the model itself failed
    cancelled,     ///< used only where an interface has no Outcome; never shown as an error
    internal,
};

std::string_view toString(ErrorCode code);

/// One failure.
///  - `message` is a full sentence for the user.
///  - `context` names the object (path, trial, statement) and may contain the end of a log.
///  - `hint` says what to do next.
struct Error
{
    ErrorCode code = ErrorCode::internal;
    std::string message;
    std::string context = {};
    std::string hint = {};
};

/// Returns "message (context). hint" on one line, for logs and terminals.
std::string describe(const Error& error);

} // namespace apertune::base
