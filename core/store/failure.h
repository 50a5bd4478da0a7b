// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

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
                           "There is not enough memory to read or write the workspace.",
                           {},
                           "Close other programs and try again."};
    } catch (const std::exception& e) {
        return base::Error{base::ErrorCode::internal,
                           std::string("The workspace could not be used: ") + e.what() + ".",
                           {},
                           "Please report this."};
    }
}

} // namespace apertune::store
