// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/zoo.h"

#include "core/models/reasons.h"

namespace apertune::models {

using model::TaskType;

const std::vector<ZooEntry>& zoo()
{
    static const std::vector<ZooEntry> kZoo{
        {"torchvision:resnet18", "resnet18", TaskType::classification, base::message<reasons::kZooResnet18>(),
         11'689'512},
        {"torchvision:resnet50", "resnet50", TaskType::classification, base::message<reasons::kZooResnet50>(),
         25'557'032},
        {"torchvision:resnet152", "resnet152", TaskType::classification, base::message<reasons::kZooResnet152>(),
         60'192'808},
        {"torchvision:mobilenet_v3_large", "mobilenet_v3_large", TaskType::classification,
         base::message<reasons::kZooMobilenetV3Large>(), 5'483'032},
        {"torchvision:efficientnet_b0", "efficientnet_b0", TaskType::classification,
         base::message<reasons::kZooEfficientnetB0>(), 5'288'548},
        {"torchvision:vit_b_16", "vit_b_16", TaskType::classification, base::message<reasons::kZooVitB16>(),
         86'567'656},
        {"torchvision:vit_l_16", "vit_l_16", TaskType::classification, base::message<reasons::kZooVitL16>(),
         304'326'632},
        {"torchvision:swin_t", "swin_t", TaskType::classification, base::message<reasons::kZooSwinT>(), 28'288'354},
        {"torchvision:convnext_tiny", "convnext_tiny", TaskType::classification,
         base::message<reasons::kZooConvnextTiny>(), 28'589'128},
        {"torchvision:deeplabv3_resnet50", "deeplabv3_resnet50", TaskType::segmentation,
         base::message<reasons::kZooDeeplabv3Resnet50>(), 39'638'869},
        {"zoo:unet", "unet", TaskType::segmentation, base::message<reasons::kZooUnet>(), 7'763'701},
        {"zoo:unet_tiled", "unet_tiled", TaskType::segmentation, base::message<reasons::kZooUnetTiled>(), 7'763'701},
        {"zoo:yolo", "yolo", TaskType::detection, base::message<reasons::kZooYolo>(), 2'271'503},
        {"zoo:yolo_nms", "yolo_nms", TaskType::detection, base::message<reasons::kZooYoloNms>(), 2'271'503},
        {"zoo:mobilenet_detector", "mobilenet_detector", TaskType::detection,
         base::message<reasons::kZooMobilenetDetector>(), 3'085'752},
        {"torchvision:fasterrcnn_mobilenet_v3_large_320_fpn", "fasterrcnn_mobilenet", TaskType::detection,
         base::message<reasons::kZooFasterrcnnMobilenet>(), 19'410'754},
        {"torchvision:ssdlite320_mobilenet_v3_large", "ssdlite_mobilenet", TaskType::detection,
         base::message<reasons::kZooSsdliteMobilenet>(), 3'440'060},
        {"zoo:detr", "detr", TaskType::detection, base::message<reasons::kZooDetr>(), 41'578'400},
        {"zoo:sd_text_encoder", "sd_text_encoder", TaskType::other, base::message<reasons::kZooSdTextEncoder>(),
         931'200},
        {"zoo:sd_unet", "sd_unet", TaskType::other, base::message<reasons::kZooSdUnet>(), 5'617'860},
        {"zoo:sd_unet_sliced", "sd_unet_sliced", TaskType::other, base::message<reasons::kZooSdUnetSliced>(),
         5'617'860},
        {"zoo:sd_vae_decoder", "sd_vae_decoder", TaskType::other, base::message<reasons::kZooSdVaeDecoder>(),
         1'302'115},
        {"zoo:sd_vae_decoder_tiled", "sd_vae_decoder_tiled", TaskType::other,
         base::message<reasons::kZooSdVaeDecoderTiled>(), 1'302'115},
        {"zoo:sd_pipeline", "sd_pipeline", TaskType::other, base::message<reasons::kZooSdPipeline>(), 7'851'175},
    };
    return kZoo;
}

} // namespace apertune::models
