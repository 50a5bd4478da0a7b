// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/errors.h"
#include "core/base/result.h"
#include "core/store/errors.h"

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace apertune::store {

/// Carries an Error through query code. guarded() stops it at the module's border.
struct Failure
{
    base::Error error;
};

[[noreturn]] inline void fail(base::Error error)
{
    throw Failure{std::move(error)};
}

/// Returns the value; throws the Result's error as a Failure.
template <typename T>
T unwrap(base::Result<T> result)
{
    if (!result)
        fail(result.error());
    if constexpr (!std::is_void_v<T>)
        return std::move(result).value();
}

/// Runs query code and turns its exceptions into a Result. No exception passes it.
template <typename Work>
auto guarded(Work&& work) -> base::Result<std::invoke_result_t<Work>>
{
    using Value = std::invoke_result_t<Work>;
    try {
        if constexpr (std::is_void_v<Value>) {
            work();
            return {};
        } else {
            return work();
        }
    } catch (const Failure& failure) {
        return failure.error;
    } catch (const std::bad_alloc&) {
        return base::Error{base::ErrorCode::outOfMemory,
                           base::message<errors::kNoMemoryToReadOrWrite>(),
                           {},
                           base::message<base::errors::kCloseOthers>()};
    } catch (const std::exception& e) {
        return base::Error{base::ErrorCode::internal,
                           base::message<errors::kCouldNotUse>(e.what()),
                           {},
                           base::message<base::errors::kPleaseReport>()};
    }
}

/// Runs `read` and returns false when it fails, because then its data are damaged. outOfMemory is thrown again.
template <typename Read>
bool isReadable(Read&& read)
{
    const auto result = guarded(std::forward<Read>(read));
    if (!result && result.error().code == base::ErrorCode::outOfMemory)
        fail(result.error());
    return result.ok();
}

} // namespace apertune::store
