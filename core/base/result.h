// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <cassert>
#include <type_traits>
#include <utility>
#include <variant>

namespace apertune::base {

/// Either a value or an error. Functions that can fail return it. No exception crosses a module boundary.
/// The error is an Error, unless callers need more details (worker::WorkerError).
template <typename T, typename E = Error>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(E error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// REQUIRES: ok()
    T& value() & { return *require(); }
    const T& value() const& { return *std::get_if<0>(&m_state); }
    T& operator*() & { return *require(); }
    const T& operator*() const& { return *std::get_if<0>(&m_state); }
    // A temporary returns the value itself, so that `for (x : *call())` loops over something that lives.
    T value() && { return std::move(*require()); }
    T operator*() && { return std::move(*require()); }
    T* operator->() { return require(); }
    const T* operator->() const { return std::get_if<0>(&m_state); }

    /// REQUIRES: !ok()
    const E& error() const { return *std::get_if<1>(&m_state); }

private:
    T* require()
    {
        assert(ok());
        return std::get_if<0>(&m_state);
    }
    std::variant<T, E> m_state;
};

template <typename E>
class [[nodiscard]] Result<void, E>
{
public:
    Result() = default;
    Result(E error) : m_error(std::move(error)), m_ok(false) {}

    bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    const E& error() const { return m_error; }

private:
    E m_error;
    bool m_ok = true;
};

using Status = Result<void>;

/// How a long operation ended. Being cancelled is not an error.
enum class Outcome { done, cancelled, failed };

} // namespace apertune::base
