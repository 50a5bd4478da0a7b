// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/units.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::workload {

/// The stages of an image from file to answer, in this order.
enum class Stage { decode, preprocess, copyIn, infer, copyBack, postprocess };
inline constexpr std::array kStages{Stage::decode, Stage::preprocess, Stage::copyIn,
                                    Stage::infer,  Stage::copyBack,   Stage::postprocess};
inline constexpr std::size_t kStageCount = kStages.size();
std::string_view toString(Stage stage); ///< "decode", "preprocess", "copy", "infer", "copy_back", "postprocess"
std::optional<Stage> stageFromString(std::string_view word);

/// A resource that several stages share. It works on one stage of an image at a time.
enum class Server {
    host,    ///< the decoding threads: decode, preprocess
    device,  ///< the measuring thread and the device it waits for: copy, infer, copy back
    answers, ///< one thread: postprocess
};
inline constexpr std::size_t kServerCount = 3;
Server serverOf(Stage stage);
std::string_view toString(Server server); ///< "host", "device", "answers"

/// The place of normalization, the memory that images are copied from, and the kind of box suppression (postprocess.h).
enum class Place { host, device };               ///< "host", "device"
enum class HostMemory { pageable, pinned };      ///< "pageable", "pinned"
enum class Suppression { batched, plain, none }; ///< "batched", "plain", "none"
std::string_view toString(Place place);
std::string_view toString(HostMemory memory);
std::string_view toString(Suppression suppression);
std::optional<Place> placeFromString(std::string_view word);
std::optional<HostMemory> hostMemoryFromString(std::string_view word);
std::optional<Suppression> suppressionFromString(std::string_view word);

/// The settings of a run from image to answer. JSON uses the names of toString().
struct PipelinePlan
{
    int decodeThreads = 1;
    /// Number of batches that are prepared while the device works on another. With 0 the stages run one after the
    /// other, and nothing is prepared ahead.
    int prefetch = 2;
    int queueBatch = 0; ///< largest number of images in a pass; 0: the configuration's batch
    /// Longest wait of the oldest image for a full batch; none: no limit.
    std::optional<base::Nanoseconds> queueWait{};
    double rate = 0; ///< images per second with Poisson arrivals; 0: the next image begins when a slot is free
    base::Nanoseconds duration = base::fromSeconds(10);
    Place normalize = Place::host;            ///< the place where bytes become the model's input values
    HostMemory memory = HostMemory::pageable; ///< the kind of memory that images are copied from
    Suppression suppression = Suppression::batched;
    std::uint64_t seed = 1; ///< seed of the arrival times

    bool operator==(const PipelinePlan&) const = default;

    /// The largest number of images between admission and the device's answer.
    int slots(int batch) const { return batch * (prefetch > 0 ? prefetch : 1); }
};

/// Failures: invalidArgument, with a hint that names valid values. `batch` is the batch of the configuration.
base::Status check(const PipelinePlan& plan, int batch);

/// Writes all members. When JSON is read, unknown members are ignored and missing ones keep their defaults.
/// Failures: corrupt.
base::Json toJson(const PipelinePlan& plan);
base::Result<PipelinePlan> pipelinePlanFromJson(const base::Json& json);

} // namespace apertune::workload
