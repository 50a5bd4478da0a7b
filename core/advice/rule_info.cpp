// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rule_info.h"

#include "core/advice/reasons.h"

#include <algorithm>
#include <array>

namespace apertune::advice {

namespace {

constexpr Subject kTrace = Subject::trace;
constexpr Subject kStudy = Subject::study;

std::vector<RuleInfo> rulesOverTraces()
{
    return {
        {"device-idle", "R1", kTrace, &reasons::kDeviceIdleTitle, &reasons::kRuleNeedsDeviceIdle,
         &reasons::kRuleChangeDeviceIdle},
        {"enqueue-bound", "R2", kTrace, &reasons::kEnqueueBoundTitle, &reasons::kRuleNeedsEnqueueBound,
         &reasons::kRuleChangeEnqueueBound},
        {"tiny-kernels", "R3", kTrace, &reasons::kTinyKernelsTitle, &reasons::kRuleNeedsTinyKernels,
         &reasons::kRuleChangeTinyKernels},
        {"pageable-copies", "R4", kTrace, &reasons::kPageableCopiesTitle, &reasons::kRuleNeedsPageableCopies,
         &reasons::kRuleChangePageableCopies},
        {"blocking-copies", "R5", kTrace, &reasons::kBlockingCopiesTitle, &reasons::kRuleNeedsBlockingCopies,
         &reasons::kByAsynchronousCopies},
        {"waits-in-iteration", "R6", kTrace, &reasons::kWaitsInIterationTitle, &reasons::kRuleNeedsEnqueueBound,
         &reasons::kRuleChangeWaitsInIteration},
        {"long-gaps", "R7", kTrace, &reasons::kLongGapsTitle, &reasons::kRuleNeedsLongGaps,
         &reasons::kRuleChangeLongGaps},
        {"upload-bound", "R8", kTrace, &reasons::kUploadBoundTitle, &reasons::kRuleNeedsUploadBound,
         &reasons::kRuleChangeUploadBound},
        {"download-bound", "R9", kTrace, &reasons::kDownloadBoundTitle, &reasons::kRuleNeedsUploadBound,
         &reasons::kRuleChangeUploadBound},
        {"host-round-trip", "R10", kTrace, &reasons::kHostRoundTripTitle, &reasons::kRuleNeedsHostRoundTrip,
         &reasons::kRuleChangeHostRoundTrip},
        {"needless-copies", "R11", kTrace, &reasons::kNeedlessCopiesTitle, &reasons::kRuleNeedsNeedlessCopies,
         &reasons::kRuleChangeNeedlessCopies},
        {"repeated-uploads", "R12", kTrace, &reasons::kRepeatedUploadsTitle, &reasons::kRuleNeedsRepeatedUploads,
         &reasons::kRuleChangeRepeatedUploads},
        {"no-overlap", "R13", kTrace, &reasons::kNoOverlapTitle, &reasons::kRuleNeedsNoOverlap,
         &reasons::kRuleChangeNoOverlap},
        {"exposed-communication", "R14", kTrace, &reasons::kExposedCommunicationTitle,
         &reasons::kRuleNeedsExposedCommunication, &reasons::kRuleChangeExposedCommunication},
        {"unaligned-channels", "R15", kTrace, &reasons::kUnalignedChannelsTitle, &reasons::kRuleNeedsUnalignedChannels,
         &reasons::kRuleChangeUnalignedChannels},
        {"layout-conversions", "R16", kTrace, &reasons::kLayoutConversionsTitle, &reasons::kRuleNeedsLayoutConversions,
         &reasons::kRuleChangeLayoutConversions},
        {"type-conversions", "R17", kTrace, &reasons::kTypeConversionsTitle, &reasons::kRuleNeedsLayoutConversions,
         &reasons::kRuleChangeTypeConversions},
        {"unfused-batchnorm", "R18", kTrace, &reasons::kUnfusedBatchnormTitle, &reasons::kRuleNeedsUnfusedBatchnorm,
         &reasons::kRuleChangeUnfusedBatchnorm},
        {"unfused-elementwise", "R19", kTrace, &reasons::kUnfusedElementwiseTitle,
         &reasons::kRuleNeedsLayoutConversions, &reasons::kRuleChangeUnfusedElementwise},
        {"wide-arithmetic", "R20", kTrace, &reasons::kWideArithmeticTitle, &reasons::kRuleNeedsWideArithmetic,
         &reasons::kRuleChangeWideArithmetic},
        {"unfused-attention", "R21", kTrace, &reasons::kUnfusedAttentionTitle, &reasons::kRuleNeedsUnfusedAttention,
         &reasons::kRuleChangeUnfusedAttention},
        {"unaligned-products", "R22", kTrace, &reasons::kUnalignedProductsTitle, &reasons::kRuleNeedsUnalignedProducts,
         &reasons::kRuleChangeUnalignedProducts},
        {"first-calls", "R23", kTrace, &reasons::kFirstCallsTitle, &reasons::kRuleNeedsFirstCalls,
         &reasons::kRuleChangeFirstCalls},
        {"not-steady", "R24", kTrace, &reasons::kNotSteadyTitle, &reasons::kRuleNeedsNotSteady,
         &reasons::kRuleChangeNotSteady},
        {"held-clock", "R25", kTrace, &reasons::kHeldClockTitle, &reasons::kRuleNeedsHeldClock,
         &reasons::kRuleChangeHeldClock},
        {"slow-iterations", "R27", kTrace, &reasons::kSlowIterationsTitle, &reasons::kRuleNeedsSlowIterations,
         &reasons::kRuleChangeSlowIterations},
        {"allocation-in-loop", "R28", kTrace, &reasons::kAllocationInLoopTitle, &reasons::kRuleNeedsAllocationInLoop,
         &reasons::kByBuffersThatStay},
        {"memory-limit", "R29", kTrace, &reasons::kMemoryLimitTitle, &reasons::kRuleNeedsMemoryLimit,
         &reasons::kRuleChangeMemoryLimit},
        {"underfilled-device", "R31", kTrace, &reasons::kUnderfilledDeviceTitle, &reasons::kRuleNeedsUnderfilledDevice,
         &reasons::kRuleChangeUnderfilledDevice},
        {"image-preparation", "R32", kTrace, &reasons::kImagePreparationTitle, &reasons::kRuleNeedsImagePreparation,
         &reasons::kRuleChangeImagePreparation},
        {"slow-nms", "R33", kTrace, &reasons::kSlowNmsTitle, &reasons::kRuleNeedsImagePreparation,
         &reasons::kRuleChangeSlowNms},
        {"float-layers", "R35", kTrace, &reasons::kFloatLayersTitle, &reasons::kRuleNeedsFloatLayers,
         &reasons::kRuleChangeFloatLayers},
        {"idle-cores", "R44", kTrace, &reasons::kIdleCoresTitle, &reasons::kRuleNeedsIdleCores,
         &reasons::kRuleChangeIdleCores},
        {"device-copies", "R45", kTrace, &reasons::kDeviceCopiesTitle, &reasons::kRuleNeedsDeviceCopies,
         &reasons::kRuleChangeDeviceCopies},
        {"slow-convolutions", "R46", kTrace, &reasons::kSlowConvolutionsTitle, &reasons::kRuleNeedsImagePreparation,
         &reasons::kRuleChangeSlowConvolutions},
    };
}

std::vector<RuleInfo> rulesOverStudies()
{
    return {
        {"throttled-trials", "R51", kStudy, &reasons::kHeldClockTitle, &reasons::kRuleNeedsThrottledTrials,
         &reasons::kRuleChangeHeldClock},
        {"noisy-trials", "R26", kStudy, &reasons::kNoisyTrialsTitle, &reasons::kRuleNeedsNoisyTrials,
         &reasons::kRuleChangeNoisyTrials},
        {"batch-past-knee", "R30", kStudy, &reasons::kBatchPastKneeTitle, &reasons::kRuleNeedsBatchPastKnee,
         &reasons::kRuleChangeBatchPastKnee},
        {"batch-too-small", "R52", kStudy, &reasons::kBatchTooSmallTitle, &reasons::kRuleNeedsBatchPastKnee,
         &reasons::kRuleChangeBatchTooSmall},
        {"number-overflow", "R36", kStudy, &reasons::kNumberOverflowTitle, &reasons::kRuleNeedsNumberOverflow,
         &reasons::kRuleChangeNumberOverflow},
        {"devices-differ", "R40", kStudy, &reasons::kDevicesDifferTitle, &reasons::kRuleNeedsDevicesDiffer,
         &reasons::kRuleChangeDevicesDiffer},
        {"shared-machine", "R42", kStudy, &reasons::kSharedMachineTitle, &reasons::kRuleNeedsSharedMachine,
         &reasons::kRuleChangeSharedMachine},
        {"energy-knee", "R43", kStudy, &reasons::kEnergyKneeTitle, &reasons::kRuleNeedsEnergyKnee,
         &reasons::kRuleChangeEnergyKnee},
        {"too-many-threads", "R53", kStudy, &reasons::kTooManyThreadsTitle, &reasons::kRuleNeedsTooManyThreads,
         &reasons::kRuleChangeTooManyThreads},
        {"compiling-does-not-pay", "R54", kStudy, &reasons::kCompilingDoesNotPayTitle,
         &reasons::kRuleNeedsCompilingDoesNotPay, &reasons::kRuleChangeCompilingDoesNotPay},
        {"precision-does-not-pay", "R55", kStudy, &reasons::kPrecisionDoesNotPayTitle,
         &reasons::kRuleNeedsPrecisionDoesNotPay, &reasons::kRuleChangePrecisionDoesNotPay},
    };
}

} // namespace

std::string_view toString(Subject subject)
{
    constexpr std::array<std::string_view, 2> kWords = {"trace", "study"};
    return kWords[static_cast<std::size_t>(subject)];
}

const std::vector<RuleInfo>& ruleCatalogue()
{
    static const std::vector<RuleInfo> kCatalogue = [] {
        std::vector<RuleInfo> all = rulesOverTraces();
        for (const RuleInfo& info : rulesOverStudies())
            all.push_back(info);
        return all;
    }();
    return kCatalogue;
}

const RuleInfo* findRule(std::string_view idOrAlias)
{
    const std::vector<RuleInfo>& all = ruleCatalogue();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const RuleInfo& info) { return info.id == idOrAlias || info.alias == idOrAlias; });
    return found == all.end() ? nullptr : &*found;
}

std::string ruleId(const std::string& idOrAlias)
{
    const RuleInfo* const info = findRule(idOrAlias);
    return info ? std::string(info->id) : idOrAlias;
}

} // namespace apertune::advice
