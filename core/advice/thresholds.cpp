// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/thresholds.h"

#include "core/advice/errors.h"
#include "core/advice/rule_info.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/model/json_codec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace apertune::advice {

namespace {

using T = Threshold;
constexpr ThresholdUnit kShare = ThresholdUnit::share;
constexpr ThresholdUnit kRatio = ThresholdUnit::ratio;
constexpr ThresholdUnit kCount = ThresholdUnit::count;

constexpr std::array<ThresholdInfo, kThresholds> kTable{{
    {T::deviceIdleBusy, "device-idle", "busy", 0.8, kShare, 0, 1, "while the device is busy for less of the time"},
    {T::enqueueBoundRatio, "enqueue-bound", "ratio", 0.8, kRatio, 0.01, 100,
     "when enqueuing a pass takes more than this of its time on the device"},
    {T::tinyKernelsPart, "tiny-kernels", "kernels", 0.3, kShare, 0, 1, "when more of the kernels than this are tiny"},
    {T::tinyKernelsGaps, "tiny-kernels", "gaps", 0.05, kShare, 0, 1,
     "when the gaps between launches take more of the time"},
    {T::tinyKernelsCalls, "tiny-kernels", "calls", 0.15, kShare, 0, 1,
     "on a CPU, when passing from operator to operator takes as much of the time"},
    {T::pageableCopiesShare, "pageable-copies", "share", 0.01, kShare, 0, 1,
     "when unhidden copies of pageable memory take as much of the time"},
    {T::blockingCopiesShare, "blocking-copies", "share", 0.01, kShare, 0, 1,
     "when the device waits as much of the time for blocking copies"},
    {T::waitsShare, "waits-in-iteration", "share", 0.02, kShare, 0, 1,
     "when waits that are not in each iteration cost as much of the time"},
    {T::waitsTime, "waits-in-iteration", "time", 1000, ThresholdUnit::microseconds, 0, 1e9,
     "when waits that are not in each iteration cost as long in all"},
    {T::longGapsLength, "long-gaps", "length", 50, ThresholdUnit::microseconds, 0, 1e9, "for gaps longer than this"},
    {T::longGapsMultiple, "long-gaps", "multiple", 5, kRatio, 1, 1e6,
     "for gaps longer than this times their median length"},
    {T::longGapsShare, "long-gaps", "share", 0.1, kShare, 0, 1, "when such gaps take more of the time"},
    {T::longGapsPauses, "long-gaps", "pauses", 0.3, kShare, 0, 1,
     "on a CPU, when the thread runs no operator for as much of the time"},
    {T::uploadBoundShare, "upload-bound", "share", 0.15, kShare, 0, 1,
     "when unhidden copies to the device take more of the time"},
    {T::downloadBoundShare, "download-bound", "share", 0.15, kShare, 0, 1,
     "when unhidden copies from the device take more of the time"},
    {T::needlessCopiesCount, "needless-copies", "copies", 0.9, kCount, 0, 1e6,
     "when an iteration has as many copies beyond its inputs and outputs"},
    {T::needlessCopiesShare, "needless-copies", "share", 0.05, kShare, 0, 1,
     "on a CPU, when copies of tensors take more of the time"},
    {T::deviceCopiesShare, "device-copies", "share", 0.05, kShare, 0, 1,
     "when copies within the device take more of the time while no kernel runs"},
    {T::repeatedUploadsIterations, "repeated-uploads", "iterations", 3, kCount, 2, 1e6,
     "when as many iterations send the same size"},
    {T::noOverlapShare, "no-overlap", "share", 0.15, kShare, 0, 1,
     "when copies and kernels each take more of the time"},
    {T::noOverlapHidden, "no-overlap", "hidden", 0.1, kShare, 0, 1, "when less than this of the shorter one is hidden"},
    {T::communicationShare, "exposed-communication", "share", 0.05, kShare, 0, 1,
     "when collectives take as much of the time while nothing computes"},
    {T::layoutConversionsShare, "layout-conversions", "share", 0.05, kShare, 0, 1, "when they take more of the time"},
    {T::typeConversionsShare, "type-conversions", "share", 0.05, kShare, 0, 1, "when they take more of the time"},
    {T::elementwiseShare, "unfused-elementwise", "share", 0.25, kShare, 0, 1,
     "when element-wise work takes more of the time"},
    {T::wideArithmeticAll, "wide-arithmetic", "arithmetic", 0.6, kShare, 0, 1,
     "for fp32, when all arithmetic takes as much of the time"},
    {T::wideArithmeticShare, "wide-arithmetic", "share", 0.1, kShare, 0, 1,
     "when arithmetic in fp32 outside of tensor cores takes as much of the time"},
    {T::wideArithmeticDouble, "wide-arithmetic", "fp64", 0.05, kShare, 0, 1,
     "when arithmetic in fp64 takes as much of the time"},
    {T::floatLayersShare, "float-layers", "share", 0.1, kShare, 0, 1,
     "when arithmetic in wide numbers takes as much of the time"},
    {T::attentionShare, "unfused-attention", "share", 0.05, kShare, 0, 1,
     "when the work between the products takes as much of the time"},
    {T::unalignedProductsShare, "unaligned-products", "share", 0.05, kShare, 0, 1,
     "when such products take as much of the time"},
    {T::unalignedChannelsShare, "unaligned-channels", "share", 0.05, kShare, 0, 1,
     "when such convolutions take as much of the time"},
    {T::slowConvolutionsShare, "slow-convolutions", "share", 0.05, kShare, 0, 1,
     "when such convolutions take as much of the time"},
    {T::firstCallsShare, "first-calls", "share", 0.05, kShare, 0, 1,
     "when the device waits as much of the time for first calls"},
    {T::notSteadyDrift, "not-steady", "drift", 0.02, kShare, 0, 10,
     "when the first and the last third of the iterations differ by more"},
    {T::notSteadyIterations, "not-steady", "iterations", 10, kCount, 3, 1e6, "from as many steady iterations on"},
    {T::slowIterationsRatio, "slow-iterations", "ratio", 1.5, kRatio, 1, 1e6,
     "for iterations longer than this times their median"},
    {T::slowIterationsIterations, "slow-iterations", "iterations", 20, kCount, 5, 1e6,
     "from as many steady iterations on"},
    {T::heldClockShare, "held-clock", "share", 0.05, kShare, 0, 1,
     "when heat or a limit of power holds the clock down for as much of the time"},
    {T::allocationsPerIteration, "allocation-in-loop", "calls", 0.01, kCount, 0, 1e6,
     "when an iteration makes as many calls that allocate or release"},
    {T::allocationShare, "allocation-in-loop", "share", 0.05, kShare, 0, 1,
     "on a CPU, when fresh memory takes more of the time"},
    {T::memoryUsed, "memory-limit", "used", 0.9, kShare, 0, 1, "when the peak takes more of the device's memory"},
    {T::memoryReserved, "memory-limit", "reserved", 1.3, kRatio, 1, 1e6,
     "when more than this times the memory in use is reserved at the peak"},
    {T::memoryUnused, "memory-limit", "unused", 256, ThresholdUnit::mebibytes, 0, 1e9,
     "when as much is reserved and not used"},
    {T::underfilledEmpty, "underfilled-device", "empty", 0.5, kShare, 0, 1,
     "when kernels leave as much of the device empty, weighted by their time"},
    {T::underfilledKernels, "underfilled-device", "kernels", 0.2, kShare, 0, 1,
     "when kernels take as much of the time"},
    {T::idleCoresShare, "idle-cores", "share", 0.3, kShare, 0, 1,
     "when operators that scale with threads take as much of the time"},
    {T::slowNmsShare, "slow-nms", "share", 0.15, kShare, 0, 1,
     "when the suppression of boxes takes as much of the time"},
    {T::imagePreparationShare, "image-preparation", "share", 0.15, kShare, 0, 1,
     "when decoding and resizing images takes as much of the time"},
    {T::precisionSpeedup, "precision-does-not-pay", "speedup", 1.1, kRatio, 0, 100,
     "when a narrower precision is surely less than this times as fast as fp32"},
    {T::pastKneeGain, "batch-past-knee", "gain", 0.05, kShare, 0, 10,
     "when a doubled batch surely gives less throughput than this on top"},
    {T::pastKneeLatency, "batch-past-knee", "latency", 1.8, kRatio, 1, 2, "when a doubled batch takes as much longer"},
    {T::smallBatchGain, "batch-too-small", "gain", 0.2, kShare, 0, 1,
     "when the last doubling of the batch surely gave as much throughput on top"},
    {T::energyKneeSlower, "energy-knee", "slower", 0.03, kShare, 0, 1,
     "for configurations that are not slower than the fastest by more"},
    {T::energyKneeSaved, "energy-knee", "saved", 0.1, kShare, 0, 1, "when a sample surely takes as much less energy"},
    {T::manyThreadsFaster, "too-many-threads", "faster", 0.05, kShare, 0, 10,
     "when fewer threads are surely faster by more"},
    {T::compilePasses, "compiling-does-not-pay", "passes", 1e6, kCount, 1, 1e15,
     "when the time of compiling is surely not saved within as many passes"},
    {T::devicesRatio, "devices-differ", "ratio", 1.05, kRatio, 1, 100,
     "when devices of one name surely differ by more for the same configuration"},
    {T::throttledTrials, "throttled-trials", "trials", 0.2, kShare, 0, 1,
     "when as many of the measured trials ran at a clock that was held down"},
    {T::sharedTrials, "shared-machine", "trials", 0.2, kShare, 0, 1,
     "when other programs disturbed as many of the measured trials"},
    {T::noisyTrials, "noisy-trials", "trials", 0.2, kShare, 0, 1,
     "when as many of the measured trials have wider intervals than asked for"},
}};

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < kThresholds; ++i)
        if (static_cast<std::size_t>(kTable[i].id) != i)
            return false;
    return true;
}
static_assert(isInOrder(), "the table has the order of Threshold");

