// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_dir.h"
#include "core/models/usable_model.h"
#include "core/sentences/sentences.h"

#include <gmock/gmock.h>

namespace apertune::models {
namespace {

using ::testing::HasSubstr;

TEST(UsableModel, ThatIsNotOnThisMachineIsToldWithTheCommandThatImportsIt)
{
    const auto folder = base::TemporaryDir::create("models").value();
    model::ModelRef model;
    model.name = "resnet18";
    model.source = "torchvision:resnet18";
    model.artifact = folder.path() / "resnet18-8db2";
    const base::Status usable = requireUsable(model);
    ASSERT_FALSE(usable);
    EXPECT_EQ(usable.error().code, base::ErrorCode::notFound);
    EXPECT_THAT(sentences::sentence(usable.error().message), HasSubstr("resnet18 are not on this machine"));
    EXPECT_EQ(sentences::sentence(usable.error().hint),
              "Import it again: apertune model import torchvision:resnet18 --name resnet18");
}

} // namespace
} // namespace apertune::models
