// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::models::reasons {

using base::MessageKind;

// Descriptions of the models of the zoo, a line for each.
inline constexpr MessageKind kZooResnet18{"models.zoo_resnet18"};
inline constexpr MessageKind kZooResnet50{"models.zoo_resnet50"};
inline constexpr MessageKind kZooResnet152{"models.zoo_resnet152"};
inline constexpr MessageKind kZooMobilenetV3Large{"models.zoo_mobilenet_v3_large"};
inline constexpr MessageKind kZooEfficientnetB0{"models.zoo_efficientnet_b0"};
inline constexpr MessageKind kZooVitB16{"models.zoo_vit_b_16"};
inline constexpr MessageKind kZooVitL16{"models.zoo_vit_l_16"};
inline constexpr MessageKind kZooSwinT{"models.zoo_swin_t"};
inline constexpr MessageKind kZooConvnextTiny{"models.zoo_convnext_tiny"};
inline constexpr MessageKind kZooDeeplabv3Resnet50{"models.zoo_deeplabv3_resnet50"};
inline constexpr MessageKind kZooUnet{"models.zoo_unet"};
inline constexpr MessageKind kZooUnetTiled{"models.zoo_unet_tiled"};
inline constexpr MessageKind kZooYolo{"models.zoo_yolo"};
inline constexpr MessageKind kZooYoloNms{"models.zoo_yolo_nms"};
inline constexpr MessageKind kZooMobilenetDetector{"models.zoo_mobilenet_detector"};
inline constexpr MessageKind kZooFasterrcnnMobilenet{"models.zoo_fasterrcnn_mobilenet"};
inline constexpr MessageKind kZooSsdliteMobilenet{"models.zoo_ssdlite_mobilenet"};
inline constexpr MessageKind kZooDetr{"models.zoo_detr"};
inline constexpr MessageKind kZooSdTextEncoder{"models.zoo_sd_text_encoder"};
inline constexpr MessageKind kZooSdUnet{"models.zoo_sd_unet"};
inline constexpr MessageKind kZooSdUnetSliced{"models.zoo_sd_unet_sliced"};
inline constexpr MessageKind kZooSdVaeDecoder{"models.zoo_sd_vae_decoder"};
inline constexpr MessageKind kZooSdVaeDecoderTiled{"models.zoo_sd_vae_decoder_tiled"};
inline constexpr MessageKind kZooSdPipeline{"models.zoo_sd_pipeline"};

// Steps of checking an exported program, and its outcome.
inline constexpr MessageKind kBuildingProgram{"models.building_program", {"folder"}};
inline constexpr MessageKind kRunningProgramOnce{"models.running_program_once"};
inline constexpr MessageKind kRunsAsMeasured{"models.runs_as_measured", {"cosine", "least", "now", "then"}};
inline constexpr MessageKind kRunsFaster{"models.runs_faster", {"cosine", "least", "now", "then"}};
inline constexpr MessageKind kRunsAtUnknownSpeed{"models.runs_at_unknown_speed",
                                                 {"cosine", "least", "now", "then", "why"}};
inline constexpr MessageKind kRunsElsewhere{"models.runs_elsewhere", {"said", "device"}};
// Why a slower time says nothing.
inline constexpr MessageKind kMachineBusy{"models.machine_busy", {"others"}};
inline constexpr MessageKind kMachineStolen{"models.machine_stolen", {"others", "stolen"}};
inline constexpr MessageKind kDriftReadingSlower{"models.drift_reading_slower", {"ratio"}};
inline constexpr MessageKind kIntervalCrosses{"models.interval_crosses"};
// Progress of an import.
inline constexpr MessageKind kImportingAgain{"models.importing_again", {"why", "model"}};

inline constexpr std::array kAll{kBuildingProgram,
                                 kImportingAgain,
                                 kRunningProgramOnce,
                                 kRunsAsMeasured,
                                 kRunsFaster,
                                 kRunsAtUnknownSpeed,
                                 kRunsElsewhere,
                                 kMachineBusy,
                                 kMachineStolen,
                                 kDriftReadingSlower,
                                 kIntervalCrosses,
                                 kZooResnet18,
                                 kZooResnet50,
                                 kZooResnet152,
                                 kZooMobilenetV3Large,
                                 kZooEfficientnetB0,
                                 kZooVitB16,
                                 kZooVitL16,
                                 kZooSwinT,
                                 kZooConvnextTiny,
                                 kZooDeeplabv3Resnet50,
                                 kZooUnet,
                                 kZooUnetTiled,
                                 kZooYolo,
                                 kZooYoloNms,
                                 kZooMobilenetDetector,
                                 kZooFasterrcnnMobilenet,
                                 kZooSsdliteMobilenet,
                                 kZooDetr,
                                 kZooSdTextEncoder,
                                 kZooSdUnet,
                                 kZooSdUnetSliced,
                                 kZooSdVaeDecoder,
                                 kZooSdVaeDecoderTiled,
                                 kZooSdPipeline};

} // namespace apertune::models::reasons
