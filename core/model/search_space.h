// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/precision.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

/// How a search space is gone through; core/search/algorithm.h says what each does. Documents hold the name.
enum class SearchAlgorithm { grid, random, halving, racing, bisect };
std::string_view toString(SearchAlgorithm algorithm); ///< "grid", "random", "halving", "racing", "bisect"
/// Exact names only; nullopt for anything else.
std::optional<SearchAlgorithm> searchAlgorithmFromString(std::string_view text);

/// The axes of a sweep. An empty axis stands for its default, so SearchSpace{} is the space of `apertune tune MODEL`
/// and of Auto-tune in the window. search::withDefaults() fills the defaults in for given devices.
struct SearchSpace
{
    std::vector<std::string> backends{"all"}; ///< names, or "all" alone: every backend that opens the device
    std::vector<OptLevel> levels{};           ///< default: O0…O3
    std::vector<Precision> precisions{};      ///< default: each level's own, plus fp32
    std::vector<int> batches{};               ///< default: 1,2,4,8; kAutoBatch alone: as many as memory allows
    std::vector<std::string> devices{};       ///< ids, or "all"; default: one NVIDIA GPU of each model, else the CPU
    std::vector<int> threads{};               ///< CPU only; default: one per physical core, and fewer for the best
    std::map<std::string, std::vector<bool>> switches{}; ///< explicit axes laid over each level
    std::string calibration{};   ///< folder of images that int8 is calibrated with; empty: generated samples
    int calibrationSamples = 64; ///< largest number of calibration samples
    /// Layers by their sensitivity to int8, the most sensitive first. Int8 is planned with none of them in float, with
    /// the first one, the first two … and all of them.
    std::vector<std::string> sensitive{};
    /// Equal GPUs share the configurations: each group is measured on one of them, O0 fp32 on all.
    bool spread = false;
    bool emulated = false; ///< also offer precisions that the device would only emulate
    /// Share of a device's memory that automatic batches may fill, above 0 and at most 1. nullopt: the share of
    /// search::memoryLimit(), and batches end earlier where throughput no longer grows.
    std::optional<double> memoryShare{};

    std::optional<SearchAlgorithm> search{}; ///< empty: search::suitable() chooses

    static constexpr int kAutoBatch = 0;
};

} // namespace apertune::model
