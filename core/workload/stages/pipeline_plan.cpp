// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/pipeline_plan.h"

#include "core/workload/stages/errors.h"

#include <nlohmann/json.hpp>

namespace apertune::workload {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Nanoseconds;

namespace {

constexpr std::array<std::string_view, kStageCount> kStageWords{"decode", "preprocess", "copy",
                                                                "infer",  "copy_back",  "postprocess"};
constexpr std::array<std::string_view, kServerCount> kServerWords{"host", "device", "answers"};
constexpr std::array<std::string_view, 2> kPlaceWords{"host", "device"};
constexpr std::array<std::string_view, 2> kMemoryWords{"pageable", "pinned"};
constexpr std::array<std::string_view, 3> kSuppressionWords{"batched", "plain", "none"};

// Limits that only catch typing errors.
constexpr int kMostThreads = 256;
constexpr int kMostPrefetch = 64;

template <typename Enum, std::size_t n>
std::optional<Enum> fromWord(const std::array<std::string_view, n>& words, std::string_view word)
{
    for (std::size_t i = 0; i < n; ++i)
        if (words[i] == word)
            return static_cast<Enum>(i);
    return std::nullopt;
}

template <typename Enum, std::size_t n>
std::string_view wordOf(const std::array<std::string_view, n>& words, Enum value)
{
    return words[static_cast<std::size_t>(value)];
}

Error wrongPlan(base::Message message, base::Message hint)
{
    return {ErrorCode::invalidArgument, std::move(message), {}, std::move(hint)};
}

template <typename Enum>
void readWord(const Json& json, const char* name, std::optional<Enum> (*parse)(std::string_view), Enum& into)
{
    if (!json.contains(name))
        return;
    const auto value = parse(json.at(name).get<std::string>());
    if (!value)
        throw std::runtime_error(std::string(name) + " is not a word of this version");
    into = *value;
}

} // namespace

std::string_view toString(Stage stage)
{
    return wordOf(kStageWords, stage);
}

std::optional<Stage> stageFromString(std::string_view word)
{
    return fromWord<Stage>(kStageWords, word);
}

Server serverOf(Stage stage)
{
    switch (stage) {
    case Stage::decode:
    case Stage::preprocess:
        return Server::host;
    case Stage::copyIn:
    case Stage::infer:
    case Stage::copyBack:
        return Server::device;
    case Stage::postprocess:
        break;
    }
    return Server::answers;
}

std::string_view toString(Server server)
{
    return wordOf(kServerWords, server);
}

std::string_view toString(Place place)
{
    return wordOf(kPlaceWords, place);
}

std::string_view toString(HostMemory memory)
{
    return wordOf(kMemoryWords, memory);
}

std::string_view toString(Suppression suppression)
{
    return wordOf(kSuppressionWords, suppression);
}

std::optional<Place> placeFromString(std::string_view word)
{
    return fromWord<Place>(kPlaceWords, word);
}

std::optional<HostMemory> hostMemoryFromString(std::string_view word)
{
    return fromWord<HostMemory>(kMemoryWords, word);
}

std::optional<Suppression> suppressionFromString(std::string_view word)
{
    return fromWord<Suppression>(kSuppressionWords, word);
}

base::Status check(const PipelinePlan& plan, int batch)
{
    if (plan.decodeThreads < 1 || plan.decodeThreads > kMostThreads)
        return wrongPlan(base::message<stage_errors::kNoDecoders>(), base::message<stage_errors::kAsManyAsSpare>());
    if (plan.prefetch < 0 || plan.prefetch > kMostPrefetch)
        return wrongPlan(base::message<stage_errors::kNoAhead>(), base::message<stage_errors::kTwoAhead>());
    if (plan.queueBatch < 0 || plan.queueBatch > batch)
        return wrongPlan(base::message<stage_errors::kTooLargeBatch>(batch),
                         base::message<stage_errors::kBatchLimit>(batch));
    if (plan.queueWait && plan.queueWait->count < 0)
        return wrongPlan(base::message<stage_errors::kNegativeWait>(), base::message<stage_errors::kZeroWait>());
    // Written so that a rate that is no number fails too.
    if (!(plan.rate >= 0) || plan.rate > 1e6)
        return wrongPlan(base::message<stage_errors::kNoRate>(), base::message<stage_errors::kRateInImages>());
    if (plan.duration.count <= 0)
        return wrongPlan(base::message<stage_errors::kNoDuration>(), base::message<stage_errors::kTenSeconds>());
    return {};
}

Json toJson(const PipelinePlan& plan)
{
    return {{"decode_threads", plan.decodeThreads},
            {"prefetch", plan.prefetch},
            {"queue_batch", plan.queueBatch},
            {"queue_wait_ns", plan.queueWait ? Json(plan.queueWait->count) : Json(nullptr)},
            {"rate", plan.rate},
            {"duration_ns", plan.duration.count},
            {"normalize", toString(plan.normalize)},
            {"memory", toString(plan.memory)},
            {"nms", toString(plan.suppression)},
            {"seed", plan.seed}};
}

base::Result<PipelinePlan> pipelinePlanFromJson(const Json& json)
{
    try {
        PipelinePlan plan;
        plan.decodeThreads = json.value("decode_threads", plan.decodeThreads);
        plan.prefetch = json.value("prefetch", plan.prefetch);
        plan.queueBatch = json.value("queue_batch", plan.queueBatch);
        // Null says that a pass waits for a full batch.
        if (const auto wait = json.find("queue_wait_ns"); wait != json.end() && !wait->is_null())
            plan.queueWait = Nanoseconds{wait->get<std::int64_t>()};
        plan.rate = json.value("rate", plan.rate);
        plan.duration = {json.value("duration_ns", plan.duration.count)};
        readWord(json, "normalize", placeFromString, plan.normalize);
        readWord(json, "memory", hostMemoryFromString, plan.memory);
        readWord(json, "nms", suppressionFromString, plan.suppression);
        plan.seed = json.value("seed", plan.seed);
        return plan;
    } catch (const std::exception& e) {
        return Error{ErrorCode::corrupt, base::message<stage_errors::kUnreadablePlan>(), e.what(),
                     base::message<stage_errors::kVersionThatWrote>()};
    }
}

} // namespace apertune::workload
