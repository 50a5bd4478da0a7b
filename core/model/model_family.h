// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_ref.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace apertune::model {

/// The families of networks that guides tune, in the order of tables.
enum class ModelFamily { vit, resnet, detr, swin, convnext, diffusion };

inline constexpr std::array kAllFamilies{ModelFamily::vit,  ModelFamily::resnet,   ModelFamily::detr,
                                         ModelFamily::swin, ModelFamily::convnext, ModelFamily::diffusion};

std::string_view toString(ModelFamily family); ///< "vit", "resnet", "detr", "swin", "convnext", "diffusion"
std::string_view titleOf(ModelFamily family);  ///< "ViT", "ResNet", "DETR", "Swin", "ConvNeXt", "diffusion"

/// Returns a source of a model of the family that can be imported without a file: "torchvision:resnet50".
std::string_view exampleOf(ModelFamily family);

/// Returns the family of a model; nullopt for others. The first rule that holds decides. Words are the parts of name
/// and source between characters that are no letters and digits, in lower case.
///  1. diffusion: a word is "diffusers", "diffusion", "sd", "sdxl", "flux", "dit" or "vae", or begins with "sd" and a
///     digit.
///  2. DETR: a word holds "detr".
///  3. None, for detection and segmentation: there a ResNet or ViT is a part of another network.
///  4. ConvNeXt, Swin: a word begins with the name. ViT: with "vit" or "deit". ResNet: a word holds "resnet", or begins
///     with "resnext".
///  5. By the names of layers, as timm, torchvision and diffusers call them: "down_blocks." and "up_blocks.":
///     diffusion. "conv_dw" in "stages.": ConvNeXt. "patch_embed." with attention in "layers.": Swin; in "blocks.":
///     ViT. "layer1." and "layer4.": ResNet.
///
/// `source` replaces that of the model where it is not empty.
std::optional<ModelFamily> familyOf(const ModelRef& model, std::string_view source = {});

} // namespace apertune::model
