// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::advice::reasons {

// Every message that advice makes, with the names of its parameters. The English texts are in core/sentences.
using base::MessageKind;

inline constexpr MessageKind kShareOfRange{"advice.share_of_range", {"share"}};
inline constexpr MessageKind kShareOfIteration{"advice.share_of_iteration", {"share"}};
inline constexpr MessageKind kShareOfSection{"advice.share_of_section", {"share"}};
inline constexpr MessageKind kShareOfRecording{"advice.share_of_recording", {"share"}};
inline constexpr MessageKind kInTheRange{"advice.in_the_range", {"count"}};
inline constexpr MessageKind kInTheRecording{"advice.in_the_recording", {"count"}};
inline constexpr MessageKind kAnIteration{"advice.an_iteration", {"count"}};
inline constexpr MessageKind kASection{"advice.a_section", {"count"}};
inline constexpr MessageKind kOneIteration{"advice.one_iteration"};
inline constexpr MessageKind kOneSection{"advice.one_section"};
inline constexpr MessageKind kActivity{"advice.activity", {"name", "share"}};
inline constexpr MessageKind kCalledBy{"advice.called_by", {"name", "caller"}};
inline constexpr MessageKind kMeasureWithAndWithout{"advice.measure_with_and_without", {"change"}};
inline constexpr MessageKind kMeasureWithAndWithoutAnd{"advice.measure_with_and_without_and", {"change", "also"}};
inline constexpr MessageKind kTheRuntimeSCallsAre{"advice.the_runtime_s_calls_are"};
inline constexpr MessageKind kDeviceIdleTitle{"advice.device_idle_title"};
inline constexpr MessageKind kEnqueueBoundTitle{"advice.enqueue_bound_title"};
inline constexpr MessageKind kTinyKernelsTitle{"advice.tiny_kernels_title"};
inline constexpr MessageKind kPageableCopiesTitle{"advice.pageable_copies_title"};
inline constexpr MessageKind kBlockingCopiesTitle{"advice.blocking_copies_title"};
inline constexpr MessageKind kWaitsInIterationTitle{"advice.waits_in_iteration_title"};
inline constexpr MessageKind kLongGapsTitle{"advice.long_gaps_title"};
inline constexpr MessageKind kUploadBoundTitle{"advice.upload_bound_title"};
inline constexpr MessageKind kDownloadBoundTitle{"advice.download_bound_title"};
inline constexpr MessageKind kHostRoundTripTitle{"advice.host_round_trip_title"};
inline constexpr MessageKind kNeedlessCopiesTitle{"advice.needless_copies_title"};
inline constexpr MessageKind kDeviceCopiesTitle{"advice.device_copies_title"};
inline constexpr MessageKind kRepeatedUploadsTitle{"advice.repeated_uploads_title"};
inline constexpr MessageKind kNoOverlapTitle{"advice.no_overlap_title"};
inline constexpr MessageKind kExposedCommunicationTitle{"advice.exposed_communication_title"};
inline constexpr MessageKind kLayoutConversionsTitle{"advice.layout_conversions_title"};
inline constexpr MessageKind kTypeConversionsTitle{"advice.type_conversions_title"};
inline constexpr MessageKind kUnfusedBatchnormTitle{"advice.unfused_batchnorm_title"};
inline constexpr MessageKind kUnfusedElementwiseTitle{"advice.unfused_elementwise_title"};
inline constexpr MessageKind kWideArithmeticTitle{"advice.wide_arithmetic_title"};
inline constexpr MessageKind kNotSteadyTitle{"advice.not_steady_title"};
inline constexpr MessageKind kAllocationInLoopTitle{"advice.allocation_in_loop_title"};
inline constexpr MessageKind kMemoryLimitTitle{"advice.memory_limit_title"};
inline constexpr MessageKind kUnderfilledDeviceTitle{"advice.underfilled_device_title"};
inline constexpr MessageKind kIdleCoresTitle{"advice.idle_cores_title"};
inline constexpr MessageKind kBecauseHostWasBusy{"advice.because_host_was_busy"};
inline constexpr MessageKind kBecauseHostWasBusyIn{"advice.because_host_was_busy_in", {"activities"}};
inline constexpr MessageKind kBecauseTheHostCouldNotLaunch{"advice.because_the_host_could_not_launch"};
inline constexpr MessageKind kBecauseCompiledCodeLaunches{"advice.because_compiled_code_launches"};
inline constexpr MessageKind kBecauseTheHostHadWaitedFor{"advice.because_the_host_had_waited_for"};
inline constexpr MessageKind kBecauseTheHostWasInCopy{"advice.because_the_host_was_in_copy"};
inline constexpr MessageKind kBecauseTheHostAllocatedOrReleased{"advice.because_the_host_allocated_or_released"};
inline constexpr MessageKind kBecauseWorkWasQueuedAndHeld{"advice.because_work_was_queued_and_held"};
inline constexpr MessageKind kBecauseTheCauseWasNotRecorded{"advice.because_the_cause_was_not_recorded"};
inline constexpr MessageKind kHostPauses{"advice.host_pauses", {"share", "often", "pause", "longest"}};
inline constexpr MessageKind kHostPausesIn{"advice.host_pauses_in",
                                           {"share", "activities", "often", "pause", "longest"}};
inline constexpr MessageKind kDeviceIdlesMostly{"advice.device_idles_mostly", {"busy", "idle", "cause", "share"}};
inline constexpr MessageKind kDeviceIdles{"advice.device_idles", {"busy", "idle", "cause", "share"}};
inline constexpr MessageKind kEnqueuingNearlyAsSlow{"advice.enqueuing_nearly_as_slow", {"host", "device", "unit"}};
inline constexpr MessageKind kEnqueuingSlower{"advice.enqueuing_slower", {"host", "device", "unit"}};
inline constexpr MessageKind kOperatorCalls{"advice.operator_calls", {"share", "often"}};
inline constexpr MessageKind kShorterThanCall{"advice.shorter_than_call"};
inline constexpr MessageKind kShorterThan10Us{"advice.shorter_than_10_us"};
inline constexpr MessageKind kShorterThanCallOr10Us{"advice.shorter_than_call_or_10_us"};
inline constexpr MessageKind kTinyKernels{"advice.tiny_kernels", {"small", "kernels", "how", "often", "share"}};
inline constexpr MessageKind kTinyKernelsAndCall{"advice.tiny_kernels_and_call",
                                                 {"small", "kernels", "how", "often", "call", "share"}};
inline constexpr MessageKind kOneLongGap{"advice.one_long_gap", {"limit", "share", "cause"}};
inline constexpr MessageKind kLongGaps{"advice.long_gaps", {"count", "limit", "share", "cause"}};
inline constexpr MessageKind kUnderfilled{"advice.underfilled", {"fill", "share"}};
inline constexpr MessageKind kOneDeviceAllocation{"advice.one_device_allocation", {"often", "time", "idle"}};
inline constexpr MessageKind kDeviceAllocations{"advice.device_allocations", {"count", "often", "time", "idle"}};
inline constexpr MessageKind kBytesAnIteration{"advice.bytes_an_iteration", {"bytes"}};
inline constexpr MessageKind kBytesASection{"advice.bytes_a_section", {"bytes"}};
inline constexpr MessageKind kHostAllocationBytes{"advice.host_allocation_bytes", {"share", "often", "amount"}};
inline constexpr MessageKind kHostAllocationBlocks{"advice.host_allocation_blocks",
                                                   {"share", "often", "amount", "blocks"}};
inline constexpr MessageKind kHostAllocation{"advice.host_allocation", {"share", "often"}};
inline constexpr MessageKind kPeakNearLimit{"advice.peak_near_limit", {"peak", "share"}};
inline constexpr MessageKind kPeakNearLimitHeld{"advice.peak_near_limit_held", {"peak", "share", "name", "bytes"}};
inline constexpr MessageKind kMemoryReserved{"advice.memory_reserved", {"times", "wasted"}};
inline constexpr MessageKind kMemoryReservedHeld{"advice.memory_reserved_held", {"times", "wasted", "name", "bytes"}};
inline constexpr MessageKind kLayoutConversions{"advice.layout_conversions", {"share", "often"}};
inline constexpr MessageKind kTypeConversions{"advice.type_conversions", {"share", "often"}};
inline constexpr MessageKind kTypeConversionsFromTo{"advice.type_conversions_from_to",
                                                    {"share", "often", "source", "target"}};
