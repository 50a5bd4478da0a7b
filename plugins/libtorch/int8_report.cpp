// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/int8_report.h"

#include <dlfcn.h>
#include <link.h>

#include <cmath>
#include <string_view>

namespace apertune::libtorch {

namespace {

/// The names that a mapped library imports and exports, each ended by a zero.
std::string_view dynamicNames(const std::string& library)
{
    void* handle = dlopen(library.c_str(), RTLD_NOLOAD | RTLD_LAZY);
    if (!handle)
        return {};
    const char* names = nullptr;
    std::size_t size = 0;
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0)
        for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag == DT_STRTAB)
                names = reinterpret_cast<const char*>(
                    entry->d_un.d_ptr); // the loader has replaced the offset with an address
            else if (entry->d_tag == DT_STRSZ)
                size = entry->d_un.d_val;
        }
    dlclose(handle);
    return names ? std::string_view(names, size) : std::string_view();
}

} // namespace

void reportInt8(const PackageInfo& info, const std::string& library, plugins::Report& report)
{
    const std::string_view names = dynamicNames(library);
    int quantized = 0;
    int others = 0;
    std::string kernels;
    for (const auto& [kernel, calls] : info.int8Kernels)
        if (names.find("_" + kernel + '\0') != std::string_view::npos) {
            quantized += calls;
            kernels += (kernels.empty() ? ": " : ", ") + kernel + " ×" + std::to_string(calls);
        }
    std::string inFloat;
    for (const auto& [kernel, calls] : info.floatKernels) {
        others += calls;
        inFloat += (inFloat.empty() ? "; in float " : ", ") + kernel + " ×" + std::to_string(calls);
    }
    report.readBack("precision", true, quantized > 0,
                    std::to_string(quantized) + " of " + std::to_string(quantized + others) +
                        " calls of convolutions and linear layers are in int8" + kernels + inFloat + "; package of " +
                        std::to_string(std::lround(static_cast<double>(info.bytes) / (1U << 20U))) + " MiB");
    if (quantized > 0)
        report.applied.back().layers = info.quantizedLayers;
}

} // namespace apertune::libtorch
