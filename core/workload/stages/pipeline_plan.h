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

/// What happens to an image from file to answer, in this order.
enum class Stage { decode, preprocess, copyIn, infer, copyBack, postprocess };
inline constexpr std::array kStages{Stage::decode, Stage::preprocess, Stage::copyIn,
                                    Stage::infer,  Stage::copyBack,   Stage::postprocess};
inline constexpr std::size_t kStageCount = kStages.size();
std::string_view toString(Stage stage); ///< "decode", "preprocess", "copy", "infer", "copy_back", "postprocess"
std::optional<Stage> stageFromString(std::string_view word);

/// What a number of stages share: the stages of one image take turns on it.
enum class Server {
    host,    ///< the decoding threads: decode, preprocess
    device,  ///< the measuring thread and the device it waits for: copy, infer, copy back
    answers, ///< one thread: postprocess
};
inline constexpr std::size_t kServerCount = 3;
Server serverOf(Stage stage);
std::string_view toString(Server server); ///< "host", "device", "answers"

enum class Place { host, device };               ///< "host", "device"
enum class HostMemory { pageable, pinned };      ///< "pageable", "pinned"
enum class Suppression { batched, plain, none }; ///< of boxes, see postprocess.h; "batched", "plain", "none"
std::string_view toString(Place place);
std::string_view toString(HostMemory memory);
std::string_view toString(Suppression suppression);
std::optional<Place> placeFromString(std::string_view word);
std::optional<HostMemory> hostMemoryFromString(std::string_view word);
std::optional<Suppression> suppressionFromString(std::string_view word);

/// How images go through a model.
struct PipelinePlan
{
    int decodeThreads = 1;
    /// Batches that are prepared while the device works on another. 0: the stages take turns, nothing is done ahead.
    int prefetch = 2;
    int queueBatch = 0;                           ///< images a pass takes at most; 0: the configuration's batch
    std::optional<base::Nanoseconds> queueWait{}; ///< the oldest waits so long for its batch; none: until it is full
    double rate = 0;                              ///< images a second, at Poisson times; 0: the next when there is room
    base::Nanoseconds duration = base::fromSeconds(10);
    Place normalize = Place::host;            ///< where bytes become the model's values
    HostMemory memory = HostMemory::pageable; ///< that images are copied from
    Suppression suppression = Suppression::batched;
    std::uint64_t seed = 1; ///< of arrivals

    /// Images that may be between admission and the device's answer at once.
    int slots(int batch) const { return batch * (prefetch > 0 ? prefetch : 1); }
};

/// Failures: invalidArgument, with what would be right. `batch`: the configuration's.
base::Status check(const PipelinePlan& plan, int batch);

/// All members. From JSON: unknown members are ignored, missing ones keep their defaults. Failures: corrupt.
base::Json toJson(const PipelinePlan& plan);
base::Result<PipelinePlan> pipelinePlanFromJson(const base::Json& json);

} // namespace apertune::workload
