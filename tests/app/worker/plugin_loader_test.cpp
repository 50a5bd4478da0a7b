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

    std::string refusal() const
    {
        const base::Status status = checkTorch(torch.path(), "2.11.0", "13.0");
        return status ? "" : sentences::describe(status.error());
    }
};

TEST_F(TorchVersion, TheOneOfTheBuildFits)
{
    installed("2.11.0+cu130", "'13.0'");
    EXPECT_EQ(refusal(), "");
    installed("2.11.1", "'13.1'");
    EXPECT_EQ(refusal(), "") << "a later patch";
}

TEST_F(TorchVersion, AnotherReleaseOrAnotherCudaIsNamedBeforeItIsLoaded)
{
    installed("2.11.0+cu128", "'12.8'");
    EXPECT_THAT(refusal(), HasSubstr("LibTorch 2.11.0+cu128 was found, and this backend was built for LibTorch 2.11.0 "
                                     "with CUDA 13.0."));
    EXPECT_THAT(refusal(), HasSubstr("apertune engine add libtorch"));
    installed("2.12.0+cu130", "'13.0'");
    EXPECT_THAT(refusal(), HasSubstr("LibTorch 2.12.0+cu130 was found"));
    installed("2.11.0+rocm6.4", "None");
    EXPECT_THAT(refusal(), HasSubstr("LibTorch 2.11.0+rocm6.4 was found"));
    installed("2.1.0", "'13.0'");
    EXPECT_THAT(refusal(), HasSubstr("LibTorch 2.1.0 was found")) << "2.1 is not the beginning of 2.11";
}

TEST_F(TorchVersion, WhereNothingIsSaidNothingIsRefused)
{
    EXPECT_EQ(refusal(), "") << "no version.py";
    installed("2.12.0", "None");
    EXPECT_TRUE(checkTorch(torch.path(), "", "").ok()) << "a build without LibTorch";
}

} // namespace
} // namespace apertune::worker
