// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/precision.h"

#include <map>
#include <string>
#include <vector>

namespace apertune::model {

/// The axes of a sweep. An empty axis takes its default, so SearchSpace{} is what a sweep tries when nothing is chosen:
/// `apertune tune MODEL` and every Auto-tune of the window. search::withDefaults() tells what that is on given devices.
struct SearchSpace
{
    std::vector<std::string> backends{"all"}; ///< names, or "all" alone: on each device every one that runs there
    std::vector<OptLevel> levels{};           ///< default: O0…O3
    std::vector<Precision> precisions{};      ///< default: each level's own, plus fp32
    std::vector<int> batches{};               ///< default: 1,2,4,8; the value kAutoBatch alone walks powers of two
    std::vector<std::string> devices{};       ///< ids, or "all"; default: the fastest kind there is
    std::vector<int> threads{};               ///< CPU only; default: one per physical core
    std::map<std::string, std::vector<bool>> switches{}; ///< explicit axes laid over each level
    std::string calibration{};   ///< folder of images that int8 is calibrated with; empty: generated samples
    int calibrationSamples = 64; ///< at most
    /// Layers by what int8 costs in them, the costliest first: int8 is planned with none of them in float, with the
    /// first, the first two … with all.
    std::vector<std::string> sensitive{};
    bool emulated = false; ///< also offer precisions that the device would only emulate

    /// How it is gone through: "racing", "grid", "random" or "bisect" (core/search); empty: what search::suitable()
    /// says.
    std::string search{};

    static constexpr int kAutoBatch = 0;
};

} // namespace apertune::model
