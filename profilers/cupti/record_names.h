// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"
#include "profilers/cupti/cupti_api.h"
#include "profilers/cupti/recent_entries.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace apertune::profilers {

/// Interns the texts that records point to. A text is copied when it is first seen. When a later buffer has another
/// text at the same pointer, the change is detected. One thread.
class RecordNames
{
public:
    RecordNames(const CuptiApi& api, trace::TraceBuilder& into) : m_api(api), m_into(into) {}

    /// Begins another buffer. The texts behind known pointers are compared again.
    void nextBuffer() { ++m_buffer; }
    /// Returns the number of the current buffer, from 1.
    std::uint64_t buffer() const { return m_buffer; }

    trace::StringId text(const char* text);
    /// Returns the demangled name of a kernel.
    trace::StringId kernel(const char* mangled);
    /// Returns the name of a function of the runtime or the driver.
    trace::StringId call(CUpti_CallbackDomain domain, CUpti_CallbackId id);

private:
    struct Text
    {
        const char* pointer = nullptr;
        std::uint64_t buffer = 0; ///< the last buffer in which the text behind the pointer was compared
        trace::StringId id;
    };
    struct Kernel
    {
        const char* pointer = nullptr;
        std::uint64_t buffer = 0;             ///< like Text::buffer
        const std::string* mangled = nullptr; ///< key in m_demangled
        trace::StringId id;
    };

    const CuptiApi& m_api;
    trace::TraceBuilder& m_into;
    std::uint64_t m_buffer = 0;
    RecentEntries<Text, 1024> m_texts;                            ///< key: pointer
    RecentEntries<Kernel, 1024> m_kernels;                        ///< key: pointer
    std::unordered_map<std::string, trace::StringId> m_demangled; ///< key: mangled name
};

} // namespace apertune::profilers
