// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/switches.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::model {

/// How int8 came by its ranges: by calibration of the float model, after training.
struct Quantization
{
    std::string images;                   ///< folder of pictures; empty: generated samples
    int samples = 64;                     ///< at most, ≥ 1
    std::vector<std::string> floatLayers; ///< left in float, by the names that the converter gives layers; sorted

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
    std::optional<Quantization> quantization{}; ///< with int8, where the file that is opened is made here

    bool operator==(const Config&) const = default;
    bool isOn(const std::string& name) const;
    bool isCompiled() const;       ///< runs a package that was compiled ahead of time, not the TorchScript graph
    bool servesEveryBatch() const; ///< its package is compiled for all batches, not for this one
};

/// Level and precision expanded for a device, nothing overridden.
Config makeConfig(OptLevel level, Precision precision, int batch, int threads, DeviceType device);

/// "+channels_last", "−freeze": the switches that differ from the level's own and, where core does not know what the
/// level of an engine sets, from `given`.
std::vector<std::string> switchMarks(const Config& config, DeviceType device, const SwitchMap& given = {});

/// "O2 bf16 b4" plus the switchMarks(): "O1 fp32 b1 +channels_last −freeze".
/// An engine with levels of its own is named: "openvino O1 fp32 b1"; layers that int8 leaves in float are counted:
/// "openvino O1 int8−3 b1". Threads are named only when `withThreads`.
std::string shortName(const Config& config, DeviceType device, bool withThreads = false, const SwitchMap& given = {});

/// The same with threads and without the batch, of every engine by its name: "libtorch O2 bf16 t2".
std::string groupName(const Config& config, DeviceType device);

/// SHA-256 of the canonical text of config and device id: the identity of a configuration within a study.
std::string configHash(const Config& config, const std::string& deviceId);

/// The same with the batch left out: configurations of one task type share a loaded model.
std::string groupKey(const Config& config, const std::string& deviceId);

} // namespace apertune::model
