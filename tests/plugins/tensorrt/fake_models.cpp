// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/tensorrt/fake_models.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace apertune::test {

namespace {

void* fakeDriver()
{
    static void* library = loadLibrary(APERTUNE_TEST_FAKES "/libcuda.so.1", RTLD_GLOBAL);
    return library;
}

} // namespace

const apertune_plugin& pluginUnderTest()
{
    static const apertune_plugin& plugin = []() -> const apertune_plugin& {
        fakeDriver();
        // The worker loads the libraries of a wheel like this: by path, before the plugin asks for them by name.
        loadLibrary(APERTUNE_TEST_FAKES "/libnvinfer.so.10", RTLD_GLOBAL);
        loadLibrary(APERTUNE_TEST_FAKES "/libnvonnxparser.so.10", RTLD_GLOBAL);
        void* library = loadLibrary(APERTUNE_TEST_PLUGIN, RTLD_LOCAL);
        freshCache();
        return *reinterpret_cast<const apertune_plugin* (*)()>(dlsym(library, APERTUNE_PLUGIN_ENTRY_SYMBOL))();
    }();
    return plugin;
}

const std::string& artifacts()
{
    static const std::string folder = APERTUNE_TEST_ARTIFACTS;
    return folder;
}

Json fakeModel()
{
    return {{"inputs", {{{"name", "x"}, {"shape", {-1, 3, 4, 4}}}}},
            {"outputs", {{{"name", "y"}, {"shape", {-1, 5}}}}},
            {"layers", {"conv", "conv"}}};
}

Configuration fakeConfiguration(const std::string& name, const Json& more, int batch, std::vector<std::string> switches)
{
    Json model = fakeModel();
    model.update(more);
    ArtifactInput input;
    input.shape = {1, 3, 4, 4};
    Configuration configuration;
    configuration.artifact = makeArtifact(name, model.dump(), {input});
    configuration.package = configuration.artifact + "/model.onnx";
    configuration.device = "cuda:0";
    configuration.batch = batch;
    configuration.switches = std::move(switches);
    return configuration;
}

void failCuda(const char* function, int code, int passes)
{
    reinterpret_cast<void (*)(const char*, int, int)>(dlsym(fakeDriver(), "fakeCudaFault"))(function, code, passes);
}

std::size_t cudaMemoryInUse()
{
    return reinterpret_cast<std::size_t (*)()>(dlsym(fakeDriver(), "fakeCudaUsed"))();
}

std::string freshCache()
{
    const std::string cache = artifacts() + "/cache";
    std::filesystem::remove_all(cache);
    setenv("XDG_CACHE_HOME", cache.c_str(), 1); // NOLINT: before anything else runs
    return cache + "/apertune/tensorrt";
}

void expectRefused(const Configuration& configuration, apertune_status status, const std::string& message)
{
    Client client(configuration);
    EXPECT_EQ(client.status, status) << client.error;
    ASSERT_TRUE(client.error.is_object()) << message;
    EXPECT_THAT(client.error.at("message").get<std::string>(), testing::HasSubstr(message));
    EXPECT_FALSE(client.error.at("hint").get<std::string>().empty());
}

} // namespace apertune::test
