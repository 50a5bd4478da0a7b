// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_family.h"

#include "core/base/text.h"

#include <algorithm>
#include <vector>

namespace apertune::model {

namespace {

struct FamilyRow
{
    ModelFamily family;
    std::string_view word;
    std::string_view title;
    std::string_view example;
};
constexpr std::array<FamilyRow, 6> kFamilies{{
    {ModelFamily::vit, "vit", "ViT", "torchvision:vit_b_16"},
    {ModelFamily::resnet, "resnet", "ResNet", "torchvision:resnet50"},
    {ModelFamily::detr, "detr", "DETR", "zoo:detr"},
    {ModelFamily::swin, "swin", "Swin", "torchvision:swin_t"},
    {ModelFamily::convnext, "convnext", "ConvNeXt", "torchvision:convnext_tiny"},
    {ModelFamily::diffusion, "diffusion", "diffusion", "zoo:sd_unet"},
}};

const FamilyRow& rowOf(ModelFamily family)
{
    return *std::find_if(kFamilies.begin(), kFamilies.end(),
                         [&](const FamilyRow& row) { return row.family == family; });
}

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

std::vector<std::string> wordsOf(const std::string& text)
{
    std::vector<std::string> words(1);
    for (const char c : base::lower(text))
        if (isLetterOrDigit(c))
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    return words;
}

bool isOfDiffusion(const std::string& word)
{
    constexpr std::array<std::string_view, 7> kWords{"diffusers", "diffusion", "sd", "sdxl", "flux", "dit", "vae"};
    return std::count(kWords.begin(), kWords.end(), word) > 0 ||
           (word.size() > 2 && word.starts_with("sd") && word[2] >= '0' && word[2] <= '9');
}

/// Whether a layer has a name that begins with `begin` and holds `part`.
bool hasLayer(const ModelRef& model, std::string_view begin, std::string_view part = {})
{
    return std::any_of(model.layers.begin(), model.layers.end(), [&](const LayerSpec& layer) {
        return layer.name.starts_with(begin) && layer.name.find(part) != std::string::npos;
    });
}

std::optional<ModelFamily> familyOfLayers(const ModelRef& model)
{
    if (hasLayer(model, "down_blocks.") && hasLayer(model, "up_blocks."))
        return ModelFamily::diffusion;
    if (hasLayer(model, "stages.", "conv_dw"))
        return ModelFamily::convnext;
    if (hasLayer(model, "patch_embed.") && hasLayer(model, "layers.", ".attn."))
        return ModelFamily::swin;
    if (hasLayer(model, "patch_embed.") && hasLayer(model, "blocks.", ".attn."))
        return ModelFamily::vit;
    if (hasLayer(model, "layer1.") && hasLayer(model, "layer4."))
        return ModelFamily::resnet;
    return std::nullopt;
}

} // namespace

std::string_view toString(ModelFamily family)
{
    return rowOf(family).word;
}

std::string_view titleOf(ModelFamily family)
{
    return rowOf(family).title;
}

std::string_view exampleOf(ModelFamily family)
{
    return rowOf(family).example;
}

std::optional<ModelFamily> familyOf(const ModelRef& model, std::string_view source)
{
    const std::vector<std::string> words =
        wordsOf(model.name + " " + (source.empty() ? model.source : std::string(source)));
    const auto any = [&](auto holds) { return std::any_of(words.begin(), words.end(), holds); };
    const auto begins = [&](std::string_view name) {
        return any([&](const std::string& word) { return word.starts_with(name); });
    };
    const auto holds = [&](std::string_view name) {
        return any([&](const std::string& word) { return word.find(name) != std::string::npos; });
    };
    if (any(isOfDiffusion))
        return ModelFamily::diffusion;
    if (holds("detr"))
        return ModelFamily::detr;
    if (model.taskType == TaskType::detection || model.taskType == TaskType::segmentation)
        return std::nullopt;
    if (begins("convnext"))
        return ModelFamily::convnext;
    if (begins("swin"))
        return ModelFamily::swin;
    if (begins("vit") || begins("deit"))
        return ModelFamily::vit;
    if (holds("resnet") || begins("resnext"))
        return ModelFamily::resnet;
    return familyOfLayers(model);
}

} // namespace apertune::model
