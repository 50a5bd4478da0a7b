// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace apertune::base {

/// What went wrong, in the few kinds that callers treat differently.
enum class ErrorCode {
    invalidArgument, ///< the caller or the user asked for something that makes no sense
    notFound,        ///< a file, study, trial, model or plugin that does not exist
    unsupported,     ///< cannot exist on this machine or in this version
    io,              ///< the operating system refused (disk full, permission, …)
    corrupt,         ///< data that does not say what it must
    busy,            ///< somebody else holds it
    timeout,
    outOfMemory,
    crashed,       ///< a child process died
    compileFailed, ///< an ahead-of-time compiler gave up
    modelThrew,    ///< the model itself failed
    cancelled,     ///< only where an interface has no Outcome; never shown as an error
    internal,
};

std::string_view toString(ErrorCode code);

/// One failure, told once: `message` is a full sentence for the user, `hint` says what to do next,
/// `context` names the thing (path, trial, statement) and may hold a log tail.
struct Error
{
    ErrorCode code = ErrorCode::internal;
    std::string message;
    std::string context = {};
    std::string hint = {};
};

/// "message (context). hint" on one line, for logs and terminals.
std::string describe(const Error& error);

} // namespace apertune::base
