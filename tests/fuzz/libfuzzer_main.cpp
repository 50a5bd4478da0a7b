// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that libFuzzer calls. -help=1 lists its own options; `PROGRAM --write-seeds=FOLDER` writes the seeds.
#include "tests/fuzz/fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv)
{
    constexpr std::string_view kOption = "--write-seeds=";
    for (int i = 1; i < *argc; ++i) {
        const std::string_view word = (*argv)[i];
        if (!word.starts_with(kOption))
            continue;
        const std::filesystem::path folder = word.substr(kOption.size());
        std::size_t number = 0;
        for (const std::string& seed : apertune::fuzz::seeds()) {
            std::ofstream out(folder / ("seed-" + std::to_string(number++)), std::ios::binary);
            out.write(seed.data(), static_cast<std::streamsize>(seed.size()));
            out.close();
            apertune::fuzz::require(out.good(), "a seed can be written");
        }
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    apertune::fuzz::examine({reinterpret_cast<const char*>(data), size});
    return 0;
}