inline constexpr MessageKind kTheConversionsMustBeGone{"advice.the_conversions_must_be_gone"};
inline constexpr MessageKind kByTheChange{"advice.by_the_change"};
inline constexpr MessageKind kOneLayoutForAllChannels{"advice.one_layout_for_all_channels"};
inline constexpr MessageKind kBatchNorm{"advice.batch_norm", {"often", "share"}};
inline constexpr MessageKind kElementwise{"advice.elementwise", {"share", "often", "chained"}};
inline constexpr MessageKind kArithmetic64Bits{"advice.arithmetic_64_bits", {"share"}};
inline constexpr MessageKind kArithmeticFp32{"advice.arithmetic_fp32", {"share"}};
inline constexpr MessageKind kFindOutWhyTheseLayers{"advice.find_out_why_these_layers"};
inline constexpr MessageKind kUseBf16OrFp16Where{"advice.use_bf16_or_fp16_where"};
inline constexpr MessageKind kUseFp16{"advice.use_fp16"};
inline constexpr MessageKind kIterationsGetFaster{"advice.iterations_get_faster", {"drift"}};
inline constexpr MessageKind kIterationsGetSlower{"advice.iterations_get_slower", {"drift"}};
inline constexpr MessageKind kRepeatedSectionsGetFaster{"advice.repeated_sections_get_faster", {"drift"}};
inline constexpr MessageKind kRepeatedSectionsGetSlower{"advice.repeated_sections_get_slower", {"drift"}};
inline constexpr MessageKind kMostlyFrom{"advice.mostly_from", {"copies", "name"}};
inline constexpr MessageKind kMainOriginOfCopies{"advice.main_origin_of_copies", {"name"}};
inline constexpr MessageKind kCopiesToDevice{"advice.copies_to_device", {"share", "exposed", "often"}};
inline constexpr MessageKind kCopiesToHost{"advice.copies_to_host", {"share", "exposed", "often"}};
inline constexpr MessageKind kCopiesWithBytesEach{"advice.copies_with_bytes_each", {"often", "bytes"}};
inline constexpr MessageKind kCopiesWithBytes{"advice.copies_with_bytes", {"often", "bytes"}};
inline constexpr MessageKind kBytesInAll{"advice.bytes_in_all", {"bytes"}};
inline constexpr MessageKind kOnePageableCopy{"advice.one_pageable_copy", {"share"}};
inline constexpr MessageKind kOnePageableCopyAtRate{"advice.one_pageable_copy_at_rate", {"rate", "share"}};
inline constexpr MessageKind kPageableCopies{"advice.pageable_copies", {"count", "share"}};
inline constexpr MessageKind kPageableCopiesAtRate{"advice.pageable_copies_at_rate", {"count", "rate", "share"}};
inline constexpr MessageKind kOneBlockingCopy{"advice.one_blocking_copy", {"share", "often"}};
inline constexpr MessageKind kBlockingCopies{"advice.blocking_copies", {"count", "share", "often"}};
inline constexpr MessageKind kRoundTrip{"advice.round_trip", {"bytes", "often", "share"}};
inline constexpr MessageKind kTensorCopies{"advice.tensor_copies", {"share", "often"}};
inline constexpr MessageKind kDeviceCopies{"advice.device_copies", {"share", "often"}};
inline constexpr MessageKind kIterationCopiesMore{"advice.iteration_copies_more", {"copies", "inputs", "outputs"}};
inline constexpr MessageKind kSectionCopiesMore{"advice.section_copies_more", {"copies", "inputs", "outputs"}};
inline constexpr MessageKind kIterationCopiesMoreThanOneEach{"advice.iteration_copies_more_than_one_each", {"copies"}};
inline constexpr MessageKind kSectionCopiesMoreThanOneEach{"advice.section_copies_more_than_one_each", {"copies"}};
inline constexpr MessageKind kUploadsInEveryIteration{"advice.uploads_in_every_iteration", {"copies", "bytes"}};
inline constexpr MessageKind kUploadsInEverySection{"advice.uploads_in_every_section", {"copies", "bytes"}};
inline constexpr MessageKind kNoOverlap{"advice.no_overlap", {"copies", "kernels", "overlap"}};
inline constexpr MessageKind kStartTheExchangeOfThe{"advice.start_the_exchange_of_the"};
inline constexpr MessageKind kPrefetchShardsWhileTheLayer{"advice.prefetch_shards_while_the_layer"};
inline constexpr MessageKind kLetGradientsLeaveWhileThe{"advice.let_gradients_leave_while_the"};
inline constexpr MessageKind kSplitAModelOverFewer{"advice.split_a_model_over_fewer"};
inline constexpr MessageKind kCollectives{"advice.collectives", {"share", "often", "kernel", "hidden"}};
inline constexpr MessageKind kCollectivesMoving{"advice.collectives_moving",
                                                {"share", "often", "name", "bytes", "ranks", "bandwidth", "hidden"}};
