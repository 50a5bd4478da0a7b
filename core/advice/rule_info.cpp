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
        {"device-idle", "R1", kTrace, &reasons::kDeviceIdleTitle, "work of a device",
         "by the main cause of the idle time"},
        {"enqueue-bound", "R2", kTrace, &reasons::kEnqueueBoundTitle, "work of a device, calls of the runtime",
         "cuda_graph, aoti, freeze"},
        {"tiny-kernels", "R3", kTrace, &reasons::kTinyKernelsTitle, "kernels and calls of the runtime; CPU: operators",
         "cuda_graph, aoti, freeze; CPU: aoti, onednn_graph"},
        {"pageable-copies", "R4", kTrace, &reasons::kPageableCopiesTitle, "copies with the kind of their memory",
         "pinned memory"},
        {"blocking-copies", "R5", kTrace, &reasons::kBlockingCopiesTitle, "copies, calls of the runtime",
         "asynchronous copies"},
        {"waits-in-iteration", "R6", kTrace, &reasons::kWaitsInIterationTitle, "work of a device, calls of the runtime",
         "one wait, at the end"},
        {"long-gaps", "R7", kTrace, &reasons::kLongGapsTitle, "work of a device; CPU: operators",
         "by the main cause of the gaps"},
        {"upload-bound", "R8", kTrace, &reasons::kUploadBoundTitle, "copies", "fewer bytes, overlap"},
        {"download-bound", "R9", kTrace, &reasons::kDownloadBoundTitle, "copies", "fewer bytes, overlap"},
        {"host-round-trip", "R10", kTrace, &reasons::kHostRoundTripTitle, "copies, iterations",
         "the stage stays on the device"},
        {"needless-copies", "R11", kTrace, &reasons::kNeedlessCopiesTitle, "copies, iterations; CPU: operators",
         "keep on the device, or drop, what is copied"},
        {"repeated-uploads", "R12", kTrace, &reasons::kRepeatedUploadsTitle, "copies with their sizes, iterations",
         "constants are sent once"},
        {"no-overlap", "R13", kTrace, &reasons::kNoOverlapTitle, "copies, kernels", "prefetch on a second stream"},
        {"exposed-communication", "R14", kTrace, &reasons::kExposedCommunicationTitle, "kernels of collectives",
         "record all ranks; join, overlap, shrink or balance messages"},
        {"unaligned-channels", "R15", kTrace, &reasons::kUnalignedChannelsTitle,
         "kernels, operators with shapes and types", "channels in multiples of 8 (int8: 16)"},
        {"layout-conversions", "R16", kTrace, &reasons::kLayoutConversionsTitle, "kernels or operators",
         "channels_last for all or for none"},
        {"type-conversions", "R17", kTrace, &reasons::kTypeConversionsTitle, "kernels or operators",
         "one region of 16 bits"},
        {"unfused-batchnorm", "R18", kTrace, &reasons::kUnfusedBatchnormTitle, "kernels or operators of inference",
         "freeze"},
        {"unfused-elementwise", "R19", kTrace, &reasons::kUnfusedElementwiseTitle, "kernels or operators",
         "aoti, onednn_graph, optimize_for_inference"},
        {"wide-arithmetic", "R20", kTrace, &reasons::kWideArithmeticTitle,
         "kernels whose names, or operators whose types, tell the numbers", "tf32, fewer bits"},
        {"unfused-attention", "R21", kTrace, &reasons::kUnfusedAttentionTitle, "operators, or kernels with operators",
         "scaled_dot_product_attention"},
        {"unaligned-products", "R22", kTrace, &reasons::kUnalignedProductsTitle, "kernels whose names tell their loads",
         "sizes in multiples of 8"},
        {"first-calls", "R23", kTrace, &reasons::kFirstCallsTitle, "kernels, calls of the runtime",
         "a few passes before the recording"},
        {"not-steady", "R24", kTrace, &reasons::kNotSteadyTitle, "iterations", "a longer warm-up"},
        {"held-clock", "R25", kTrace, &reasons::kHeldClockTitle, "the GPU's telemetry (of Apertune's own recordings)",
         "cooling, the limit of power; measure again"},
        {"slow-iterations", "R27", kTrace, &reasons::kSlowIterationsTitle, "marked iterations",
         "by what the slowest iteration does longer"},
        {"allocation-in-loop", "R28", kTrace, &reasons::kAllocationInLoopTitle,
         "calls of the runtime, iterations; CPU: operators", "buffers that stay"},
        {"memory-limit", "R29", kTrace, &reasons::kMemoryLimitTitle, "allocations of a device",
         "a smaller batch, fewer sizes of allocations"},
        {"underfilled-device", "R31", kTrace, &reasons::kUnderfilledDeviceTitle, "kernels with their grids, the device",
         "a larger batch, more streams"},
        {"image-preparation", "R32", kTrace, &reasons::kImagePreparationTitle, "operators",
         "prepare images on the device, or in other threads"},
        {"slow-nms", "R33", kTrace, &reasons::kSlowNmsTitle, "operators", "fewer boxes before the suppression"},
        {"float-layers", "R35", kTrace, &reasons::kFloatLayersTitle, "a traced trial with int8, fp8, bf16 or fp16",
         "find out why these layers stay in wide numbers"},
        {"idle-cores", "R44", kTrace, &reasons::kIdleCoresTitle, "operators, the number of threads", "more threads"},
        {"device-copies", "R45", kTrace, &reasons::kDeviceCopiesTitle, "copies within the device",
         "write in place, drop clones"},
        {"slow-convolutions", "R46", kTrace, &reasons::kSlowConvolutionsTitle, "operators",
         "a type that a library convolves"},
    };
}

std::vector<RuleInfo> rulesOverStudies()
{
    return {
        {"throttled-trials", "R51", kStudy, &reasons::kThrottledTrialsTitle, "clocks beside the blocks",
         "cooling, the limit of power; measure again"},
        {"noisy-trials", "R26", kStudy, &reasons::kNoisyTrialsTitle, "measured trials",
         "a longer budget, a quiet machine"},
        {"batch-past-knee", "R30", kStudy, &reasons::kBatchPastKneeTitle, "trials that differ in the batch alone",
         "the smaller batch"},
        {"batch-too-small", "R52", kStudy, &reasons::kBatchTooSmallTitle, "trials that differ in the batch alone",
         "larger batches"},
        {"number-overflow", "R36", kStudy, &reasons::kNumberOverflowTitle, "outputs compared with fp32",
         "bf16, or fp32 for the layers that overflow"},
        {"devices-differ", "R40", kStudy, &reasons::kDevicesDifferTitle,
         "one configuration on several devices of one name", "look at link, heat and other programs of the slower one"},
        {"shared-machine", "R42", kStudy, &reasons::kSharedMachineTitle, "the machine's state beside the blocks",
         "a machine or device that nobody else uses"},
        {"energy-knee", "R43", kStudy, &reasons::kEnergyKneeTitle, "energy of the trials",
         "the configuration that takes less"},
        {"too-many-threads", "R53", kStudy, &reasons::kTooManyThreadsTitle, "trials that differ in the threads alone",
         "fewer threads"},
        {"compiling-does-not-pay", "R54", kStudy, &reasons::kCompilingDoesNotPayTitle,
         "a compiled trial and one without compiling, of one batch", "the trial without compiling"},
        {"precision-does-not-pay", "R55", kStudy, &reasons::kPrecisionDoesNotPayTitle,
         "trials that differ in the precision alone", "stay with fp32, or remove what keeps the precision slow"},
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
