// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/onnxruntime/onnx_models.h"
#include "tests/plugins/support/plugin_client.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace apertune::test {

namespace fs = std::filesystem;

namespace {

fs::path engines()
{
    if (const char* named = std::getenv("APERTUNE_ENGINES"))
        return named;
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    return (cache ? fs::path(cache) : fs::path(home ? home : "") / ".cache") / "apertune" / "engines" / "current";
}

} // namespace

const std::string& realLibrary()
{
    static const std::string found = [] {
        std::error_code ignored;
        for (fs::directory_iterator it(engines() / "lib", ignored), end; !ignored && it != end; it.increment(ignored)) {
            const fs::path folder = it->path() / "site-packages" / "onnxruntime" / "capi";
            std::error_code none;
            for (fs::directory_iterator file(folder, none), last; !none && file != last; file.increment(none))
                if (file->path().filename().string().starts_with("libonnxruntime.so"))
                    return file->path().string();
        }
        return std::string();
    }();
    return found;
}

const apertune_plugin& pluginUnderTest()
{
    static const apertune_plugin& plugin = []() -> const apertune_plugin& {
        if (!realLibrary().empty())
            loadLibrary(realLibrary(), RTLD_GLOBAL);
        void* library = loadLibrary(APERTUNE_TEST_PLUGIN, RTLD_LOCAL);
        return *reinterpret_cast<const apertune_plugin* (*)()>(dlsym(library, APERTUNE_PLUGIN_ENTRY_SYMBOL))();
    }();
    return plugin;
}

const std::string& artifacts()
{
    static const std::string folder = APERTUNE_TEST_ARTIFACTS;
    return folder;
}

} // namespace apertune::test
