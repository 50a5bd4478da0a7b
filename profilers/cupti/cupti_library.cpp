// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/cupti_library.h"

#include "profilers/cupti/errors.h"

#include <dlfcn.h>

#include <utility>

namespace apertune::profilers {

using base::Error;
using base::ErrorCode;

namespace {

constexpr int kOldestDriver = 13000; // CUDA 13.0

std::string& namedLibrary()
{
    static std::string file;
    return file;
}

} // namespace

void setCuptiLibrary(std::string file)
{
    namedLibrary() = std::move(file);
}

const std::string& cuptiLibrary()
{
    return namedLibrary();
}

void* openCupti(const char* name, const std::string& file)
{
    if (void* const mapped = ::dlopen(name, RTLD_NOW | RTLD_NOLOAD))
        return mapped;
    if (void* const found = ::dlopen(name, RTLD_NOW | RTLD_LOCAL))
        return found;
    return file.empty() ? nullptr : ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

int cudaDriverVersion()
{
    void* const library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return 0;
    const auto ask = reinterpret_cast<int (*)(int*)>(::dlsym(library, "cuDriverGetVersion"));
    int version = 0;
    const bool known = ask && ask(&version) == 0;
    ::dlclose(library);
    return known ? version : 0;
}

base::Status checkDriver(int driverVersion)
{
    if (driverVersion == 0)
        return Error{ErrorCode::unsupported, base::message<cupti::errors::kNoDriver>(), "libcuda.so.1",
                     base::message<cupti::errors::kInstallDriver>()};
    if (driverVersion < kOldestDriver)
        return Error{ErrorCode::unsupported,
                     base::message<cupti::errors::kOldDriver>(driverVersion / 1000, driverVersion % 1000 / 10),
                     {},
                     base::message<cupti::errors::kUpdateDriver>()};
    return {};
}

} // namespace apertune::profilers