inline constexpr MessageKind kJoinSmallMessages{"advice.join_small_messages", {"share", "limit"}};
inline constexpr MessageKind kRecordAllRanks{"advice.record_all_ranks", {"remedy"}};
inline constexpr MessageKind kHostWaitsAndReads{"advice.host_waits_and_reads", {"waits", "readings", "share"}};
inline constexpr MessageKind kHostWaits{"advice.host_waits", {"waits", "share"}};
inline constexpr MessageKind kHostCouldRunAhead{"advice.host_could_run_ahead", {"share"}};
inline constexpr MessageKind kUseThreads{"advice.use_threads", {"threads"}};
inline constexpr MessageKind kThreadsAnd{"advice.threads_and", {"one", "other"}};
inline constexpr MessageKind kTheBusyShareMustRise{"advice.the_busy_share_must_rise"};
inline constexpr MessageKind kByFewerLaunches{"advice.by_fewer_launches"};
inline constexpr MessageKind kByALargerBatch{"advice.by_a_larger_batch"};
inline constexpr MessageKind kTheNumberOfLaunchesMust{"advice.the_number_of_launches_must"};
inline constexpr MessageKind kTheGapsMustGo{"advice.the_gaps_must_go"};
inline constexpr MessageKind kThePausesMustGo{"advice.the_pauses_must_go"};
inline constexpr MessageKind kByALargerBatchPerSample{"advice.by_a_larger_batch_per_sample"};
inline constexpr MessageKind kGridSizesOrTheDevice{"advice.grid_sizes_or_the_device"};
inline constexpr MessageKind kAllocateBeforeTheLoopAnd{"advice.allocate_before_the_loop_and"};
inline constexpr MessageKind kRunFewerLargerOperatorsRaise{"advice.run_fewer_larger_operators_raise"};
inline constexpr MessageKind kQueueTheNextPass{"advice.queue_the_next_pass"};
inline constexpr MessageKind kWaitOnceAtTheEnd{"advice.wait_once_at_the_end"};
inline constexpr MessageKind kCopyAsynchronouslyFromPinnedMemory{"advice.copy_asynchronously_from_pinned_memory"};
inline constexpr MessageKind kLookAtTheGapIn{"advice.look_at_the_gap_in"};
inline constexpr MessageKind kRecordWithStacksWithStackOr{"advice.record_with_stacks_with_stack_or"};
inline constexpr MessageKind kRaiseTheBatchOrRun{"advice.raise_the_batch_or_run"};
inline constexpr MessageKind kByBuffersThatStay{"advice.by_buffers_that_stay"};
inline constexpr MessageKind kTheBytesAllocatedMustFall{"advice.the_bytes_allocated_must_fall"};
inline constexpr MessageKind kTheCountMustBe0{"advice.the_count_must_be_0"};
inline constexpr MessageKind kMeasureThePeakAgain{"advice.measure_the_peak_again"};
inline constexpr MessageKind kAllocationsAreNotInThe{"advice.allocations_are_not_in_the"};
inline constexpr MessageKind kHowManyThreadsRanOn{"advice.how_many_threads_ran_on"};
inline constexpr MessageKind kAllocateBeforeTheLoopKeep{"advice.allocate_before_the_loop_keep"};
inline constexpr MessageKind kAllocateScratchTensorsOnceOutside{"advice.allocate_scratch_tensors_once_outside"};
inline constexpr MessageKind kLowerTheBatchOrSlice{"advice.lower_the_batch_or_slice"};
inline constexpr MessageKind kAllocateInFewerSizesExpandable{"advice.allocate_in_fewer_sizes_expandable"};
inline constexpr MessageKind kByFolding{"advice.by_folding"};
inline constexpr MessageKind kNoBatchNormalisationMayBe{"advice.no_batch_normalisation_may_be"};
inline constexpr MessageKind kByFusion{"advice.by_fusion"};
inline constexpr MessageKind kTheNumberOfElementWise{"advice.the_number_of_element_wise"};
inline constexpr MessageKind kBy16Bits{"advice.by_16_bits"};
inline constexpr MessageKind kQualityBoundsMustHoldAnd{"advice.quality_bounds_must_hold_and"};
inline constexpr MessageKind kBy32Bits{"advice.by_32_bits"};
inline constexpr MessageKind kNoOperatorMayBeLeft{"advice.no_operator_may_be_left"};
inline constexpr MessageKind kTraceAgainAfterALonger{"advice.trace_again_after_a_longer"};
inline constexpr MessageKind kFoldItIntoTheWeights{"advice.fold_it_into_the_weights"};
inline constexpr MessageKind kFuseTheChains{"advice.fuse_the_chains"};
inline constexpr MessageKind kUseTheDeviceSFaster{"advice.use_the_device_s_faster"};
inline constexpr MessageKind kUse32BitsOrFewer{"advice.use_32_bits_or_fewer"};
inline constexpr MessageKind kWarmUpLongerBeforeTracing{"advice.warm_up_longer_before_tracing"};
inline constexpr MessageKind kWidenThe16BitRegion{"advice.widen_the_16_bit_region"};
inline constexpr MessageKind kTheBytesCopiedMustFall{"advice.the_bytes_copied_must_fall"};
inline constexpr MessageKind kByPinnedBuffers{"advice.by_pinned_buffers"};
inline constexpr MessageKind kTheAchievedGbSMust{"advice.the_achieved_gb_s_must"};
inline constexpr MessageKind kByAsynchronousCopies{"advice.by_asynchronous_copies"};
inline constexpr MessageKind kByTheStageOnTheDevice{"advice.by_the_stage_on_the_device"};
inline constexpr MessageKind kThePairMustBeGone{"advice.the_pair_must_be_gone"};
inline constexpr MessageKind kByRemovingTheCopies{"advice.by_removing_the_copies"};
inline constexpr MessageKind kTheNumberOfCopiesMust{"advice.the_number_of_copies_must"};
inline constexpr MessageKind kByRemovingTheExtraCopies{"advice.by_removing_the_extra_copies"};
inline constexpr MessageKind kTheLedgerMustShowInputs{"advice.the_ledger_must_show_inputs"};
inline constexpr MessageKind kByConstantsKeptOnTheDevice{"advice.by_constants_kept_on_the_device"};
inline constexpr MessageKind kTheBytesCopiedMustFallAgain{"advice.the_bytes_copied_must_fall_again"};
inline constexpr MessageKind kByPrefetchOfOneAndOf{"advice.by_prefetch_of_one_and_of"};
inline constexpr MessageKind kTheOverlapMustRise{"advice.the_overlap_must_rise"};
inline constexpr MessageKind kByTheChangeOnAllRanks{"advice.by_the_change_on_all_ranks"};
inline constexpr MessageKind kTheTimeOfCollectivesWith{"advice.the_time_of_collectives_with"};
inline constexpr MessageKind kByRemovingTheWaits{"advice.by_removing_the_waits"};
inline constexpr MessageKind kTheirNumberMustFall{"advice.their_number_must_fall"};
inline constexpr MessageKind kTheRecorderDoesNotTell{"advice.the_recorder_does_not_tell"};
inline constexpr MessageKind kDropClonesWriteResultsIn{"advice.drop_clones_write_results_in"};
inline constexpr MessageKind kCopyFromPinnedHostMemory{"advice.copy_from_pinned_host_memory"};
inline constexpr MessageKind kUseTheAsynchronousVariantOn{"advice.use_the_asynchronous_variant_on"};
inline constexpr MessageKind kKeepThatStageOnThe{"advice.keep_that_stage_on_the"};
inline constexpr MessageKind kKeepOnTheDeviceWhat{"advice.keep_on_the_device_what"};
inline constexpr MessageKind kSendConstantsOnceAndKeep{"advice.send_constants_once_and_keep"};
inline constexpr MessageKind kPrefetchTheNextInputOn{"advice.prefetch_the_next_input_on"};
inline constexpr MessageKind kWaitOnceAtTheEndKeep{"advice.wait_once_at_the_end_keep"};
inline constexpr MessageKind kSend8BitPixelsAnd{"advice.send_8_bit_pixels_and"};
inline constexpr MessageKind kSendFewerBytesAnd{"advice.send_fewer_bytes_and"};
inline constexpr MessageKind kReduceOnTheDeviceArg{"advice.reduce_on_the_device_arg"};
inline constexpr MessageKind kLoadInMoreWorkerProcesses{"advice.load_in_more_worker_processes"};
inline constexpr MessageKind kMoveWhatTheHostDoes{"advice.move_what_the_host_does"};
inline constexpr MessageKind kMoveItOutOfTheLoop{"advice.move_it_out_of_the_loop"};
inline constexpr MessageKind kReplayCompiledCodeAsGraphs{"advice.replay_compiled_code_as_graphs"};
inline constexpr MessageKind kLaunchTheWorkAsOneGraph{"advice.launch_the_work_as_one_graph"};
inline constexpr MessageKind kFuseOperatorsOrRaiseThe{"advice.fuse_operators_or_raise_the"};
inline constexpr MessageKind kFuseWhatFollowsEachOther{"advice.fuse_what_follows_each_other"};
inline constexpr MessageKind kUseTheDeviceSFasterArithmetic{"advice.use_the_device_s_faster_arithmetic"};
inline constexpr MessageKind kUseTheLibrarySOwn{"advice.use_the_library_s_own"};
inline constexpr MessageKind kCopyFromPinnedMemoryOn{"advice.copy_from_pinned_memory_on"};
inline constexpr MessageKind kUseA16BitPrecision{"advice.use_a_16_bit_precision"};
inline constexpr MessageKind kProcessorsBusy{"advice.processors_busy", {"count"}};
inline constexpr MessageKind kOneThreadWorks{"advice.one_thread_works", {"cores", "share"}};
inline constexpr MessageKind kThreadsWork{"advice.threads_work", {"threads", "cores", "share"}};

