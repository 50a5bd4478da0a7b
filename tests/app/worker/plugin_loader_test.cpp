// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/plugin_loader.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"

#include <gmock/gmock.h>

namespace apertune::worker {
namespace {

using ::testing::HasSubstr;

struct TorchVersion : ::testing::Test
{
    base::TemporaryDir torch = std::move(base::TemporaryDir::create("test")).value();
    base::TemporaryDir plugins = std::move(base::TemporaryDir::create("test")).value();

    void installed(const std::string& version, const std::string& cuda)
    {
        ASSERT_TRUE(base::writeFileAtomically(torch.path() / "version.py",
                                              "from typing import Optional\n\n__all__ = ['__version__', 'cuda']\n"
                                              "__version__ = '" +
                                                  version +
                                                  "'\ndebug = False\n"
                                                  "cuda: Optional[str] = " +
                                                  cuda + "\nhip: Optional[str] = None\n")
                        .ok());
    }

    /// The library that is taken, below the folder of the plugins, or why none is.
    std::string choice(const std::string& device = "cpu", const TorchBuild& own = {"2.11.0", "13.0"}) const
    {
        LoadRequest request;
        request.backend = "libtorch";
        request.plugins = plugins.path();
        request.torchRoot = torch.path();
        request.device = device;
        const auto file = libtorchPlugin(request, own);
        return file ? file->lexically_relative(plugins.path()).string() : sentences::describe(file.error());
    }

    void built(const std::string& build) const
    {
        std::filesystem::create_directories(plugins.path() / "libtorch");
        ASSERT_TRUE(base::writeFileAtomically(plugins.path() / "libtorch" / (build + ".so"), "").ok());
    }
};

TEST_F(TorchVersion, TheOneOfTheBuildFits)
{
    installed("2.11.0+cu130", "'13.0'");
    EXPECT_EQ(choice(), "libtorch.so");
    installed("2.11.1", "'13.1'");
    EXPECT_EQ(choice("cuda:0"), "libtorch.so") << "a later patch";
}

TEST_F(TorchVersion, AnotherReleaseOrAnotherCudaIsNamedBeforeItIsLoaded)
{
    installed("2.11.0+cu128", "'12.8'");
    EXPECT_THAT(choice(), HasSubstr("LibTorch 2.11.0+cu128 was found, and this backend was built for LibTorch 2.11.0 "
                                    "with CUDA 13.0."));
    EXPECT_THAT(choice(), HasSubstr("apertune engine add libtorch"));
    installed("2.12.0+cu130", "'13.0'");
    EXPECT_THAT(choice(), HasSubstr("LibTorch 2.12.0+cu130 was found"));
    installed("2.11.0+rocm6.4", "None");
    EXPECT_THAT(choice(), HasSubstr("LibTorch 2.11.0+rocm6.4 was found"));
    installed("2.1.0", "'13.0'");
    EXPECT_THAT(choice(), HasSubstr("LibTorch 2.1.0 was found")) << "2.1 is not the beginning of 2.11";
}

TEST_F(TorchVersion, OnACpuTheCudaOfLibTorchDoesNotMatter)
{
    built("2.11-cpu");
    installed("2.11.0+cpu", "None");
    EXPECT_EQ(choice(), "libtorch/2.11-cpu.so");
    EXPECT_EQ(choice(""), "libtorch/2.11-cpu.so");
    installed("2.11.0+cu128", "'12.8'");
    EXPECT_EQ(choice(), "libtorch/2.11-cpu.so");
    EXPECT_THAT(choice("cuda:0"), HasSubstr("LibTorch 2.11.0+cu128 was found"));
    installed("2.10.0+cpu", "None");
    EXPECT_THAT(choice(), HasSubstr("LibTorch 2.10.0+cpu was found"));
}

TEST_F(TorchVersion, TheBackendThatWasBuiltForTheFoundOneIsTaken)
{
    built("2.10-cpu");
    built("2.10-cu12");
    installed("2.10.0+cu128", "'12.8'");
    EXPECT_EQ(choice("cuda:0"), "libtorch/2.10-cu12.so");
    EXPECT_EQ(choice("cpu"), "libtorch/2.10-cu12.so");
    installed("2.10.0+cu130", "'13.0'");
    EXPECT_EQ(choice("cpu"), "libtorch/2.10-cpu.so");
}

TEST_F(TorchVersion, WhereNothingIsSaidNothingIsRefused)
{
    EXPECT_EQ(choice(), "libtorch.so") << "no version.py";
    installed("2.12.0", "None");
    EXPECT_EQ(choice("cpu", {}), "libtorch.so") << "a build without LibTorch";
}

} // namespace
} // namespace apertune::worker
