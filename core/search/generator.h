// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/searcher.h"

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace apertune::search {

/// A coroutine that yields probes, so that a search algorithm reads from top to bottom although its caller does the
/// measuring. Private to this folder. An exception that leaves the coroutine ends the program.
class Generator
{
public:
    struct promise_type
    {
        Probe current{};
        Generator get_return_object() { return Generator(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(const Probe& probe)
        {
            current = probe;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };

    explicit Generator(std::coroutine_handle<promise_type> handle) : m_handle(handle) {}
    Generator(Generator&& other) noexcept : m_handle(std::exchange(other.m_handle, {})) {}
    Generator& operator=(Generator&&) = delete;
    ~Generator()
    {
        if (m_handle)
            m_handle.destroy();
    }

    /// Resumes the coroutine until it yields its next probe; nullopt once it has returned.
    std::optional<Probe> next()
    {
        if (!m_handle.done())
            m_handle.resume();
        return m_handle.done() ? std::nullopt : std::optional(m_handle.promise().current);
    }

private:
    std::coroutine_handle<promise_type> m_handle;
};

} // namespace apertune::search