// The verdict.
inline constexpr MessageKind kPartCompute{"advice.part_compute"};
inline constexpr MessageKind kPartMemoryDevice{"advice.part_memory_device"};
inline constexpr MessageKind kPartMemory{"advice.part_memory"};
inline constexpr MessageKind kPartLaunchDevice{"advice.part_launch_device"};
inline constexpr MessageKind kPartLaunch{"advice.part_launch"};
inline constexpr MessageKind kPartHost{"advice.part_host"};
inline constexpr MessageKind kPartHostIn{"advice.part_host_in", {"activities"}};
inline constexpr MessageKind kPartTransfer{"advice.part_transfer"};
inline constexpr MessageKind kPartCommunication{"advice.part_communication"};
inline constexpr MessageKind kPartSynchronization{"advice.part_synchronization"};
inline constexpr MessageKind kPartAllocationDevice{"advice.part_allocation_device"};
inline constexpr MessageKind kPartAllocation{"advice.part_allocation"};
inline constexpr MessageKind kPartOther{"advice.part_other"};
inline constexpr MessageKind kPartHostDevice{"advice.part_host_device"};
inline constexpr MessageKind kPartHostDeviceIn{"advice.part_host_device_in", {"activities"}};
inline constexpr MessageKind kNamedAsOverhead{"advice.named_as_overhead"};
inline constexpr MessageKind kLargerNotRecorded{"advice.larger_not_recorded"};
inline constexpr MessageKind kLargerUsualOnCpu{"advice.larger_usual_on_cpu", {"share"}};
inline constexpr MessageKind kFusedCode{"advice.fused_code"};
inline constexpr MessageKind kFusedCodeGroup{"advice.fused_code_group", {"names"}};
inline constexpr MessageKind kFusedCodeGroups{"advice.fused_code_groups", {"count", "names"}};
inline constexpr MessageKind kFusedCodeUnnamed{"advice.fused_code_unnamed", {"code"}};
inline constexpr MessageKind kFusedCompute{"advice.fused_compute", {"share", "code", "rate", "efficiency"}};
inline constexpr MessageKind kFusedMemory{"advice.fused_memory", {"share", "code", "efficiency"}};
inline constexpr MessageKind kFusedLatency{"advice.fused_latency", {"share", "code", "rate"}};
inline constexpr MessageKind kFusedUnknown{"advice.fused_unknown", {"share", "code"}};
inline constexpr MessageKind kFusedUncounted{"advice.fused_uncounted", {"share", "code"}};
inline constexpr MessageKind kFusedNoCeilings{"advice.fused_no_ceilings", {"share", "code"}};
inline constexpr MessageKind kOneKernelLost{"advice.one_kernel_lost"};
inline constexpr MessageKind kKernelsLost{"advice.kernels_lost", {"launched"}};
inline constexpr MessageKind kKernelsPartlyLost{"advice.kernels_partly_lost", {"launched", "recorded"}};
inline constexpr MessageKind kCounterPass{"advice.counter_pass"};
inline constexpr MessageKind kNoWork{"advice.no_work"};
inline constexpr MessageKind kOnePiece{"advice.one_piece"};
inline constexpr MessageKind kFewPieces{"advice.few_pieces", {"count"}};
inline constexpr MessageKind kRecordsMissing{"advice.records_missing", {"loss"}};
inline constexpr MessageKind kIdleUnrecorded{"advice.idle_unrecorded", {"share"}};
inline constexpr MessageKind kNothingRepeats{"advice.nothing_repeats", {"share"}};
inline constexpr MessageKind kHeldBack{"advice.held_back", {"share"}};
inline constexpr MessageKind kUnknownSort{"advice.unknown_sort", {"share"}};
inline constexpr MessageKind kOneInterruption{"advice.one_interruption", {"share"}};
inline constexpr MessageKind kInterruptions{"advice.interruptions", {"times", "share"}};
inline constexpr MessageKind kNoIteration{"advice.no_iteration"};
inline constexpr MessageKind kUnmarkedIterations{"advice.unmarked_iterations", {"times"}};
inline constexpr MessageKind kSingleIteration{"advice.single_iteration"};
inline constexpr MessageKind kNoCeilings{"advice.no_ceilings"};
inline constexpr MessageKind kDataSheetCeilings{"advice.data_sheet_ceilings", {"source"}};
inline constexpr MessageKind kNoShapes{"advice.no_shapes"};
inline constexpr MessageKind kCannotTell{"advice.cannot_tell", {"needs"}};
inline constexpr MessageKind kTrafficFormat{"advice.traffic_format", {"share"}};
inline constexpr MessageKind kArithmeticFormat{"advice.arithmetic_format", {"share"}};
inline constexpr MessageKind kPart{"advice.part", {"share", "phrase"}};
inline constexpr MessageKind kBalancedDevice{"advice.balanced_device", {"compute", "memory"}};
inline constexpr MessageKind kBalancedThread{"advice.balanced_thread", {"compute", "memory"}};
inline constexpr MessageKind kBoundDevice{"advice.bound_device", {"word", "part"}};
inline constexpr MessageKind kBoundDeviceAnd{"advice.bound_device_and", {"word", "part", "other"}};
inline constexpr MessageKind kBoundThread{"advice.bound_thread", {"word", "part"}};
inline constexpr MessageKind kBoundThreadAnd{"advice.bound_thread_and", {"word", "part", "other"}};
inline constexpr MessageKind kNothingToActOn{"advice.nothing_to_act_on"};
inline constexpr MessageKind kFormatsAlone{"advice.formats_alone"};
inline constexpr MessageKind kLaunchBound{"advice.launch_bound"};
inline constexpr MessageKind kHostBound{"advice.host_bound"};
inline constexpr MessageKind kTransferBound{"advice.transfer_bound"};
inline constexpr MessageKind kSynchronizationBound{"advice.synchronization_bound"};
inline constexpr MessageKind kMemoryBound{"advice.memory_bound"};
inline constexpr MessageKind kComputeBound{"advice.compute_bound"};
inline constexpr MessageKind kAllocationBound{"advice.allocation_bound"};
inline constexpr MessageKind kCommunicationBound{"advice.communication_bound"};
inline constexpr MessageKind kOneCopy{"advice.one_copy"};
inline constexpr MessageKind kCopies{"advice.copies", {"count"}};
inline constexpr MessageKind kOneBlock{"advice.one_block"};
inline constexpr MessageKind kBlocks{"advice.blocks", {"count"}};
inline constexpr MessageKind kOneKernel{"advice.one_kernel"};
inline constexpr MessageKind kKernels{"advice.kernels", {"count"}};

inline constexpr MessageKind kUnfusedAttentionTitle{"advice.unfused_attention_title"};
inline constexpr MessageKind kUnalignedProductsTitle{"advice.unaligned_products_title"};
inline constexpr MessageKind kSlowConvolutionsTitle{"advice.slow_convolutions_title"};
inline constexpr MessageKind kFirstCallsTitle{"advice.first_calls_title"};
inline constexpr MessageKind kBecauseOfFirstCalls{"advice.because_of_first_calls"};
inline constexpr MessageKind kRunAFewPassesFirst{"advice.run_a_few_passes_first"};
inline constexpr MessageKind kFirstCalls{"advice.first_calls", {"calls", "share", "longest", "name"}};
inline constexpr MessageKind kCaptures{"advice.captures", {"share", "calls", "longest"}};
inline constexpr MessageKind kRecordReplays{"advice.record_replays"};
inline constexpr MessageKind kPartIdleUnknown{"advice.part_idle_unknown"};
inline constexpr MessageKind kOneOfSeveralDevices{"advice.one_of_several_devices", {"device", "count"}};
inline constexpr MessageKind kOneFirstCall{"advice.one_first_call"};
inline constexpr MessageKind kSeveralFirstCalls{"advice.several_first_calls", {"count"}};
inline constexpr MessageKind kPartFirstCalls{"advice.part_first_calls"};
inline constexpr MessageKind kWarmingUp{"advice.warming_up"};
inline constexpr MessageKind kOnlyACapture{"advice.only_a_capture", {"count"}};
inline constexpr MessageKind kHeldByEarlierWork{"advice.held_by_earlier_work", {"time"}};
inline constexpr MessageKind kLaunchesNotRecorded{"advice.launches_not_recorded", {"kernels", "share"}};
inline constexpr MessageKind kFunctionsRecorded{"advice.functions_recorded", {"count"}};
inline constexpr MessageKind kDropTransposesThatAreCopied{"advice.drop_transposes_that_are_copied"};
inline constexpr MessageKind kKeepChannelsLastBetween{"advice.keep_channels_last_between"};
inline constexpr MessageKind kUnfusedAttention{"advice.unfused_attention", {"often", "share"}};
inline constexpr MessageKind kUseFusedAttention{"advice.use_fused_attention"};
inline constexpr MessageKind kByFusedAttention{"advice.by_fused_attention"};
inline constexpr MessageKind kSlowConvolutions{"advice.slow_convolutions", {"share", "often", "name"}};
inline constexpr MessageKind kLetALibraryConvolve{"advice.let_a_library_convolve"};
inline constexpr MessageKind kByALibrarysConvolutions{"advice.by_a_librarys_convolutions"};
inline constexpr MessageKind kUnalignedProducts{"advice.unaligned_products", {"share", "kernel"}};
inline constexpr MessageKind kPadTheSizes{"advice.pad_the_sizes"};
inline constexpr MessageKind kByPaddedSizes{"advice.by_padded_sizes"};
inline constexpr MessageKind kRecordAgainWithoutFirstCalls{"advice.record_again_without_first_calls"};
inline constexpr MessageKind kFindOutWhyAttentionIsNotFused{"advice.find_out_why_attention_is_not_fused"};
inline constexpr MessageKind kOneEarlierExperiment{"advice.one_earlier_experiment", {"bias"}};
inline constexpr MessageKind kEarlierExperiments{"advice.earlier_experiments", {"count", "bias"}};

