// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_family.h"

#include <gtest/gtest.h>

namespace apertune::model {
namespace {

std::optional<ModelFamily> familyNamed(const std::string& name, const std::string& source,
                                       TaskType task = TaskType::classification)
{
    ModelRef model;
    model.name = name;
    model.source = source;
    model.taskType = task;
    return familyOf(model);
}

TEST(ModelFamily, IsRecognisedByNameAndSource)
{
    using enum ModelFamily;
    EXPECT_EQ(familyNamed("vit_b_16", "torchvision:vit_b_16"), vit);
    EXPECT_EQ(familyNamed("mine", "timm:deit_tiny_patch16_224"), vit);
    EXPECT_EQ(familyNamed("resnet50", "torchvision:resnet50"), resnet);
    EXPECT_EQ(familyNamed("wide_resnet50_2", "torchvision:wide_resnet50_2"), resnet);
    EXPECT_EQ(familyNamed("resnext50_32x4d", "torchvision:resnext50_32x4d"), resnet);
    EXPECT_EQ(familyNamed("detr", "zoo:detr", TaskType::detection), detr);
    EXPECT_EQ(familyNamed("swin_t", "torchvision:swin_t"), swin);
    EXPECT_EQ(familyNamed("a", "timm:convnextv2_tiny"), convnext);
    EXPECT_EQ(familyNamed("sd_unet", "zoo:sd_unet", TaskType::other), diffusion);
    EXPECT_EQ(familyNamed("unet", "diffusers:sd15#unet", TaskType::other), diffusion);
}

TEST(ModelFamily, IsNotThatOfANameThatOnlyLooksAlike)
{
    EXPECT_EQ(familyNamed("ssd300", "torchvision:ssd300_vgg16", TaskType::detection), std::nullopt);
    EXPECT_EQ(familyNamed("unet", "zoo:unet", TaskType::segmentation), std::nullopt);
    EXPECT_EQ(familyNamed("fcn", "torchvision:fcn_resnet50", TaskType::segmentation), std::nullopt)
        << "a ResNet is a part of it";
    EXPECT_EQ(familyNamed("maxvit_t", "torchvision:maxvit_t"), std::nullopt);
    EXPECT_EQ(familyNamed("mobilenet_v3", "torchvision:mobilenet_v3"), std::nullopt);
}

TEST(ModelFamily, IsRecognisedByLayersWhereNamesSayNothing)
{
    const auto familyWith = [](const std::vector<std::string>& layers) {
        ModelRef model;
        model.name = "net";
        model.source = "python:net.py:make";
        for (const std::string& name : layers)
            model.layers.push_back({name, "Linear", 0, 0, {}});
        return familyOf(model);
    };
    EXPECT_EQ(familyWith({"layer1.0.conv1", "layer4.2.conv3", "fc"}), ModelFamily::resnet);
    EXPECT_EQ(familyWith({"patch_embed.proj", "blocks.0.attn.qkv"}), ModelFamily::vit);
    EXPECT_EQ(familyWith({"patch_embed.proj", "layers.0.blocks.0.attn.qkv"}), ModelFamily::swin);
    EXPECT_EQ(familyWith({"stem.0", "stages.0.blocks.0.conv_dw"}), ModelFamily::convnext);
    EXPECT_EQ(familyWith({"down_blocks.0.resnets.0.conv1", "up_blocks.0.resnets.0.conv1"}), ModelFamily::diffusion);
    EXPECT_EQ(familyWith({"layer1.0", "head"}), std::nullopt);
    EXPECT_EQ(familyWith({}), std::nullopt);
}

TEST(ModelFamily, HasAnExampleThatIsOfIt)
{
    for (const ModelFamily family : kAllFamilies)
        EXPECT_EQ(familyNamed("x", std::string(exampleOf(family)),
                              family == ModelFamily::detr ? TaskType::detection : TaskType::classification),
                  family);
}

} // namespace
} // namespace apertune::model
