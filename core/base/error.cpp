// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

namespace apertune::base {

std::string_view toString(ErrorCode code)
{
    switch (code) {
    case ErrorCode::invalidArgument:
        return "invalid_argument";
    case ErrorCode::notFound:
        return "not_found";
    case ErrorCode::unsupported:
        return "unsupported";
    case ErrorCode::io:
        return "io";
    case ErrorCode::corrupt:
        return "corrupt";
    case ErrorCode::busy:
        return "busy";
    case ErrorCode::timeout:
        return "timeout";
    case ErrorCode::outOfMemory:
        return "out_of_memory";
    case ErrorCode::crashed:
        return "crashed";
    case ErrorCode::compileFailed:
        return "compile_failed";
    case ErrorCode::modelThrew:
        return "model_threw";
    case ErrorCode::cancelled:
        return "cancelled";
    case ErrorCode::internal:
        return "internal";
    }
    return "internal";
}

Error plainError(ErrorCode code, std::string message, std::string context, std::string hint)
{
    return {code, foreignText(std::move(message)), std::move(context), foreignText(std::move(hint))};
}

} // namespace apertune::base