inline constexpr MessageKind kUnalignedChannelsTitle{"advice.unaligned_channels_title"};
inline constexpr MessageKind kHeldClockTitle{"advice.held_clock_title"};
inline constexpr MessageKind kSlowIterationsTitle{"advice.slow_iterations_title"};
inline constexpr MessageKind kImagePreparationTitle{"advice.image_preparation_title"};
inline constexpr MessageKind kSlowNmsTitle{"advice.slow_nms_title"};
inline constexpr MessageKind kFloatLayersTitle{"advice.float_layers_title"};
inline constexpr MessageKind kNoisyTrialsTitle{"advice.noisy_trials_title"};
inline constexpr MessageKind kBatchPastKneeTitle{"advice.batch_past_knee_title"};
inline constexpr MessageKind kBatchTooSmallTitle{"advice.batch_too_small_title"};
inline constexpr MessageKind kNumberOverflowTitle{"advice.number_overflow_title"};
inline constexpr MessageKind kDevicesDifferTitle{"advice.devices_differ_title"};
inline constexpr MessageKind kSharedMachineTitle{"advice.shared_machine_title"};
inline constexpr MessageKind kEnergyKneeTitle{"advice.energy_knee_title"};
inline constexpr MessageKind kTooManyThreadsTitle{"advice.too_many_threads_title"};
inline constexpr MessageKind kCompilingDoesNotPayTitle{"advice.compiling_does_not_pay_title"};
inline constexpr MessageKind kPrecisionDoesNotPayTitle{"advice.precision_does_not_pay_title"};
inline constexpr MessageKind kSlowIterations{"advice.slow_iterations",
                                             {"count", "all", "ratio", "median", "longest", "reason"}};
inline constexpr MessageKind kSlowestInterrupted{"advice.slowest_interrupted", {"time"}};
inline constexpr MessageKind kSlowestPauses{"advice.slowest_pauses", {"time"}};
inline constexpr MessageKind kSlowestSpends{"advice.slowest_spends", {"time", "part"}};
inline constexpr MessageKind kSlowestUnknown{"advice.slowest_unknown"};
inline constexpr MessageKind kRecordOnAQuietMachine{"advice.record_on_a_quiet_machine"};
inline constexpr MessageKind kLookAtTheSlowest{"advice.look_at_the_slowest"};
inline constexpr MessageKind kNoIterationMayStandOut{"advice.no_iteration_may_stand_out"};
inline constexpr MessageKind kHeldClock{"advice.held_clock", {"reasons", "share"}};
inline constexpr MessageKind kHeldClockAt{"advice.held_clock_at", {"reasons", "share", "mean", "highest"}};
inline constexpr MessageKind kCoolOrRaiseTheLimit{"advice.cool_or_raise_the_limit"};
inline constexpr MessageKind kMeasureAtAFreeClock{"advice.measure_at_a_free_clock"};
inline constexpr MessageKind kSlowNms{"advice.slow_nms", {"share", "often", "name"}};
inline constexpr MessageKind kSuppressFewerBoxes{"advice.suppress_fewer_boxes"};
inline constexpr MessageKind kByFewerBoxes{"advice.by_fewer_boxes"};
inline constexpr MessageKind kTheBoxesMustStay{"advice.the_boxes_must_stay"};
inline constexpr MessageKind kImagePreparation{"advice.image_preparation", {"share", "often", "name"}};
inline constexpr MessageKind kPrepareImagesElsewhere{"advice.prepare_images_elsewhere"};
inline constexpr MessageKind kByPreparedImages{"advice.by_prepared_images"};
inline constexpr MessageKind kUnalignedChannels{"advice.unaligned_channels",
                                                {"share", "often", "in", "out", "multiple"}};
inline constexpr MessageKind kPadTheChannels{"advice.pad_the_channels"};
inline constexpr MessageKind kByPaddedChannels{"advice.by_padded_channels"};
inline constexpr MessageKind kFloatLayers{"advice.float_layers", {"share", "precision"}};
inline constexpr MessageKind kByFewerBits{"advice.by_fewer_bits"};
inline constexpr MessageKind kTheQualityMustHold{"advice.the_quality_must_hold"};
inline constexpr MessageKind kChangedThresholds{"advice.changed_thresholds", {"thresholds"}};

