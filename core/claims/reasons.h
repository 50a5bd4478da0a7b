// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::claims::reasons {

using base::MessageKind;

inline constexpr MessageKind kClaimTraining{"claims.claim_training"};
inline constexpr MessageKind kClaimPlatform{"claims.claim_platform", {"platform"}};
inline constexpr MessageKind kClaimOwnModel{"claims.claim_own_model", {"model"}};
inline constexpr MessageKind kClaimNotOffered{"claims.claim_not_offered", {"setting"}};
inline constexpr MessageKind kClaimRatedByEye{"claims.claim_judgement"};
inline constexpr MessageKind kClaimAdvice{"claims.claim_advice", {"command"}};
inline constexpr MessageKind kClaimNoDevice{"claims.claim_no_device", {"device"}};
inline constexpr MessageKind kClaimNoGpu{"claims.claim_no_gpu"};
inline constexpr MessageKind kClaimOneThreadPerCore{"claims.claim_one_thread_per_core"};
inline constexpr MessageKind kClaimNoArithmetic{"claims.claim_no_arithmetic", {"precision", "device"}};
inline constexpr MessageKind kClaimDidNotRun{"claims.claim_did_not_run", {"configuration", "reason"}};
inline constexpr MessageKind kClaimFewPeaks{"claims.claim_few_peaks", {"pairs", "least"}};
inline constexpr MessageKind kClaimNoInterval{"claims.claim_no_interval"};
inline constexpr MessageKind kClaimTooWide{"claims.claim_too_wide"};
inline constexpr MessageKind kClaimHoldsNoEffect{"claims.claim_holds_no_effect"};

inline constexpr std::array kAll{kClaimTraining,         kClaimPlatform,     kClaimOwnModel,     kClaimNotOffered,
                                 kClaimRatedByEye,       kClaimAdvice,       kClaimNoDevice,     kClaimNoGpu,
                                 kClaimOneThreadPerCore, kClaimNoArithmetic, kClaimDidNotRun,    kClaimFewPeaks,
                                 kClaimNoInterval,       kClaimTooWide,      kClaimHoldsNoEffect};

} // namespace apertune::claims::reasons