base::Error invalid(base::Message what, base::Message hint)
{
    return {base::ErrorCode::invalidArgument, std::move(what), {}, std::move(hint)};
}

base::Message format()
{
    return base::message<errors::kThresholdFormat>(R"({"rules": {"device-idle": {"busy": 0.7}}})");
}

/// "Did you mean busy?", or the list of all that are valid.
base::Message hintFor(const std::string& text, const std::vector<std::string>& valid)
{
    const std::string nearest = base::closestMatch(text, valid);
    return nearest.empty() ? base::message<errors::kValidNames>(base::join(valid)) : base::didYouMean(nearest);
}

base::Status takeThreshold(const RuleInfo& rule, const std::string& name, const base::Json& value, Thresholds& into)
{
    std::vector<std::string> valid;
    const ThresholdInfo* found = nullptr;
    for (const ThresholdInfo& info : kTable)
        if (info.rule == rule.id) {
            valid.emplace_back(info.name);
            found = info.name == name ? &info : found;
        }
    const std::string ruleName(rule.id);
    if (valid.empty())
        return invalid(base::message<errors::kRuleHasNoThresholds>(ruleName), base::message<errors::kSeeRules>());
    if (!found)
        return invalid(base::message<errors::kUnknownThreshold>(ruleName, name), hintFor(name, valid));
    const std::string range =
        valueText(found->lowest) + " to " + valueText(found->highest) + " (" + std::string(toString(found->unit)) + ")";
    if (!value.is_number() || value.get<double>() < found->lowest || value.get<double>() > found->highest)
        return invalid(base::message<errors::kInvalidThreshold>(ruleName, name, value.dump()),
                       base::message<errors::kExpectedRange>(range));
    into.set(found->id, value.get<double>());
    return {};
}

