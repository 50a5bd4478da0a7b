// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/zoo.h"

namespace apertune::models {

const std::vector<ZooEntry>& zoo()
{
    static const std::vector<ZooEntry> kZoo{
        {"torchvision:resnet18", "resnet18", "classification", "Small residual network; quick to sweep", 11'689'512},
        {"torchvision:resnet50", "resnet50", "classification", "The usual yardstick of convolutional networks",
         25'557'032},
        {"torchvision:resnet152", "resnet152", "classification", "Deep residual network", 60'192'808},
        {"torchvision:mobilenet_v3_large", "mobilenet_v3_large", "classification", "Depthwise convolutions for phones",
         5'483'032},
        {"torchvision:efficientnet_b0", "efficientnet_b0", "classification",
         "Depthwise convolutions with squeeze-excitation", 5'288'548},
        {"torchvision:vit_b_16", "vit_b_16", "classification", "Vision transformer, 12 blocks", 86'567'656},
        {"torchvision:vit_l_16", "vit_l_16", "classification", "Large vision transformer, 24 blocks", 304'326'632},
        {"torchvision:swin_t", "swin_t", "classification", "Transformer with shifted windows", 28'288'354},
        {"torchvision:convnext_tiny", "convnext_tiny", "classification", "Modern convolutional network with layer norm",
         28'589'128},
        {"torchvision:deeplabv3_resnet50", "deeplabv3_resnet50", "segmentation",
         "Dilated ResNet-50 with pyramid pooling", 39'638'869},
        {"zoo:unet", "unet", "segmentation", "Encoder and decoder with skip connections", 7'763'701},
        {"zoo:unet_tiled", "unet_tiled", "segmentation", "The U-Net on overlapping tiles of 128, blended", 7'763'701},
        {"zoo:yolo", "yolo", "detection", "YOLO-like, three scales; NMS is left to the pipeline", 2'271'503},
        {"zoo:yolo_nms", "yolo_nms", "detection", "The same with NMS in the graph", 2'271'503},
        {"zoo:mobilenet_detector", "mobilenet_detector", "detection", "One-stage detector with NMS; it also compiles",
         3'085'752},
        {"torchvision:fasterrcnn_mobilenet_v3_large_320_fpn", "fasterrcnn_mobilenet", "detection",
         "Two-stage detector with NMS", 19'410'754},
        {"torchvision:ssdlite320_mobilenet_v3_large", "ssdlite_mobilenet", "detection", "One-stage detector with NMS",
         3'440'060},
        {"zoo:detr", "detr", "detection", "ResNet-50 with an encoder-decoder transformer, no NMS", 41'578'400},
        {"zoo:sd_text_encoder", "sd_text_encoder", "other", "Diffusion, small: tokens to the context of a prompt",
         931'200},
        {"zoo:sd_unet", "sd_unet", "other", "Diffusion, small: one step of the U-Net", 5'617'860},
        {"zoo:sd_unet_sliced", "sd_unet_sliced", "other", "The same with attention in slices, one head after the other",
         5'617'860},
        {"zoo:sd_vae_decoder", "sd_vae_decoder", "other", "Diffusion, small: latent to image", 1'302'115},
        {"zoo:sd_vae_decoder_tiled", "sd_vae_decoder_tiled", "other",
         "The same on overlapping tiles, one after the other", 1'302'115},
        {"zoo:sd_pipeline", "sd_pipeline", "other", "Diffusion, small: prompt to image, four guided steps", 7'851'175},
    };
    return kZoo;
}

} // namespace apertune::models
