// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/precision.h"
#include "core/model/setting.h"
#include "core/model/task_type.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::claims {

/// The figures that published optimization guides claim, as data: resources/claims/claims.json. claim_check.h compares
/// them with what a workspace measured.

/// The quantity of a claimed figure.
enum class ClaimQuantity {
    speed,        ///< samples a second after a change over those before
    tensors,      ///< peak of the tensor allocator after a change over that before
    agreement,    ///< lowest cosine of the outputs after a change with those of O0 fp32
    latency,      ///< milliseconds of a pass
    rate,         ///< samples a second
    parameters,   ///< number of a model's parameters
    patches,      ///< number of positions that the first convolution of a model makes
    convolutions, ///< share of the multiply-accumulates of a model that are in convolutions
    preparation,  ///< share of decoding and preprocessing in the work for an image
    pinned,       ///< rate of copies from pinned over that from pageable memory
};
std::string_view toString(ClaimQuantity quantity);
bool isRatio(ClaimQuantity quantity); ///< whether 1 means no effect

/// Why a figure cannot be measured on any machine.
enum class ClaimBarrier {
    none,
    training,   ///< it is about training
    platform,   ///< it is about platforms on which nothing runs here
    ownModel,   ///< it is about a model that the guide's author has
    notOffered, ///< Apertune has no such setting
    ratedByEye, ///< people rate the quality of images by eye
    advice,     ///< it recommends a setting and claims no effect
};

/// A change of one setting from one value to another, both as model::Setting::valueIn() writes them.
struct ClaimChange
{
    model::Setting setting;
    std::string from; ///< threads also: "half" or "all" of the device's processors
    std::string to;
    std::optional<model::DeviceKind> on{}; ///< the kind of device on which this change stands for the claim; any

    /// The values on a device, where "half" and "all" are numbers.
    std::string fromOn(const model::Device& device) const;
    std::string toOn(const model::Device& device) const;
};

/// The conditions of a figure. Those of the setting that changes do not count.
struct ClaimConditions
{
    std::optional<model::DeviceKind> kind{};
    std::string deviceName{};             ///< part of a device's name: "A100"
    std::string engine{};                 ///< engine of both sides; empty: any
    std::string engineOnGpu{};            ///< on a GPU, instead of `engine`
    std::vector<std::string> models{};    ///< sources, "*" at the end stands for any rest; empty: any
    std::vector<model::TaskType> tasks{}; ///< empty: any
    std::optional<model::Precision> precision{};
    std::optional<model::OptLevel> level{};
    std::optional<int> batch{};
    bool twoThreadsPerCore = false; ///< the processor has more logical processors than cores
};

/// One claimed figure with its condition, and what measures it: a change within a study, a change of the model, or the
/// best configuration that meets the conditions.
struct ClaimFigure
{
    ClaimQuantity quantity = ClaimQuantity::speed;
    /// The claimed range. A figure that a guide states without a range stands for all that rounds to it.
    std::optional<double> low{};
    std::optional<double> high{};
    std::vector<ClaimChange> changes{}; ///< alternatives; the first that the device knows is the one to measure
    std::string fromModel{};            ///< sources of two models that are compared; empty: no change of the model
    std::string toModel{};
    ClaimConditions where{};
    std::string example{}; ///< source of the model to measure with where no other is asked for
    ClaimBarrier barrier = ClaimBarrier::none;
    std::string what{}; ///< subject of the barrier

    bool acceptsModel(const std::string& source, model::TaskType task) const;
    /// The change that stands for the claim on a device, with its values; nullptr when there is none.
    const ClaimChange* changeOn(const model::Device& device) const;
};

struct Claim
{
    std::string id;      ///< "channels-last"
    std::string topic;   ///< "layout"
    std::string guide;   ///< public title
    std::string section; ///< "ResNet, memory layout"
    std::string says;    ///< one sentence
    std::vector<ClaimFigure> figures;
};

/// Returns all claims, in the order of the guides.
const std::vector<Claim>& publishedClaims();

/// Returns the topics, in the order in which they first occur.
std::vector<std::string> claimTopics();

} // namespace apertune::claims
