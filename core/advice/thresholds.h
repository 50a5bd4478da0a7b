// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// A number that decides whether a rule fires. The table in thresholds.cpp has its name, default, unit and meaning;
/// rules read it through Thresholds::of(). In the order of that table.
enum class Threshold : std::uint8_t {
    deviceIdleBusy,
    enqueueBoundRatio,
    tinyKernelsPart,
    tinyKernelsGaps,
    tinyKernelsCalls,
    pageableCopiesShare,
    blockingCopiesShare,
    waitsShare,
    waitsTime,
    longGapsLength,
    longGapsMultiple,
    longGapsShare,
    longGapsPauses,
    uploadBoundShare,
    downloadBoundShare,
    needlessCopiesCount,
    needlessCopiesShare,
    deviceCopiesShare,
    repeatedUploadsIterations,
    noOverlapShare,
    noOverlapHidden,
    communicationShare,
    layoutConversionsShare,
    typeConversionsShare,
    elementwiseShare,
    wideArithmeticAll,
    wideArithmeticShare,
    wideArithmeticDouble,
    floatLayersShare,
    attentionShare,
    unalignedProductsShare,
    unalignedChannelsShare,
    slowConvolutionsShare,
    firstCallsShare,
    notSteadyDrift,
    notSteadyIterations,
    slowIterationsRatio,
    slowIterationsIterations,
    heldClockShare,
    allocationsPerIteration,
    allocationShare,
    memoryUsed,
    memoryReserved,
    memoryUnused,
    underfilledEmpty,
    underfilledKernels,
    idleCoresShare,
    slowNmsShare,
    imagePreparationShare,
    precisionSpeedup,
    pastKneeGain,
    pastKneeLatency,
    smallBatchGain,
    energyKneeSlower,
    energyKneeSaved,
    manyThreadsFaster,
    compilePasses,
    devicesRatio,
    throttledTrials,
    sharedTrials,
    noisyTrials,
};
inline constexpr std::size_t kThresholds = static_cast<std::size_t>(Threshold::noisyTrials) + 1;

/// The unit of a threshold.
enum class ThresholdUnit : std::uint8_t {
    share, ///< a fraction: 0.05 is 5 %
    ratio, ///< one quantity over another: 1.1 is 10 % more
    count,
    microseconds,
    mebibytes,
};
/// "share", "ratio", "count", "us", "MiB".
std::string_view toString(ThresholdUnit unit);

/// Returns a value of a threshold as its file has it: "0.8", "1000000".
std::string valueText(double value);

struct ThresholdInfo
{
    Threshold id;
    std::string_view rule; ///< RuleInfo::id
    std::string_view name; ///< unique within its rule: "busy"
    double standard;       ///< the default
    ThresholdUnit unit;
    double lowest; ///< the valid range
    double highest;
    std::string_view meaning; ///< completes "the rule fires": "while the device is busy for less than this"
};

/// All thresholds, in the order of Threshold.
const std::array<ThresholdInfo, kThresholds>& thresholdTable();

/// The values of all thresholds. A value; the default has the defaults of the table.
class Thresholds
{
public:
    Thresholds();

    double of(Threshold threshold) const { return m_values[static_cast<std::size_t>(threshold)]; }
    /// REQUIRES: `value` is within the range of the table.
    void set(Threshold threshold, double value) { m_values[static_cast<std::size_t>(threshold)] = value; }
    /// Returns those that differ from their defaults, in the order of the table.
    std::vector<const ThresholdInfo*> changed() const;

    bool operator==(const Thresholds&) const = default;

private:
    std::array<double, kThresholds> m_values;
};

/// Parses the thresholds of a file, which has those that differ from the defaults:
///     {"rules": {"device-idle": {"busy": 0.7}, "R31": {"filled": 0.4}}}
/// A rule is named by its id or its alias; further members beside "rules" are refused, except "schema".
/// Failures: corrupt (no JSON), invalidArgument (an unknown rule or threshold, a value that is no number or out of its
/// range). The hint names the nearest name, or all that are valid.
base::Result<Thresholds> thresholdsFromText(std::string_view text);

/// Reads such a file. Failures: those of base::readFile() and of thresholdsFromText(), with the file as the context.
base::Result<Thresholds> readThresholds(const std::filesystem::path& file);

} // namespace apertune::advice