// What the recording or the study must hold for a rule, and the change that it asks for.
inline constexpr MessageKind kRuleNeedsDeviceIdle{"advice.rule_needs_device_idle"};
inline constexpr MessageKind kRuleChangeDeviceIdle{"advice.rule_change_device_idle"};
inline constexpr MessageKind kRuleNeedsEnqueueBound{"advice.rule_needs_enqueue_bound"};
inline constexpr MessageKind kRuleChangeEnqueueBound{"advice.rule_change_enqueue_bound"};
inline constexpr MessageKind kRuleNeedsTinyKernels{"advice.rule_needs_tiny_kernels"};
inline constexpr MessageKind kRuleChangeTinyKernels{"advice.rule_change_tiny_kernels"};
inline constexpr MessageKind kRuleNeedsPageableCopies{"advice.rule_needs_pageable_copies"};
inline constexpr MessageKind kRuleChangePageableCopies{"advice.rule_change_pageable_copies"};
inline constexpr MessageKind kRuleNeedsBlockingCopies{"advice.rule_needs_blocking_copies"};
inline constexpr MessageKind kRuleChangeWaitsInIteration{"advice.rule_change_waits_in_iteration"};
inline constexpr MessageKind kRuleNeedsLongGaps{"advice.rule_needs_long_gaps"};
inline constexpr MessageKind kRuleChangeLongGaps{"advice.rule_change_long_gaps"};
inline constexpr MessageKind kRuleNeedsUploadBound{"advice.rule_needs_upload_bound"};
inline constexpr MessageKind kRuleChangeUploadBound{"advice.rule_change_upload_bound"};
inline constexpr MessageKind kRuleNeedsHostRoundTrip{"advice.rule_needs_host_round_trip"};
inline constexpr MessageKind kRuleChangeHostRoundTrip{"advice.rule_change_host_round_trip"};
inline constexpr MessageKind kRuleNeedsNeedlessCopies{"advice.rule_needs_needless_copies"};
inline constexpr MessageKind kRuleChangeNeedlessCopies{"advice.rule_change_needless_copies"};
inline constexpr MessageKind kRuleNeedsRepeatedUploads{"advice.rule_needs_repeated_uploads"};
inline constexpr MessageKind kRuleChangeRepeatedUploads{"advice.rule_change_repeated_uploads"};
inline constexpr MessageKind kRuleNeedsNoOverlap{"advice.rule_needs_no_overlap"};
inline constexpr MessageKind kRuleChangeNoOverlap{"advice.rule_change_no_overlap"};
inline constexpr MessageKind kRuleNeedsExposedCommunication{"advice.rule_needs_exposed_communication"};
inline constexpr MessageKind kRuleChangeExposedCommunication{"advice.rule_change_exposed_communication"};
inline constexpr MessageKind kRuleNeedsUnalignedChannels{"advice.rule_needs_unaligned_channels"};
inline constexpr MessageKind kRuleChangeUnalignedChannels{"advice.rule_change_unaligned_channels"};
inline constexpr MessageKind kRuleNeedsLayoutConversions{"advice.rule_needs_layout_conversions"};
inline constexpr MessageKind kRuleChangeLayoutConversions{"advice.rule_change_layout_conversions"};
inline constexpr MessageKind kRuleChangeTypeConversions{"advice.rule_change_type_conversions"};
inline constexpr MessageKind kRuleNeedsUnfusedBatchnorm{"advice.rule_needs_unfused_batchnorm"};
inline constexpr MessageKind kRuleChangeUnfusedBatchnorm{"advice.rule_change_unfused_batchnorm"};
inline constexpr MessageKind kRuleChangeUnfusedElementwise{"advice.rule_change_unfused_elementwise"};
inline constexpr MessageKind kRuleNeedsWideArithmetic{"advice.rule_needs_wide_arithmetic"};
inline constexpr MessageKind kRuleChangeWideArithmetic{"advice.rule_change_wide_arithmetic"};
inline constexpr MessageKind kRuleNeedsUnfusedAttention{"advice.rule_needs_unfused_attention"};
inline constexpr MessageKind kRuleChangeUnfusedAttention{"advice.rule_change_unfused_attention"};
inline constexpr MessageKind kRuleNeedsUnalignedProducts{"advice.rule_needs_unaligned_products"};
inline constexpr MessageKind kRuleChangeUnalignedProducts{"advice.rule_change_unaligned_products"};
inline constexpr MessageKind kRuleNeedsFirstCalls{"advice.rule_needs_first_calls"};
inline constexpr MessageKind kRuleChangeFirstCalls{"advice.rule_change_first_calls"};
inline constexpr MessageKind kRuleNeedsNotSteady{"advice.rule_needs_not_steady"};
inline constexpr MessageKind kRuleChangeNotSteady{"advice.rule_change_not_steady"};
inline constexpr MessageKind kRuleNeedsHeldClock{"advice.rule_needs_held_clock"};
inline constexpr MessageKind kRuleChangeHeldClock{"advice.rule_change_held_clock"};
inline constexpr MessageKind kRuleNeedsSlowIterations{"advice.rule_needs_slow_iterations"};
inline constexpr MessageKind kRuleChangeSlowIterations{"advice.rule_change_slow_iterations"};
inline constexpr MessageKind kRuleNeedsAllocationInLoop{"advice.rule_needs_allocation_in_loop"};
inline constexpr MessageKind kRuleNeedsMemoryLimit{"advice.rule_needs_memory_limit"};
inline constexpr MessageKind kRuleChangeMemoryLimit{"advice.rule_change_memory_limit"};
inline constexpr MessageKind kRuleNeedsUnderfilledDevice{"advice.rule_needs_underfilled_device"};
inline constexpr MessageKind kRuleChangeUnderfilledDevice{"advice.rule_change_underfilled_device"};
inline constexpr MessageKind kRuleNeedsImagePreparation{"advice.rule_needs_image_preparation"};
inline constexpr MessageKind kRuleChangeImagePreparation{"advice.rule_change_image_preparation"};
inline constexpr MessageKind kRuleChangeSlowNms{"advice.rule_change_slow_nms"};
inline constexpr MessageKind kRuleNeedsFloatLayers{"advice.rule_needs_float_layers"};
inline constexpr MessageKind kRuleChangeFloatLayers{"advice.rule_change_float_layers"};
inline constexpr MessageKind kRuleNeedsIdleCores{"advice.rule_needs_idle_cores"};
inline constexpr MessageKind kRuleChangeIdleCores{"advice.rule_change_idle_cores"};
inline constexpr MessageKind kRuleNeedsDeviceCopies{"advice.rule_needs_device_copies"};
inline constexpr MessageKind kRuleChangeDeviceCopies{"advice.rule_change_device_copies"};
inline constexpr MessageKind kRuleChangeSlowConvolutions{"advice.rule_change_slow_convolutions"};
inline constexpr MessageKind kRuleNeedsThrottledTrials{"advice.rule_needs_throttled_trials"};
inline constexpr MessageKind kRuleNeedsNoisyTrials{"advice.rule_needs_noisy_trials"};
inline constexpr MessageKind kRuleChangeNoisyTrials{"advice.rule_change_noisy_trials"};
inline constexpr MessageKind kRuleNeedsBatchPastKnee{"advice.rule_needs_batch_past_knee"};
inline constexpr MessageKind kRuleChangeBatchPastKnee{"advice.rule_change_batch_past_knee"};
inline constexpr MessageKind kRuleChangeBatchTooSmall{"advice.rule_change_batch_too_small"};
inline constexpr MessageKind kRuleNeedsNumberOverflow{"advice.rule_needs_number_overflow"};
inline constexpr MessageKind kRuleChangeNumberOverflow{"advice.rule_change_number_overflow"};
inline constexpr MessageKind kRuleNeedsDevicesDiffer{"advice.rule_needs_devices_differ"};
inline constexpr MessageKind kRuleChangeDevicesDiffer{"advice.rule_change_devices_differ"};
inline constexpr MessageKind kRuleNeedsSharedMachine{"advice.rule_needs_shared_machine"};
inline constexpr MessageKind kRuleChangeSharedMachine{"advice.rule_change_shared_machine"};
inline constexpr MessageKind kRuleNeedsEnergyKnee{"advice.rule_needs_energy_knee"};
inline constexpr MessageKind kRuleChangeEnergyKnee{"advice.rule_change_energy_knee"};
inline constexpr MessageKind kRuleNeedsTooManyThreads{"advice.rule_needs_too_many_threads"};
inline constexpr MessageKind kRuleChangeTooManyThreads{"advice.rule_change_too_many_threads"};
inline constexpr MessageKind kRuleNeedsCompilingDoesNotPay{"advice.rule_needs_compiling_does_not_pay"};
inline constexpr MessageKind kRuleChangeCompilingDoesNotPay{"advice.rule_change_compiling_does_not_pay"};
inline constexpr MessageKind kRuleNeedsPrecisionDoesNotPay{"advice.rule_needs_precision_does_not_pay"};
inline constexpr MessageKind kRuleChangePrecisionDoesNotPay{"advice.rule_change_precision_does_not_pay"};

