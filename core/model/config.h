// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/switches.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::model {

/// Parameters of post-training quantization to int8, which calibrates the float model.
struct Quantization
{
    std::string images;                   ///< folder of images; empty for generated samples
    int samples = 64;                     ///< largest number of samples, ≥ 1
    std::vector<std::string> floatLayers; ///< layers left in float, by the converter's names; sorted

    bool operator==(const Quantization&) const = default;
};

/// Everything that decides how a model runs on a given device. `switches` is complete: the level expanded,
/// then explicit switches laid over it. Values compare member by member.
struct Config
{
    std::string backend = "libtorch";
    OptLevel level = OptLevel::o0;
    Precision precision = Precision::fp32;
    int batch = 1;   ///< samples in one forward pass, ≥ 1
    int threads = 0; ///< intra-operator CPU threads; 0 on a GPU means "not an axis"
    SwitchMap switches;
    std::optional<Quantization> quantization{}; ///< set for int8 that Apertune quantizes

    bool operator==(const Config&) const = default;
    bool isOn(const std::string& name) const;
    bool isReference() const;      ///< O0 fp32 with no switch on: reference of quality and speed-up
    bool isCompiled() const;       ///< whether it runs a package that was compiled ahead of time
    bool servesEveryBatch() const; ///< whether one package is compiled for all batches
};

/// Returns the configuration of a level and a precision on a device, without explicit switches.
Config makeConfig(OptLevel level, Precision precision, int batch, int threads, DeviceType device);

/// Returns the switches that differ from the level's own, as "+channels_last" and "−freeze". For an engine whose levels
/// core does not know, `given` stands for the level's own.
std::vector<std::string> switchMarks(const Config& config, DeviceType device, const SwitchMap& given = {});

/// Returns the short name of a configuration, with its switchMarks(): "O1 fp32 b1 +channels_last −freeze". The trials
/// of a study are named by ConfigurationNames, which knows whether they differ in threads.
///   - An engine with levels of its own is named: "openvino O1 fp32 b1".
///   - Layers that int8 leaves in float are counted: "openvino O1 int8−3 b1".
///   - Threads are named when `withThreads` is true.
std::string shortName(const Config& config, DeviceType device, bool withThreads = false, const SwitchMap& given = {});

/// Returns the name of a configuration group, with threads and without the batch: "libtorch O2 bf16 th2".
std::string groupName(const Config& config, DeviceType device);

/// Returns the identity of a configuration within a study: SHA-256 of the canonical text of config and device id.
std::string configHash(const Config& config, const std::string& deviceId);

/// The same without the batch: the identity of a configuration group, whose configurations share a loaded model.
std::string groupKey(const Config& config, const std::string& deviceId);

} // namespace apertune::model