base::Status takeRule(const std::string& name, const base::Json& members, Thresholds& into)
{
    const RuleInfo* const rule = findRule(name);
    if (!rule) {
        std::vector<std::string> valid;
        for (const RuleInfo& known : ruleCatalogue())
            valid.emplace_back(known.id);
        const std::string nearest = base::closestMatch(name, valid);
        return invalid(base::message<errors::kUnknownRule>(name),
                       nearest.empty() ? base::message<errors::kSeeRules>() : base::didYouMean(nearest));
    }
    if (!members.is_object())
        return invalid(base::message<errors::kNoThresholdsOf>(std::string(rule->id)), format());
    for (const auto& [threshold, value] : members.items())
        if (base::Status taken = takeThreshold(*rule, threshold, value, into); !taken)
            return taken;
    return {};
}

} // namespace

std::string_view toString(ThresholdUnit unit)
{
    constexpr std::array<std::string_view, 5> kWords = {"share", "ratio", "count", "us", "MiB"};
    return kWords[static_cast<std::size_t>(unit)];
}

std::string valueText(double value)
{
    std::array<char, 400> buffer{}; // the largest double has 309 digits
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed).ptr;
    return {buffer.data(), end};
}

const std::array<ThresholdInfo, kThresholds>& thresholdTable()
{
    return kTable;
}

Thresholds::Thresholds() : m_values{}
{
    for (const ThresholdInfo& info : kTable)
        set(info.id, info.standard);
}

std::vector<const ThresholdInfo*> Thresholds::changed() const
{
    std::vector<const ThresholdInfo*> found;
    for (const ThresholdInfo& info : kTable)
        if (of(info.id) != info.standard)
            found.push_back(&info);
    return found;
}

base::Result<Thresholds> thresholdsFromText(std::string_view text)
{
    const auto json = model::parseJson(text);
    if (!json)
        return base::Error{
            base::ErrorCode::corrupt, base::message<errors::kRulesNoJson>(json.error().message), {}, format()};
    const auto rules = json->is_object() ? json->find("rules") : json->end();
    if (!json->is_object() || rules == json->end() || !rules->is_object())
        return invalid(base::message<errors::kNoRulesFile>(), format());
    for (const auto& [name, value] : json->items())
        if (name != "rules" && name != "schema")
            return invalid(base::message<errors::kUnknownMember>(name), format());
    Thresholds thresholds;
    for (const auto& [name, members] : rules->items())
        if (base::Status taken = takeRule(name, members, thresholds); !taken)
            return taken.error();
    return thresholds;
}

base::Result<Thresholds> readThresholds(const std::filesystem::path& file)
{
    const auto text = base::readFile(file);
    if (!text)
        return text.error();
    auto thresholds = thresholdsFromText(*text);
    if (!thresholds) {
        base::Error error = thresholds.error();
        error.context = file.string();
        return error;
    }
    return thresholds;
}

} // namespace apertune::advice