inline constexpr std::array kAll{kUnalignedChannelsTitle,
                                 kHeldClockTitle,
                                 kSlowIterationsTitle,
                                 kImagePreparationTitle,
                                 kSlowNmsTitle,
                                 kFloatLayersTitle,
                                 kNoisyTrialsTitle,
                                 kBatchPastKneeTitle,
                                 kBatchTooSmallTitle,
                                 kNumberOverflowTitle,
                                 kDevicesDifferTitle,
                                 kSharedMachineTitle,
                                 kEnergyKneeTitle,
                                 kTooManyThreadsTitle,
                                 kCompilingDoesNotPayTitle,
                                 kPrecisionDoesNotPayTitle,
                                 kSlowIterations,
                                 kSlowestInterrupted,
                                 kSlowestPauses,
                                 kSlowestSpends,
                                 kSlowestUnknown,
                                 kRecordOnAQuietMachine,
                                 kLookAtTheSlowest,
                                 kNoIterationMayStandOut,
                                 kHeldClock,
                                 kHeldClockAt,
                                 kCoolOrRaiseTheLimit,
                                 kMeasureAtAFreeClock,
                                 kSlowNms,
                                 kSuppressFewerBoxes,
                                 kByFewerBoxes,
                                 kTheBoxesMustStay,
                                 kImagePreparation,
                                 kPrepareImagesElsewhere,
                                 kByPreparedImages,
                                 kUnalignedChannels,
                                 kPadTheChannels,
                                 kByPaddedChannels,
                                 kFloatLayers,
                                 kByFewerBits,
                                 kTheQualityMustHold,
                                 kChangedThresholds,
                                 kOneEarlierExperiment,
                                 kEarlierExperiments,
                                 kRecordAgainWithoutFirstCalls,
                                 kFindOutWhyAttentionIsNotFused,
                                 kPartCompute,
                                 kUnfusedAttentionTitle,
                                 kUnalignedProductsTitle,
                                 kSlowConvolutionsTitle,
                                 kSlowConvolutions,
                                 kLetALibraryConvolve,
                                 kByALibrarysConvolutions,
                                 kFirstCallsTitle,
                                 kBecauseOfFirstCalls,
                                 kRunAFewPassesFirst,
                                 kFirstCalls,
                                 kOneFirstCall,
                                 kSeveralFirstCalls,
                                 kPartFirstCalls,
                                 kWarmingUp,
                                 kOnlyACapture,
                                 kCaptures,
                                 kRecordReplays,
                                 kPartIdleUnknown,
                                 kOneOfSeveralDevices,
                                 kHeldByEarlierWork,
                                 kLaunchesNotRecorded,
                                 kFunctionsRecorded,
                                 kDropTransposesThatAreCopied,
                                 kKeepChannelsLastBetween,
                                 kUnfusedAttention,
                                 kUseFusedAttention,
                                 kByFusedAttention,
                                 kUnalignedProducts,
                                 kPadTheSizes,
                                 kByPaddedSizes,
                                 kPartMemoryDevice,
                                 kPartMemory,
                                 kPartLaunchDevice,
                                 kPartLaunch,
                                 kPartHost,
                                 kPartHostIn,
                                 kPartTransfer,
                                 kPartCommunication,
                                 kPartSynchronization,
                                 kPartAllocationDevice,
                                 kPartAllocation,
                                 kPartOther,
                                 kPartHostDevice,
                                 kPartHostDeviceIn,
                                 kNamedAsOverhead,
                                 kLargerNotRecorded,
                                 kLargerUsualOnCpu,
                                 kFusedCode,
                                 kFusedCodeGroup,
                                 kFusedCodeGroups,
                                 kFusedCodeUnnamed,
                                 kFusedCompute,
                                 kFusedMemory,
                                 kFusedLatency,
                                 kFusedUnknown,
                                 kFusedUncounted,
                                 kFusedNoCeilings,
                                 kOneKernelLost,
                                 kKernelsLost,
                                 kKernelsPartlyLost,
                                 kCounterPass,
                                 kNoWork,
                                 kOnePiece,
                                 kFewPieces,
                                 kRecordsMissing,
                                 kIdleUnrecorded,
                                 kNothingRepeats,
                                 kHeldBack,
                                 kUnknownSort,
                                 kOneInterruption,
                                 kInterruptions,
                                 kNoIteration,
                                 kUnmarkedIterations,
                                 kSingleIteration,
                                 kNoCeilings,
                                 kDataSheetCeilings,
                                 kNoShapes,
                                 kCannotTell,
                                 kTrafficFormat,
                                 kArithmeticFormat,
                                 kPart,
                                 kBalancedDevice,
                                 kBalancedThread,
                                 kBoundDevice,
                                 kBoundDeviceAnd,
                                 kBoundThread,
                                 kBoundThreadAnd,
                                 kNothingToActOn,
                                 kFormatsAlone,
                                 kLaunchBound,
                                 kHostBound,
                                 kTransferBound,
                                 kSynchronizationBound,
                                 kMemoryBound,
                                 kComputeBound,
                                 kAllocationBound,
                                 kCommunicationBound,
                                 kOneCopy,
                                 kCopies,
                                 kOneBlock,
                                 kBlocks,
                                 kOneKernel,
                                 kKernels,
                                 kProcessorsBusy,
                                 kOneThreadWorks,
                                 kThreadsWork,
                                 kOnePageableCopyAtRate,
                                 kShareOfRange,
                                 kShareOfIteration,
                                 kShareOfSection,
                                 kShareOfRecording,
                                 kInTheRange,
                                 kInTheRecording,
                                 kAnIteration,
                                 kASection,
                                 kOneIteration,
                                 kOneSection,
                                 kActivity,
                                 kCalledBy,
                                 kMeasureWithAndWithout,
                                 kMeasureWithAndWithoutAnd,
                                 kTheRuntimeSCallsAre,
                                 kDeviceIdleTitle,
                                 kEnqueueBoundTitle,
                                 kTinyKernelsTitle,
                                 kPageableCopiesTitle,
                                 kBlockingCopiesTitle,
                                 kWaitsInIterationTitle,
                                 kLongGapsTitle,
                                 kUploadBoundTitle,
                                 kDownloadBoundTitle,
                                 kHostRoundTripTitle,
                                 kNeedlessCopiesTitle,
                                 kDeviceCopiesTitle,
                                 kRepeatedUploadsTitle,
                                 kNoOverlapTitle,
                                 kExposedCommunicationTitle,
                                 kLayoutConversionsTitle,
                                 kTypeConversionsTitle,
                                 kUnfusedBatchnormTitle,
                                 kUnfusedElementwiseTitle,
                                 kWideArithmeticTitle,
                                 kNotSteadyTitle,
                                 kAllocationInLoopTitle,
                                 kMemoryLimitTitle,
                                 kUnderfilledDeviceTitle,
                                 kIdleCoresTitle,
                                 kBecauseHostWasBusy,
                                 kBecauseHostWasBusyIn,
                                 kBecauseTheHostCouldNotLaunch,
                                 kBecauseCompiledCodeLaunches,
                                 kBecauseTheHostHadWaitedFor,
                                 kBecauseTheHostWasInCopy,
                                 kBecauseTheHostAllocatedOrReleased,
                                 kBecauseWorkWasQueuedAndHeld,
                                 kBecauseTheCauseWasNotRecorded,
                                 kHostPauses,
                                 kHostPausesIn,
                                 kDeviceIdlesMostly,
                                 kDeviceIdles,
                                 kEnqueuingNearlyAsSlow,
                                 kEnqueuingSlower,
                                 kOperatorCalls,
                                 kShorterThanCall,
                                 kShorterThan10Us,
                                 kShorterThanCallOr10Us,
                                 kTinyKernels,
                                 kTinyKernelsAndCall,
                                 kOneLongGap,
                                 kLongGaps,
                                 kUnderfilled,
                                 kOneDeviceAllocation,
                                 kDeviceAllocations,
                                 kBytesAnIteration,
                                 kBytesASection,
                                 kHostAllocationBytes,
                                 kHostAllocationBlocks,
                                 kHostAllocation,
                                 kPeakNearLimit,
                                 kPeakNearLimitHeld,
                                 kMemoryReserved,
                                 kMemoryReservedHeld,
                                 kLayoutConversions,
                                 kTypeConversions,
                                 kTypeConversionsFromTo,
                                 kTheConversionsMustBeGone,
                                 kByTheChange,
                                 kOneLayoutForAllChannels,
                                 kBatchNorm,
                                 kElementwise,
                                 kArithmetic64Bits,
                                 kArithmeticFp32,
                                 kFindOutWhyTheseLayers,
                                 kUseBf16OrFp16Where,
                                 kUseFp16,
                                 kIterationsGetFaster,
                                 kIterationsGetSlower,
                                 kRepeatedSectionsGetFaster,
                                 kRepeatedSectionsGetSlower,
                                 kMostlyFrom,
                                 kMainOriginOfCopies,
                                 kCopiesToDevice,
                                 kCopiesToHost,
                                 kCopiesWithBytesEach,
                                 kCopiesWithBytes,
                                 kBytesInAll,
                                 kPageableCopiesAtRate,
                                 kOnePageableCopy,
                                 kPageableCopies,
                                 kOneBlockingCopy,
                                 kBlockingCopies,
                                 kRoundTrip,
                                 kTensorCopies,
                                 kDeviceCopies,
                                 kIterationCopiesMore,
                                 kSectionCopiesMore,
                                 kIterationCopiesMoreThanOneEach,
                                 kSectionCopiesMoreThanOneEach,
                                 kUploadsInEveryIteration,
                                 kUploadsInEverySection,
                                 kNoOverlap,
                                 kStartTheExchangeOfThe,
                                 kPrefetchShardsWhileTheLayer,
                                 kLetGradientsLeaveWhileThe,
                                 kSplitAModelOverFewer,
                                 kCollectives,
                                 kCollectivesMoving,
                                 kJoinSmallMessages,
                                 kRecordAllRanks,
                                 kHostWaitsAndReads,
                                 kHostWaits,
                                 kHostCouldRunAhead,
                                 kUseThreads,
                                 kThreadsAnd,
                                 kTheBusyShareMustRise,
                                 kByFewerLaunches,
                                 kByALargerBatch,
                                 kTheNumberOfLaunchesMust,
                                 kTheGapsMustGo,
                                 kThePausesMustGo,
                                 kByALargerBatchPerSample,
                                 kGridSizesOrTheDevice,
                                 kAllocateBeforeTheLoopAnd,
                                 kRunFewerLargerOperatorsRaise,
                                 kQueueTheNextPass,
                                 kWaitOnceAtTheEnd,
                                 kCopyAsynchronouslyFromPinnedMemory,
                                 kLookAtTheGapIn,
                                 kRecordWithStacksWithStackOr,
                                 kRaiseTheBatchOrRun,
                                 kByBuffersThatStay,
                                 kTheBytesAllocatedMustFall,
                                 kTheCountMustBe0,
                                 kMeasureThePeakAgain,
                                 kAllocationsAreNotInThe,
                                 kHowManyThreadsRanOn,
                                 kAllocateBeforeTheLoopKeep,
                                 kAllocateScratchTensorsOnceOutside,
                                 kLowerTheBatchOrSlice,
                                 kAllocateInFewerSizesExpandable,
                                 kByFolding,
                                 kNoBatchNormalisationMayBe,
                                 kByFusion,
                                 kTheNumberOfElementWise,
                                 kBy16Bits,
                                 kQualityBoundsMustHoldAnd,
                                 kBy32Bits,
                                 kNoOperatorMayBeLeft,
                                 kTraceAgainAfterALonger,
                                 kFoldItIntoTheWeights,
                                 kFuseTheChains,
                                 kUseTheDeviceSFaster,
                                 kUse32BitsOrFewer,
                                 kWarmUpLongerBeforeTracing,
                                 kWidenThe16BitRegion,
                                 kTheBytesCopiedMustFall,
                                 kByPinnedBuffers,
                                 kTheAchievedGbSMust,
                                 kByAsynchronousCopies,
                                 kByTheStageOnTheDevice,
                                 kThePairMustBeGone,
                                 kByRemovingTheCopies,
                                 kTheNumberOfCopiesMust,
                                 kByRemovingTheExtraCopies,
                                 kTheLedgerMustShowInputs,
                                 kByConstantsKeptOnTheDevice,
                                 kTheBytesCopiedMustFallAgain,
                                 kByPrefetchOfOneAndOf,
                                 kTheOverlapMustRise,
                                 kByTheChangeOnAllRanks,
                                 kTheTimeOfCollectivesWith,
                                 kByRemovingTheWaits,
                                 kTheirNumberMustFall,
                                 kTheRecorderDoesNotTell,
                                 kDropClonesWriteResultsIn,
                                 kCopyFromPinnedHostMemory,
                                 kUseTheAsynchronousVariantOn,
                                 kKeepThatStageOnThe,
                                 kKeepOnTheDeviceWhat,
                                 kSendConstantsOnceAndKeep,
                                 kPrefetchTheNextInputOn,
                                 kWaitOnceAtTheEndKeep,
                                 kSend8BitPixelsAnd,
                                 kSendFewerBytesAnd,
                                 kReduceOnTheDeviceArg,
                                 kLoadInMoreWorkerProcesses,
                                 kMoveWhatTheHostDoes,
                                 kMoveItOutOfTheLoop,
                                 kReplayCompiledCodeAsGraphs,
                                 kLaunchTheWorkAsOneGraph,
                                 kFuseOperatorsOrRaiseThe,
                                 kFuseWhatFollowsEachOther,
                                 kUseTheDeviceSFasterArithmetic,
                                 kUseTheLibrarySOwn,
                                 kCopyFromPinnedMemoryOn,
                                 kUseA16BitPrecision,
                                 kRuleNeedsDeviceIdle,
                                 kRuleChangeDeviceIdle,
                                 kRuleNeedsEnqueueBound,
                                 kRuleChangeEnqueueBound,
                                 kRuleNeedsTinyKernels,
                                 kRuleChangeTinyKernels,
                                 kRuleNeedsPageableCopies,
                                 kRuleChangePageableCopies,
                                 kRuleNeedsBlockingCopies,
                                 kRuleChangeWaitsInIteration,
                                 kRuleNeedsLongGaps,
                                 kRuleChangeLongGaps,
                                 kRuleNeedsUploadBound,
                                 kRuleChangeUploadBound,
                                 kRuleNeedsHostRoundTrip,
                                 kRuleChangeHostRoundTrip,
                                 kRuleNeedsNeedlessCopies,
                                 kRuleChangeNeedlessCopies,
                                 kRuleNeedsRepeatedUploads,
                                 kRuleChangeRepeatedUploads,
                                 kRuleNeedsNoOverlap,
                                 kRuleChangeNoOverlap,
                                 kRuleNeedsExposedCommunication,
                                 kRuleChangeExposedCommunication,
                                 kRuleNeedsUnalignedChannels,
                                 kRuleChangeUnalignedChannels,
                                 kRuleNeedsLayoutConversions,
                                 kRuleChangeLayoutConversions,
                                 kRuleChangeTypeConversions,
                                 kRuleNeedsUnfusedBatchnorm,
                                 kRuleChangeUnfusedBatchnorm,
                                 kRuleChangeUnfusedElementwise,
                                 kRuleNeedsWideArithmetic,
                                 kRuleChangeWideArithmetic,
                                 kRuleNeedsUnfusedAttention,
                                 kRuleChangeUnfusedAttention,
                                 kRuleNeedsUnalignedProducts,
                                 kRuleChangeUnalignedProducts,
                                 kRuleNeedsFirstCalls,
                                 kRuleChangeFirstCalls,
                                 kRuleNeedsNotSteady,
                                 kRuleChangeNotSteady,
                                 kRuleNeedsHeldClock,
                                 kRuleChangeHeldClock,
                                 kRuleNeedsSlowIterations,
                                 kRuleChangeSlowIterations,
                                 kRuleNeedsAllocationInLoop,
                                 kRuleNeedsMemoryLimit,
                                 kRuleChangeMemoryLimit,
                                 kRuleNeedsUnderfilledDevice,
                                 kRuleChangeUnderfilledDevice,
                                 kRuleNeedsImagePreparation,
                                 kRuleChangeImagePreparation,
                                 kRuleChangeSlowNms,
                                 kRuleNeedsFloatLayers,
                                 kRuleChangeFloatLayers,
                                 kRuleNeedsIdleCores,
                                 kRuleChangeIdleCores,
                                 kRuleNeedsDeviceCopies,
                                 kRuleChangeDeviceCopies,
                                 kRuleChangeSlowConvolutions,
                                 kRuleNeedsThrottledTrials,
                                 kRuleNeedsNoisyTrials,
                                 kRuleChangeNoisyTrials,
                                 kRuleNeedsBatchPastKnee,
                                 kRuleChangeBatchPastKnee,
                                 kRuleChangeBatchTooSmall,
                                 kRuleNeedsNumberOverflow,
                                 kRuleChangeNumberOverflow,
                                 kRuleNeedsDevicesDiffer,
                                 kRuleChangeDevicesDiffer,
                                 kRuleNeedsSharedMachine,
                                 kRuleChangeSharedMachine,
                                 kRuleNeedsEnergyKnee,
                                 kRuleChangeEnergyKnee,
                                 kRuleNeedsTooManyThreads,
                                 kRuleChangeTooManyThreads,
                                 kRuleNeedsCompilingDoesNotPay,
                                 kRuleChangeCompilingDoesNotPay,
                                 kRuleNeedsPrecisionDoesNotPay,
                                 kRuleChangePrecisionDoesNotPay};

} // namespace apertune::advice::reasons
