// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/support/plugin_client.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace apertune::test {

const apertune_plugin& pluginUnderTest()
{
    static const apertune_plugin& plugin = [&]() -> const apertune_plugin& {
        const std::string folder = std::string(APERTUNE_TEST_TORCH) + "/lib/";
        for (const char* name : {"libc10.so", "libtorch_cpu.so", "libc10_cuda.so", "libtorch_cuda.so"})
            if (access((folder + name).c_str(), R_OK) == 0)
                loadLibrary(folder + name, RTLD_GLOBAL);
        void* library = loadLibrary(APERTUNE_TEST_PLUGIN, RTLD_LOCAL);
        using Entry = const apertune_plugin* (*)();
        const auto entry = reinterpret_cast<Entry>(dlsym(library, APERTUNE_PLUGIN_ENTRY_SYMBOL));
        return *entry();
    }();
    return plugin;
}

const std::string& artifacts()
{
    static const std::string folder = [] {
        const std::string command =
            std::string("\"" APERTUNE_TEST_PYTHON "\" \"" APERTUNE_TEST_SOURCES
                        "/make_artifacts.py\" \"" APERTUNE_TEST_ARTIFACTS "\" \"" APERTUNE_TEST_EXPORTER "\"");
        if (std::system(command.c_str()) != 0) { // NOLINT(concurrency-mt-unsafe)
            ADD_FAILURE() << "the artifacts could not be made: " << command;
            std::abort();
        }
        return std::string(APERTUNE_TEST_ARTIFACTS);
    }();
    return folder;
}

} // namespace apertune::test
