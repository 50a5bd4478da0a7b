// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/export/onnxruntime_api.h"
#include "plugins/support/fault.h"

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::ort {

using plugins::Fault;
using plugins::Phase;

/// A Status that was not null, with the engine's message.
struct EngineError : std::exception
{
    EngineError(int number, std::string message) : code(number), text(std::move(message)) {}
    const char* what() const noexcept override { return text.c_str(); }

    int code; ///< Code
    std::string text;
};

/// The engine after binding and self-test. It lives as long as the process: a library with threads of its own must not
/// be unloaded.
struct Library
{
    Api api;
    std::filesystem::path file;
    std::string version; ///< "1.31.1"
    Env* env = nullptr;
    Allocator* allocator = nullptr;     ///< owns the strings that the engine hands out
    std::vector<std::string> providers; ///< the providers in this build of the library: "CPUExecutionProvider", …

    bool has(std::string_view provider) const;

    /// Throws EngineError when `status` is not null, and releases it.
    void check(Status* status) const;

    /// Copies a string that the engine allocated and gives the memory back to the engine.
    std::string take(char* text) const;
};

/// The hint for a library that is not usable.
inline constexpr const char* kReinstall = "Install the onnxruntime package again.";

/// Converts an EngineError or another exception to a fault.
Fault classify(const std::exception& error, Phase phase);

/// Owns an object of the engine.
template <typename T>
class Handle
{
public:
    Handle() = default;
    Handle(T* object, void (*release)(T*)) : m_object(object, release) {}

    T* get() const { return m_object.get(); }
    explicit operator bool() const { return m_object != nullptr; }

private:
    struct Release
    {
        void (*function)(T*) = nullptr;
        Release(void (*release)(T*) = nullptr) : function(release) {}
        void operator()(T* object) const { function(object); }
    };
    std::unique_ptr<T, Release> m_object{nullptr, Release{}};
};

/// Calls a function whose last argument receives a new object: make(library, api.createX, api.releaseX, arguments…).
template <typename T, typename Function, typename... Arguments>
Handle<T> make(const Library& engine, Function function, void (*release)(T*), Arguments... arguments)
{
    T* object = nullptr;
    engine.check(function(arguments..., &object));
    return Handle<T>(object, release);
}

} // namespace apertune::ort
