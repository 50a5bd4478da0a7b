// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/record_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace apertune::profilers {

using trace::StringId;

namespace {

std::uint64_t spread(const void* pointer)
{
    return profilers::spread(reinterpret_cast<std::uintptr_t>(pointer));
}

std::string demangled(const char* name)
{
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    return status == 0 && text ? text.get() : name;
}

} // namespace

StringId RecordNames::text(const char* text)
{
    if (!text)
        return {};
    const auto [name, known] = m_texts.find(spread(text), [text](const Text& n) { return n.pointer == text; });
    if (!known || (name.buffer != m_buffer && m_into.head().strings[name.id.value] != text))
        name = {text, 0, m_into.intern(text)};
    name.buffer = m_buffer;
    return name.id;
}

StringId RecordNames::kernel(const char* mangled)
{
    if (!mangled)
        return {};
    const auto [name, known] =
        m_kernels.find(spread(mangled), [mangled](const Kernel& n) { return n.pointer == mangled; });
    if (!known || (name.buffer != m_buffer && *name.mangled != mangled)) {
        const auto [it, added] = m_demangled.try_emplace(mangled);
        if (added)
            it->second = m_into.intern(demangled(mangled));
        name = {mangled, 0, &it->first, it->second};
    }
    name.buffer = m_buffer;
    return name.id;
}

StringId RecordNames::call(CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    const char* name = nullptr;
    const bool named = m_api.getCallbackName(domain, id, &name) == CUPTI_SUCCESS && name;
    const char* const kind = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? "runtime call " : "driver call ";
    return m_into.intern(named ? name : kind + std::to_string(id));
}

} // namespace apertune::profilers
