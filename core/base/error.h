// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <string>
#include <string_view>

namespace apertune::base {

/// Kinds of failure that callers treat differently.
enum class ErrorCode {
    invalidArgument, ///< the caller or the user gave an invalid argument
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

/// One failure, without its words: core/sentences has them.
///  - `message` says what happened and why. Its kind is in the errors.h of the module.
///  - `context` names the object (path, trial, statement) and may contain the end of a log.
///  - `hint` says what to do next; it may be empty.
struct Error
{
    ErrorCode code = ErrorCode::internal;
    Message message;
    std::string context = {};
    Message hint = {};
};

/// Makes an error whose text is already a sentence. It is for app/ and tests alone: elsewhere errors have kinds.
Error plainError(ErrorCode code, std::string message, std::string context = {}, std::string hint = {});

} // namespace apertune::base
