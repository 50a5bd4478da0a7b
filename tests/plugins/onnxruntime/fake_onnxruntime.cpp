// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for a library of ONNX Runtime that is not what it should be. What it does is in the environment:
//   FAKE_ORT        version:TEXT    says that version
//                   no_version      says none
//                   no_table        has no table for any version
//                   hole:N          slot N is empty
//                   refuse          every function fails with a status
//                   swap:A,B        slots A and B exchanged (needs FAKE_ORT_REAL)
//                   real            the real library unchanged
//   FAKE_ORT_REAL   the real library; without it every function fails with a status
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

struct Base
{
    const void* (*table)(std::uint32_t);
    const char* (*version)();
};

constexpr std::size_t kSlots = 320;
using Table = std::array<void*, kSlots>;

std::string mode()
{
    const char* text = std::getenv("FAKE_ORT");
    return text ? text : "";
}

const Base* real()
{
    const char* file = std::getenv("FAKE_ORT_REAL");
    void* library = file ? ::dlopen(file, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!library)
        return nullptr;
    return reinterpret_cast<const Base* (*)()>(::dlsym(library, "OrtGetApiBase"))();
}

// A status of this library, and the three functions that a status needs.
int g_status = 0;
void* refuse()
{
    return &g_status;
}
int code(const void*)
{
    return 1;
}
const char* message(const void*)
{
    return "the fake refuses";
}
void release(void*)
{
}

const void* table(std::uint32_t version)
{
    static Table slots;
    if (mode() == "no_table")
        return nullptr;
    if (const Base* base = real())
        for (std::size_t i = 0; i < slots.size(); ++i)
            slots[i] = static_cast<void* const*>(base->table(version))[i];
    else
        slots.fill(reinterpret_cast<void*>(&refuse));
    if (!real()) {
        slots[1] = reinterpret_cast<void*>(&code);
        slots[2] = reinterpret_cast<void*>(&message);
        slots[93] = reinterpret_cast<void*>(&release);
    }
    unsigned a = 0;
    unsigned b = 0;
    const std::string how = mode();
    if (std::sscanf(how.c_str(), "hole:%u", &a) == 1)
        slots.at(a) = nullptr;
    if (std::sscanf(how.c_str(), "swap:%u,%u", &a, &b) == 2)
        std::swap(slots.at(a), slots.at(b));
    return slots.data();
}

const char* version()
{
    static const std::string how = mode();
    if (how == "no_version")
        return nullptr;
    if (how.starts_with("version:"))
        return how.c_str() + sizeof("version:") - 1;
    const Base* base = real();
    return base ? base->version() : "1.30.0";
}

const Base g_base{table, version};

} // namespace

extern "C" __attribute__((visibility("default"))) const Base* OrtGetApiBase()
{
    return &g_base;
}
