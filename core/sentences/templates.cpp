// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/templates.h"

#include "core/sentences/error_templates.h"

#include <array>
#include <vector>

/// Qt's lupdate finds the texts for translation by this name.
#define QT_TRANSLATE_NOOP(context, text) text

namespace apertune::sentences {

namespace {

// A translation may put the parts of a template in any order, so each template is one of these:
//  * a whole sentence, or several;
//  * a clause with subject and verb that stands behind a colon of another template ("{why}", "{cause}");
//  * a noun phrase with its parameters, which becomes a parameter of another template ("{share} of the iteration");
//  * the text of a table cell or a label, which stands alone (rule_needs_*, rule_change_*, by_*, setting_*, *_title).
// A part that may be missing is a second template, never a fragment that is glued behind the first.
constexpr std::array kTemplates{
    Template{"text", "{text}"},
    Template{"sentences", "{sentences}"},
    Template{"list", QT_TRANSLATE_NOOP("core", "{first}, {rest}")},

    // core/search/reasons.h
    Template{"search.budget_spent", QT_TRANSLATE_NOOP("core", "The budget left no time for it.")},
    Template{"search.getting_worse",
             QT_TRANSLATE_NOOP("core", "Larger batches kept making it worse: {best} with batch {best_batch}, {before} "
                                       "with batch {before_batch}, {last} with batch {last_batch}.")},
    Template{"search.far_behind",
             QT_TRANSLATE_NOOP("core", "In its fastest block, its most promising batch reached {figure}; {leader} "
                                       "reached {leader_figure} with batch {leader_batch}.")},
    Template{"search.behind",
             QT_TRANSLATE_NOOP("core", "In their fastest blocks, its two most promising batches reached {first} and "
                                       "{second}; {leader} reached {leader_figure} with batch {leader_batch}.")},
    Template{"search.ceiling", QT_TRANSLATE_NOOP("core", "It cannot exceed {ceiling}; the leader reaches {leader}.")},
    Template{"search.compile_gain",
             QT_TRANSLATE_NOOP("core", "It is not compiled: without compiling it reaches {share} of the best with the "
                                       "same batch, and compiling gains {gain}× at most.")},
    Template{"search.compile_time",
             QT_TRANSLATE_NOOP("core", "Compiling takes about {compile} and {left} of the budget are left.")},
    Template{"search.convert_time",
             QT_TRANSLATE_NOOP("core", "Converting the model for this engine and loading it takes about {convert}, and "
                                       "{left} of the budget are left.")},
    Template{"search.beyond_memory",
             QT_TRANSLATE_NOOP(
                 "core", "It would need about {needed} of {memory}, estimated from the peaks of smaller batches.")},
    Template{"search.batch_beyond_memory",
             QT_TRANSLATE_NOOP(
                 "core",
                 "Batch {batch} would need about {needed} of {memory}, estimated from the peaks of smaller batches.")},
    Template{"search.no_growth",
             QT_TRANSLATE_NOOP("core", "Throughput no longer grows with the batch: batch {batch} gives {figure}, a "
                                       "smaller one gave {best}.")},
    Template{"search.latency_bound",
             QT_TRANSLATE_NOOP("core", "One of its smaller batches exceeds the bound of {bound} already.")},
    Template{"search.two_batches_failed",
             QT_TRANSLATE_NOOP("core", "Two of its batches could not be measured: {reason}")},
    Template{"search.too_little_in_float",
             QT_TRANSLATE_NOOP("core",
                               "Even with more layers in float, its outputs agree too little with those of O0 fp32.")},
    Template{"search.enough_in_float", QT_TRANSLATE_NOOP("core", "Fewer layers in float are enough.")},
    Template{"search.backend_cannot_run", QT_TRANSLATE_NOOP("core", "The backend {backend} cannot run here.")},
    Template{"search.backend_cannot_run_because",
             QT_TRANSLATE_NOOP("core", "The backend {backend} cannot run here: {reason}")},
    Template{"search.backend_cannot_use", QT_TRANSLATE_NOOP("core", "The backend {backend} cannot use {device} here.")},
    Template{"search.backend_cannot_use_because",
             QT_TRANSLATE_NOOP("core", "The backend {backend} cannot use {device} here: {reason}.")},
    Template{"search.precision_gpu_only",
             QT_TRANSLATE_NOOP("core", "{precision} arithmetic exists on NVIDIA GPUs only.")},
    Template{"search.precision_needs_gpu",
             QT_TRANSLATE_NOOP("core", "{precision} needs an NVIDIA GPU of compute capability {capability}.")},
    Template{"search.precision_needs_capability",
             QT_TRANSLATE_NOOP("core", "{precision} needs compute capability {capability}, {device} has {has}.")},
    Template{"search.precision_emulated",
             QT_TRANSLATE_NOOP("core", "{device} has no {precision} arithmetic ({instructions}) and would only "
                                       "emulate it.")},
    Template{"search.either", QT_TRANSLATE_NOOP("core", "{first} or {second}")},
    Template{"search.precision_not_offered",
             QT_TRANSLATE_NOOP("core", "The backend {backend} does not offer {precision}.")},
    Template{"search.int8_cpu_only", QT_TRANSLATE_NOOP("core", "{backend} computes int8 on a CPU only.")},
    Template{
        "search.int8_emulated",
        QT_TRANSLATE_NOOP("core", "{device} has no 8-bit dot products (VNNI or AMX) and would only emulate int8.")},
    Template{"search.switch_cpu_only", QT_TRANSLATE_NOOP("core", "{switch} works on a CPU only.")},
    Template{"search.switch_gpu_only", QT_TRANSLATE_NOOP("core", "{switch} works on NVIDIA GPUs only.")},
    Template{"search.quantized_needs_aoti",
             QT_TRANSLATE_NOOP("core", "{precision} is made when the model is compiled, at O3: it needs aoti.")},
    Template{"search.tf32_needs_fp32",
             QT_TRANSLATE_NOOP("core", "tf32 is arithmetic on fp32 tensors and does nothing at {precision}.")},
    Template{"search.no_such_switch", QT_TRANSLATE_NOOP("core", "The backend {backend} has no switch {switch}.")},
    Template{"search.cannot_convert",
             QT_TRANSLATE_NOOP("core", "The model cannot be converted for {backend}: {reason}")},
    Template{"search.format_not_opened",
             QT_TRANSLATE_NOOP("core",
                               "The model is available as {format} only, which the backend {backend} does not open.")},
    Template{"search.fixed_batch",
             QT_TRANSLATE_NOOP("core", "The model takes batch 1 only: its batch dimension is fixed.")},
    Template{"search.failing_batch",
             QT_TRANSLATE_NOOP("core", "The model failed at batch {batch} during its import: {why}")},
    Template{"search.loses_state",
             QT_TRANSLATE_NOOP("core", "The model keeps state from pass to pass in {buffers}, which only TorchScript "
                                       "keeps; what {backend} runs here would give the same outputs in every pass.")},
    Template{"search.draws_otherwise",
             QT_TRANSLATE_NOOP("core", "The model draws random numbers in each pass. {backend} draws others from the "
                                       "same seed, so its outputs cannot be compared.")},
    Template{"search.draws_otherwise_at",
             QT_TRANSLATE_NOOP("core", "The model draws random numbers in each pass. At {precision} it draws others, "
                                       "so its outputs cannot be compared.")},
    Template{"search.no_exported_program",
             QT_TRANSLATE_NOOP("core", "The model has no exported program to compile from.")},
    Template{"search.no_exported_program_because",
             QT_TRANSLATE_NOOP("core", "The model has no exported program to compile from: {reason}")},
    Template{"search.torchscript_not_compiled",
             QT_TRANSLATE_NOOP("core", "The model has no exported program to compile from; a TorchScript file cannot "
                                       "be compiled.")},
    Template{"search.no_compiler", QT_TRANSLATE_NOOP("core", "No compiler for packages is available here.")},
    Template{"search.no_compiler_because",
             QT_TRANSLATE_NOOP("core", "No compiler for packages is available here: {reason}")},

    // core/study/reasons.h
    Template{"study.budget_spent", QT_TRANSLATE_NOOP("core", "The budget of {budget} was spent.")},
    Template{"study.batch_search_ended",
             QT_TRANSLATE_NOOP("core", "The time for finding the largest batch was spent.")},
    Template{
        "study.largest_batch",
        QT_TRANSLATE_NOOP(
            "core",
            "The first measured configuration ends at batch {batch} ({reason}), so no batch beyond {reach} is tried.")},
    Template{
        "study.too_slow",
        QT_TRANSLATE_NOOP("core", "A pass took {pass}, {ratio} times as long as O0 fp32 takes for as many samples.")},
    Template{"study.not_a_number",
             QT_TRANSLATE_NOOP("core", "The outputs have {count} values that are NaN, or Inf where the reference is "
                                       "not.")},
    Template{"study.batch_out_of_memory",
             QT_TRANSLATE_NOOP("core", "Batch {batch} of this configuration already ran out of memory.")},
    Template{"study.batch_above_limit",
             QT_TRANSLATE_NOOP("core", "Batch {batch} of this configuration used {peak}; the limit is {limit}.")},
    Template{"study.memory_by_layers",
             QT_TRANSLATE_NOOP("core", "Estimated from the layers alone; the engine's own memory is assumed.")},
    Template{"study.memory_by_engine",
             QT_TRANSLATE_NOOP("core", "Estimated from the layers and the engine's own memory on this machine.")},
    Template{"study.memory_by_probe",
             QT_TRANSLATE_NOOP(
                 "core",
                 "Estimated from one measured batch of {configuration}; the layers give the growth with the batch.")},
    Template{
        "study.memory_by_probes",
        QT_TRANSLATE_NOOP("core", "Estimated from the smallest and the largest measured batch of {configuration}.")},
    Template{"study.memory_needs_probes",
             QT_TRANSLATE_NOOP("core", "Measure two batches to calibrate it: `apertune model memory MODEL --probe`.")},
    Template{"study.memory_unchecked",
             QT_TRANSLATE_NOOP("core", "Measure a third batch to see the error of the estimate.")},
    Template{
        "study.memory_error",
        QT_TRANSLATE_NOOP(
            "core", "Its error at {batches} other measured batches was at most {largest}, with a median of {median}.")},
    Template{"study.memory_limit", QT_TRANSLATE_NOOP("core", "The limit is {limit}.")},
    Template{"study.memory_edge", QT_TRANSLATE_NOOP("core", "The limit is {limit}: batches up to about {batch} fit, "
                                                            "and by the upper end of the range those up to {sure}.")},
    Template{"study.memory_unsure_edge",
             QT_TRANSLATE_NOOP("core", "The limit is {limit}: batches up to about {batch} fit; by the upper end of the "
                                       "range, not even batch 1 does.")},
    Template{"study.memory_fits_none",
             QT_TRANSLATE_NOOP("core", "The limit is {limit}; by the estimate, not even batch 1 fits.")},
    Template{"study.device_gone", QT_TRANSLATE_NOOP("core", "The device is no longer in this machine.")},
    Template{"study.no_more_blocks", QT_TRANSLATE_NOOP("core", "The worker returned no more blocks.")},
    Template{"study.beyond_rel_error",
             QT_TRANSLATE_NOOP("core", "Its outputs differ too much from those of O0 fp32: by {error} of the largest "
                                       "value, the goal allows {bound}.")},
    Template{"study.beyond_abs_error",
             QT_TRANSLATE_NOOP("core", "Its outputs differ too much from those of O0 fp32: by {error}, the goal allows "
                                       "{bound}.")},
    Template{
        "study.below_quality_bound",
        QT_TRANSLATE_NOOP(
            "core", "Its outputs agree too little with those of O0 fp32: cosine {cosine}, the goal requires {bound}.")},

    Template{"study.unreadable_answer",
             QT_TRANSLATE_NOOP("core", "The worker's answer is unreadable: {why}. Install worker and program from the "
                                       "same version.")},
    Template{"study.nothing_compiles", QT_TRANSLATE_NOOP("core", "Compiling is not available here.")},
    Template{"study.stays_unconfirmed",
             QT_TRANSLATE_NOOP("core", "The confirmation is skipped: it takes about {needed}, and {left} are left.")},
    Template{"study.confirming",
             QT_TRANSLATE_NOOP("core", "Confirming {winner} against {others}, block by block in fresh processes.")},
    Template{"study.not_compared", QT_TRANSLATE_NOOP("core", "They could not be compared: {reason}")},
    Template{"study.too_few_rounds",
             QT_TRANSLATE_NOOP("core", "The confirmation has no result: the time ended after {rounds} of the {needed} "
                                       "rounds that an interval needs. The machine is slower than it was before, or "
                                       "busy.")},
    Template{"study.too_few_passes",
             QT_TRANSLATE_NOOP("core", "The confirmation had too few passes for the percentile that the goal bounds, "
                                       "so the earlier measurements stay.")},
    Template{"study.not_measured_again",
             QT_TRANSLATE_NOOP("core", "A configuration could not be measured again: {reason}")},
    Template{"study.bad_timers", QT_TRANSLATE_NOOP("core", "{problem} Times measured here may be wrong.")},
    Template{"study.no_reference",
             QT_TRANSLATE_NOOP("core", "No reference outputs at batch {batch} on {device}: {reason}")},
    Template{"study.note", QT_TRANSLATE_NOOP("core", "{configuration}: {note}")},
    Template{"study.timing_passes",
             QT_TRANSLATE_NOOP("core", "Timing {passes} passes of {configuration}: p{percentile} needs them.")},
    Template{"study.few_passes",
             QT_TRANSLATE_NOOP("core", "only {passes} of {needed} passes finished in the available time.")},
    Template{"study.percentile_unknown",
             QT_TRANSLATE_NOOP("core", "The percentile of {configuration} is not known: {reason}")},
    Template{"study.drift_monitoring_stopped", QT_TRANSLATE_NOOP("core", "Drift monitoring stopped: {reason}")},
    Template{"study.not_converted_in_time",
             QT_TRANSLATE_NOOP("core", "The budget ended after {spent} of converting or compiling the model for it.")},
    Template{"study.store_waits",
             QT_TRANSLATE_NOOP("core", "{problem} The study waits until the workspace can be written. {hint}")},
    Template{"study.store_goes_on",
             QT_TRANSLATE_NOOP("core", "The workspace can be written again, and the study goes on after {time}.")},
    Template{"study.gpu_in_use",
             QT_TRANSLATE_NOOP(
                 "core", "Other programs use {device} (processes: {processes}, memory: {memory}, busy for {load} of "
                         "the last second). Times and memory measured there may be wrong; trials that meet "
                         "other programs are flagged shared_gpu.")},
    Template{"study.checking_interference",
             QT_TRANSLATE_NOOP("core", "Checking whether {devices} slow each other down.")},
    Template{"study.devices_undisturbed",
             QT_TRANSLATE_NOOP("core",
                               "{devices} are measured side by side: together they are at most {bound} slower than "
                               "alone ({figures}).")},
    Template{"study.devices_disturbed",
             QT_TRANSLATE_NOOP("core",
                               "The devices are measured one after the other, because they slow each other down by "
                               "more than {bound} ({figures}).")},
    Template{"study.interference_unknown",
             QT_TRANSLATE_NOOP("core", "The devices are measured one after the other, because the check could not tell "
                                       "whether they slow each other down by more than {bound} ({figures}).")},
    Template{"study.interference_unmeasured",
             QT_TRANSLATE_NOOP("core",
                               "{devices} are measured one after the other, because it was not measured whether they "
                               "slow each other down: {reason}")},
    Template{"study.interference_needs_time", QT_TRANSLATE_NOOP("core", "The budget is too short for it.")},
    Template{"study.nothing_to_check_with",
             QT_TRANSLATE_NOOP("core", "{device} has no configuration that runs without compiling.")},
    Template{"study.waiting_for_quiet",
             QT_TRANSLATE_NOOP("core", "Other programs use the processors. Waiting until they are done, for {left} at "
                                       "most.")},
    Template{"study.fewer_threads",
             QT_TRANSLATE_NOOP("core", "Measuring {configuration} with fewer threads: {threads}.")},
    Template{"study.using_rest",
             QT_TRANSLATE_NOOP("core", "{left} of the budget are left. Measuring the nearest configurations that were "
                                       "left out.")},
    Template{"study.passive_waits",
             QT_TRANSLATE_NOOP("core",
                               "Threads that wait for work sleep in this study ({setting}): beside other programs, "
                               "threads that spin would make it many times slower. On a quiet machine it can be "
                               "faster without that.")},
    Template{"study.measuring_noise_floor",
             QT_TRANSLATE_NOOP("core", "Measuring the noise floor: the winner against itself, which shows the smallest "
                                       "difference that can be seen here.")},
    Template{"study.pair_of", QT_TRANSLATE_NOOP("core", "{pair} of {pairs}")},

    // core/sandbox/reasons.h
    Template{"sandbox.no_landlock",
             QT_TRANSLATE_NOOP("core", "This kernel has no Landlock (Linux 5.13), or it is switched off.")},
    Template{"sandbox.old_landlock",
             QT_TRANSLATE_NOOP("core", "Landlock's version here is {version}; from 6 on (Linux 6.12) it also covers "
                                       "signals to other processes.")},
    Template{"sandbox.no_filter", QT_TRANSLATE_NOOP("core", "This kernel has no filter for system calls (seccomp).")},
    Template{"sandbox.other_processor",
             QT_TRANSLATE_NOOP("core", "The filter for system calls is not written for this kind of processor.")},
    Template{"sandbox.sanitizer",
             QT_TRANSLATE_NOOP("core", "This build has a sanitizer, which needs what this layer forbids.")},
    Template{"sandbox.no_namespaces",
             QT_TRANSLATE_NOOP("core", "This system does not let the user make such a namespace ({why}).")},
    Template{"sandbox.nothing_to_give_up",
             QT_TRANSLATE_NOOP("core", "It is not needed: this user has no special rights.")},
    Template{"sandbox.root_has_no_process_limit",
             QT_TRANSLATE_NOOP("core", "The kernel does not limit the number of root's processes.")},

    // core/worker/reasons.h
    Template{"worker.unreadable", QT_TRANSLATE_NOOP("core", "The worker's answers are unreadable: {why}")},
    Template{"worker.closed_output", QT_TRANSLATE_NOOP("core", "The worker closed its output and had to be killed.")},
    Template{"worker.silent",
             QT_TRANSLATE_NOOP("core", "The worker did not respond for {time} (phase: {phase}) and was killed.")},
    Template{"worker.too_long",
             QT_TRANSLATE_NOOP("core", "The worker took longer than {time} (phase: {phase}) and was ended.")},
    Template{"worker.protocol",
             QT_TRANSLATE_NOOP("core", "The worker speaks protocol {worker}, this program {program}. Install both from "
                                       "the same version.")},
    Template{"worker.ended", QT_TRANSLATE_NOOP("core", "The worker has ended already.")},
    Template{"worker.no_reason", QT_TRANSLATE_NOOP("core", "The worker failed and did not say why.")},
    Template{"worker.killed_for_memory",
             QT_TRANSLATE_NOOP("core", "The kernel killed the worker because memory ran out (SIGKILL).")},
    Template{"worker.out_of_memory", QT_TRANSLATE_NOOP("core", "The worker ran out of memory and died ({how}).")},
    Template{
        "worker.killed",
        QT_TRANSLATE_NOOP("core", "The worker was killed by SIGKILL, by another process or because memory ran out.")},
    Template{"worker.crashed", QT_TRANSLATE_NOOP("core", "The worker crashed: {how}.")},
    Template{"worker.exited", QT_TRANSLATE_NOOP("core", "The worker ended by itself: {how}.")},

    // core/advice/reasons.h
    Template{"advice.one_earlier_experiment",
             QT_TRANSLATE_NOOP("core", "1 earlier experiment of this rule gained {bias} of what was predicted.")},
    Template{
        "advice.earlier_experiments",
        QT_TRANSLATE_NOOP("core", "{count} earlier experiments of this rule gained {bias} of what was predicted.")},
    Template{"advice.processors_busy",
             QT_TRANSLATE_NOOP("core", "On average the process kept {count} of these cores busy.")},
    Template{
        "advice.one_thread_works",
        QT_TRANSLATE_NOOP(
            "core", "1 thread works on a processor with {cores} cores; operators that threads share take {share}.")},
    Template{
        "advice.threads_work",
        QT_TRANSLATE_NOOP(
            "core",
            "{threads} threads work on a processor with {cores} cores; operators that threads share take {share}.")},
    Template{"advice.share_of_range", QT_TRANSLATE_NOOP("core", "{share} of the range")},
    Template{"advice.share_of_iteration", QT_TRANSLATE_NOOP("core", "{share} of the iteration")},
    Template{"advice.share_of_section", QT_TRANSLATE_NOOP("core", "{share} of the repeated section")},
    Template{"advice.share_of_recording", QT_TRANSLATE_NOOP("core", "{share} of the recording")},
    Template{"advice.in_the_range", QT_TRANSLATE_NOOP("core", "{count} in the range")},
    Template{"advice.in_the_recording", QT_TRANSLATE_NOOP("core", "{count} in the recording")},
    Template{"advice.an_iteration", QT_TRANSLATE_NOOP("core", "{count} an iteration")},
    Template{"advice.a_section", QT_TRANSLATE_NOOP("core", "{count} a repeated section")},
    Template{"advice.one_iteration", QT_TRANSLATE_NOOP("core", "an iteration")},
    Template{"advice.one_section", QT_TRANSLATE_NOOP("core", "a repeated section")},
    Template{"advice.activity", QT_TRANSLATE_NOOP("core", "{name} ({share})")},
    Template{"advice.called_by", QT_TRANSLATE_NOOP("core", "{name}, called by {caller}")},
    Template{
        "advice.measure_with_and_without",
        QT_TRANSLATE_NOOP(
            "core",
            "Measure with and without it ({change}), everything else equal, in alternating blocks, until the 95 % "
            "interval of the ratio is within ± 1 %, for 60 s at most; the bounds of quality and memory must hold.")},
    Template{"advice.measure_with_and_without_and",
             QT_TRANSLATE_NOOP("core", "Measure with and without it ({change}), everything else equal, in alternating "
                                       "blocks, until the 95 % interval of the ratio is within ± 1 %, for 60 s at "
                                       "most; the bounds of quality and memory must hold. {also}")},
    Template{"advice.the_runtime_s_calls_are",
             QT_TRANSLATE_NOOP(
                 "core", "The runtime's calls are not in the trace. Record them together with the device's work.")},
    Template{"advice.device_idle_title", QT_TRANSLATE_NOOP("core", "The device idles")},
    Template{"advice.enqueue_bound_title",
             QT_TRANSLATE_NOOP("core", "Enqueuing takes nearly as long as running, or longer")},
    Template{"advice.tiny_kernels_title", QT_TRANSLATE_NOOP("core", "Tiny kernels")},
    Template{"advice.pageable_copies_title", QT_TRANSLATE_NOOP("core", "Copies from pageable memory")},
    Template{"advice.blocking_copies_title", QT_TRANSLATE_NOOP("core", "Blocking copies")},
    Template{"advice.waits_in_iteration_title", QT_TRANSLATE_NOOP("core", "Waits within the iteration")},
    Template{"advice.long_gaps_title", QT_TRANSLATE_NOOP("core", "Long gaps")},
    Template{"advice.upload_bound_title", QT_TRANSLATE_NOOP("core", "Bound by copies to the device")},
    Template{"advice.download_bound_title", QT_TRANSLATE_NOOP("core", "Bound by copies to the host")},
    Template{"advice.host_round_trip_title", QT_TRANSLATE_NOOP("core", "A stage that leaves the device")},
    Template{"advice.needless_copies_title", QT_TRANSLATE_NOOP("core", "Copies that are not needed")},
    Template{"advice.device_copies_title", QT_TRANSLATE_NOOP("core", "Copies within the device")},
    Template{"advice.repeated_uploads_title", QT_TRANSLATE_NOOP("core", "Constants copied again")},
    Template{"advice.no_overlap_title", QT_TRANSLATE_NOOP("core", "Copies and kernels do not overlap")},
    Template{"advice.exposed_communication_title", QT_TRANSLATE_NOOP("core", "Communication that is not hidden")},
    Template{"advice.layout_conversions_title", QT_TRANSLATE_NOOP("core", "Layout conversions")},
    Template{"advice.type_conversions_title", QT_TRANSLATE_NOOP("core", "Type conversions")},
    Template{"advice.unfused_batchnorm_title", QT_TRANSLATE_NOOP("core", "Batch normalisation not folded")},
    Template{"advice.unfused_elementwise_title", QT_TRANSLATE_NOOP("core", "Element-wise work not fused")},
    Template{"advice.wide_arithmetic_title", QT_TRANSLATE_NOOP("core", "Arithmetic in wide number formats")},
    Template{"advice.not_steady_title", QT_TRANSLATE_NOOP("core", "Not steady")},
    Template{"advice.allocation_in_loop_title", QT_TRANSLATE_NOOP("core", "Allocation in the loop")},
    Template{"advice.memory_limit_title", QT_TRANSLATE_NOOP("core", "Memory near its limit")},
    Template{"advice.record_again_without_first_calls",
             QT_TRANSLATE_NOOP("core", "Record again after a few passes: the first calls must be gone.")},
    Template{"advice.find_out_why_attention_is_not_fused",
             QT_TRANSLATE_NOOP("core", "scaled_dot_product_attention is called and computes in steps: find out why no "
                                       "fused kernel takes it (mask, data type, head size, dropout).")},
    Template{"advice.unfused_attention_title", QT_TRANSLATE_NOOP("core", "Attention that is not fused")},
    Template{"advice.unaligned_channels_title", QT_TRANSLATE_NOOP("core", "Convolutions of unaligned channels")},
    Template{"advice.held_clock_title", QT_TRANSLATE_NOOP("core", "Clock held down")},
    Template{"advice.slow_iterations_title", QT_TRANSLATE_NOOP("core", "Slow iterations")},
    Template{"advice.image_preparation_title", QT_TRANSLATE_NOOP("core", "Images prepared beside the network")},
    Template{"advice.slow_nms_title", QT_TRANSLATE_NOOP("core", "Slow suppression of boxes")},
    Template{"advice.float_layers_title", QT_TRANSLATE_NOOP("core", "Layers in wide number formats")},
    Template{"advice.noisy_trials_title", QT_TRANSLATE_NOOP("core", "Uncertain times")},
    Template{"advice.batch_past_knee_title", QT_TRANSLATE_NOOP("core", "Batch past the knee")},
    Template{"advice.batch_too_small_title", QT_TRANSLATE_NOOP("core", "Batches too small")},
    Template{"advice.number_overflow_title", QT_TRANSLATE_NOOP("core", "Numbers overflow")},
    Template{"advice.devices_differ_title", QT_TRANSLATE_NOOP("core", "Equal devices differ")},
    Template{"advice.shared_machine_title", QT_TRANSLATE_NOOP("core", "Other programs on the machine")},
    Template{"advice.energy_knee_title", QT_TRANSLATE_NOOP("core", "Less energy at nearly the same speed")},
    Template{"advice.too_many_threads_title", QT_TRANSLATE_NOOP("core", "Too many threads")},
    Template{"advice.compiling_does_not_pay_title", QT_TRANSLATE_NOOP("core", "Compiling does not pay")},
    Template{"advice.precision_does_not_pay_title", QT_TRANSLATE_NOOP("core", "Narrower precision does not pay")},
    Template{"advice.slow_iterations",
             QT_TRANSLATE_NOOP("core", "{count} of {all} iterations took more than {ratio} times the median, which is "
                                       "{median}; the slowest took {longest}. {reason}")},
    Template{"advice.slowest_interrupted", QT_TRANSLATE_NOOP("core", "Other programs had its processor for {time}.")},
    Template{
        "advice.slowest_pauses",
        QT_TRANSLATE_NOOP(
            "core",
            "For {time} of that no operator ran: the program did something else, or another one had its processor.")},
    Template{"advice.slowest_spends", QT_TRANSLATE_NOOP("core", "It spends {time} more than a usual one on {part}.")},
    Template{"advice.slowest_unknown",
             QT_TRANSLATE_NOOP("core", "No single cause takes half of what it takes longer.")},
    Template{"advice.record_on_a_quiet_machine",
             QT_TRANSLATE_NOOP("core", "Record again while nothing else runs on the machine.")},
    Template{"advice.look_at_the_slowest",
             QT_TRANSLATE_NOOP("core", "Look at the slowest iteration on the timeline, beside a usual one.")},
    Template{"advice.no_iteration_may_stand_out",
             QT_TRANSLATE_NOOP("core", "Record again after the change: no iteration may stand out.")},
    Template{"advice.held_clock",
             QT_TRANSLATE_NOOP(
                 "core",
                 "The GPU's clock is held down ({reasons}) for {share}. Other times were measured at another clock.")},
    Template{"advice.held_clock_at",
             QT_TRANSLATE_NOOP("core", "The GPU's clock is held down ({reasons}) for {share}, at {mean} MHz where it "
                                       "reaches {highest} MHz. Other times were measured at another clock.")},
    Template{"advice.cool_or_raise_the_limit",
             QT_TRANSLATE_NOOP("core", "Cool the GPU, or raise its limit of power, where that is allowed; otherwise "
                                       "compare only times of the same clock.")},
    Template{"advice.measure_at_a_free_clock",
             QT_TRANSLATE_NOOP("core", "Record again: the telemetry must not show a clock that is held down.")},
    Template{
        "advice.slow_nms",
        QT_TRANSLATE_NOOP(
            "core",
            "Suppressing overlapping boxes ({name}, {often}) takes {share}, the waits of the device in it included.")},
    Template{"advice.suppress_fewer_boxes",
             QT_TRANSLATE_NOOP("core", "Drop boxes with a low score before the suppression and keep the best of the "
                                       "rest, or suppress boxes of all classes and images in one call on the device.")},
    Template{"advice.by_fewer_boxes", QT_TRANSLATE_NOOP("core", "fewer boxes")},
    Template{"advice.the_boxes_must_stay", QT_TRANSLATE_NOOP("core", "The boxes that remain must be the same.")},
    Template{"advice.image_preparation",
             QT_TRANSLATE_NOOP("core", "Decoding and resizing images ({name}, {often}) takes {share}.")},
    Template{"advice.prepare_images_elsewhere",
             QT_TRANSLATE_NOOP("core", "Prepare the next images in other threads or processes while the network runs, "
                                       "or decode and resize on the device.")},
    Template{"advice.by_prepared_images", QT_TRANSLATE_NOOP("core", "images that were prepared before")},
    Template{"advice.unaligned_channels",
             QT_TRANSLATE_NOOP(
                 "core", "Convolutions whose channels are no multiple of {multiple} take {share} ({often}; the longest "
                         "has {in} channels and makes {out}). Tensor cores read them in groups of that many.")},
    Template{"advice.pad_the_channels",
             QT_TRANSLATE_NOOP("core", "Pad the channels with zeros to the next multiple when the model is loaded, or "
                                       "choose widths that are multiples.")},
    Template{"advice.by_padded_channels", QT_TRANSLATE_NOOP("core", "padded channels")},
    Template{"advice.float_layers",
             QT_TRANSLATE_NOOP("core",
                               "{share} is arithmetic in 32 bits or more, although the trial asks for {precision}.")},
    Template{"advice.by_fewer_bits", QT_TRANSLATE_NOOP("core", "fewer bits")},
    Template{"advice.the_quality_must_hold", QT_TRANSLATE_NOOP("core", "Quality bounds must hold.")},
    Template{"advice.changed_thresholds",
             QT_TRANSLATE_NOOP("core", "Thresholds that differ from their defaults: {thresholds}.")},
    Template{"advice.slow_convolutions_title", QT_TRANSLATE_NOOP("core", "Convolutions that no library runs")},
    Template{"advice.unaligned_products_title", QT_TRANSLATE_NOOP("core", "Matrix products of unaligned sizes")},
    Template{"advice.first_calls_title", QT_TRANSLATE_NOOP("core", "First calls")},
    Template{"advice.because_of_first_calls",
             QT_TRANSLATE_NOOP("core", "code was prepared at its first use (modules, kernels, graphs)")},
    Template{"advice.run_a_few_passes_first",
             QT_TRANSLATE_NOOP("core", "Run a few passes before recording or measuring: modules load and kernels "
                                       "compile at their first call. For a faster start, compile ahead of time.")},
    Template{"advice.first_calls",
             QT_TRANSLATE_NOOP("core", "The device waits {share} for {calls}, the longest of {longest} ({name}): the "
                                       "driver loads a module or compiles.")},
    Template{
        "advice.captures",
        QT_TRANSLATE_NOOP(
            "core",
            "The device waits {share} for {calls}. The longest is the capture of a graph, which takes {longest}.")},
    Template{
        "advice.record_replays",
        QT_TRANSLATE_NOOP("core", "Record passes that replay the graph, after it was captured: a capture runs once.")},
    Template{"advice.part_idle_unknown", QT_TRANSLATE_NOOP("core", "idle time whose cause was not recorded")},
    Template{"advice.one_of_several_devices",
             QT_TRANSLATE_NOOP("core",
                               "{count} devices work in the recording. The verdict is about device {device}, the "
                               "busiest.")},
    Template{"advice.one_first_call", QT_TRANSLATE_NOOP("core", "1 first call")},
    Template{"advice.several_first_calls", QT_TRANSLATE_NOOP("core", "{count} first calls")},
    Template{"advice.part_first_calls",
             QT_TRANSLATE_NOOP("core", "waiting for first calls, which load modules, compile or capture graphs")},
    Template{"advice.warming_up", QT_TRANSLATE_NOOP("core", "Warming up")},
    Template{"advice.only_a_capture",
             QT_TRANSLATE_NOOP("core", "The recording shows how a graph was captured ({count} launches) and next to no "
                                       "execution: record passes that replay the graph.")},
    Template{"advice.held_by_earlier_work",
             QT_TRANSLATE_NOOP("core",
                               "The first {time} are left out here, not in the tables: work had been launched, but "
                               "the device was probably still held by what was launched before the recording "
                               "began.")},
    Template{"advice.launches_not_recorded",
             QT_TRANSLATE_NOOP("core",
                               "The launches of {kernels} ({share}) are not in the recording: they happened before "
                               "it began, or on a thread that was not recorded. These kernels have no operator.")},
    Template{"advice.functions_recorded",
             QT_TRANSLATE_NOOP(
                 "core",
                 "{count} Python functions were recorded. Recording them slows the host, so the shares of launching "
                 "and of the host are upper bounds. Record without stacks (with_stack=False) for exact shares.")},
    Template{"advice.drop_transposes_that_are_copied",
             QT_TRANSLATE_NOOP("core", "Drop transposes and permutations that are copied afterwards (contiguous, "
                                       "reshape), or keep one order of dimensions.")},
    Template{"advice.keep_channels_last_between",
             QT_TRANSLATE_NOOP("core",
                               "The convolutions get their inputs with channels last already. Find the operators "
                               "between them that want or give another layout (the evidence lists the "
                               "conversions), and replace them or give them channels last, too.")},
    Template{"advice.unfused_attention",
             QT_TRANSLATE_NOOP("core",
                               "Attention is computed in steps ({often}): between its two products, scaling, masks "
                               "and softmax take {share}, because each writes its tensor and reads it again.")},
    Template{"advice.use_fused_attention",
             QT_TRANSLATE_NOOP("core", "Call scaled_dot_product_attention in place of product, softmax and product (in "
                                       "Transformers: attn_implementation=\"sdpa\").")},
    Template{"advice.by_fused_attention", QT_TRANSLATE_NOOP("core", "fused attention")},
    Template{"advice.slow_convolutions",
             QT_TRANSLATE_NOOP("core", "PyTorch's own fallback runs convolutions ({often}, {name} above all): {share}. "
                                       "It copies the input into columns and multiplies.")},
    Template{"advice.let_a_library_convolve",
             QT_TRANSLATE_NOOP("core", "Let a library run them (cuDNN or MIOpen on a GPU, oneDNN on a CPU): compute in "
                                       "fp32, bf16 or fp16, and do not switch it off in torch.backends.")},
    Template{"advice.by_a_librarys_convolutions", QT_TRANSLATE_NOOP("core", "a library's convolutions")},
    Template{"advice.unaligned_products",
             QT_TRANSLATE_NOOP("core", "{share} is matrix products that read one or two elements at a time ({kernel} "
                                       "above all), because a size is not a multiple of 4 or 8.")},
    Template{"advice.pad_the_sizes", QT_TRANSLATE_NOOP("core", "Pad the sizes (sequence length, channels, vocabulary) "
                                                               "to multiples of 8 for 16-bit types, of 4 for fp32.")},
    Template{"advice.by_padded_sizes", QT_TRANSLATE_NOOP("core", "padded sizes")},
    Template{"advice.underfilled_device_title", QT_TRANSLATE_NOOP("core", "The device is not filled")},
    Template{"advice.idle_cores_title", QT_TRANSLATE_NOOP("core", "Cores without a thread")},
    Template{"advice.because_host_was_busy", QT_TRANSLATE_NOOP("core", "the host was busy with something else")},
    Template{"advice.because_host_was_busy_in",
             QT_TRANSLATE_NOOP("core", "the host was busy with something else, mostly in {activities}")},
    Template{"advice.because_the_host_could_not_launch",
             QT_TRANSLATE_NOOP("core", "the host could not launch fast enough")},
    Template{"advice.because_compiled_code_launches",
             QT_TRANSLATE_NOOP("core", "compiled code launches its kernels one by one, slower than the device runs "
                                       "them")},
    Template{"advice.because_the_host_had_waited_for",
             QT_TRANSLATE_NOOP("core", "the host had waited for the device and had to feed it again")},
    Template{"advice.because_the_host_was_in_copy", QT_TRANSLATE_NOOP("core", "the host was in copy calls")},
    Template{"advice.because_the_host_allocated_or_released",
             QT_TRANSLATE_NOOP("core", "the host allocated or released memory")},
    Template{"advice.because_work_was_queued_and_held",
             QT_TRANSLATE_NOOP("core", "work was queued and held back on the device")},
    Template{"advice.because_the_cause_was_not_recorded", QT_TRANSLATE_NOOP("core", "the cause was not recorded")},
    Template{"advice.host_pauses",
             QT_TRANSLATE_NOOP("core",
                               "The thread runs no operator for {share} ({often} pauses of over {pause}, the longest "
                               "takes {longest}): it waits, sleeps or runs code that reports no operators.")},
    Template{"advice.host_pauses_in",
             QT_TRANSLATE_NOOP(
                 "core",
                 "The thread runs no operator for {share}, mostly in {activities} ({often} pauses of over {pause}, "
                 "the longest takes {longest}): it waits, sleeps or runs code that reports no operators.")},
    Template{
        "advice.device_idles_mostly",
        QT_TRANSLATE_NOOP(
            "core", "The device works {busy} and idles {idle}, longer than it works; above all, {cause}: {share}.")},
    Template{"advice.device_idles",
             QT_TRANSLATE_NOOP("core", "The device works {busy} and idles {idle}; above all, {cause}: {share}.")},
    Template{"advice.enqueuing_nearly_as_slow",
             QT_TRANSLATE_NOOP("core",
                               "The host needs {host} to enqueue what the device runs in {device} ({unit}): a host "
                               "that is nearly as slow as the device leaves it without work here and there.")},
    Template{"advice.enqueuing_slower",
             QT_TRANSLATE_NOOP("core", "The host needs {host} to enqueue what the device runs in {device} ({unit}).")},
    Template{"advice.operator_calls",
             QT_TRANSLATE_NOOP("core", "Calling operators and passing from one to the next takes {share} ({often}).")},
    Template{"advice.shorter_than_call", QT_TRANSLATE_NOOP("core", "shorter than the call that launches them")},
    Template{"advice.shorter_than_10_us", QT_TRANSLATE_NOOP("core", "shorter than 10 µs")},
    Template{"advice.shorter_than_call_or_10_us",
             QT_TRANSLATE_NOOP("core", "shorter than the call that launches them, or than 10 µs")},
    Template{
        "advice.tiny_kernels",
        QT_TRANSLATE_NOOP("core", "{small} of {kernels} are {how} ({often}); the device waits for launches {share}.")},
    Template{
        "advice.tiny_kernels_and_call",
        QT_TRANSLATE_NOOP(
            "core",
            "{small} of {kernels} are {how} ({often}; median call {call}); the device waits for launches {share}.")},
    Template{"advice.one_long_gap",
             QT_TRANSLATE_NOOP("core", "1 gap longer than {limit} takes {share}; above all, {cause}.")},
    Template{"advice.long_gaps",
             QT_TRANSLATE_NOOP("core", "{count} gaps longer than {limit} take {share}; above all, {cause}.")},
    Template{"advice.underfilled",
             QT_TRANSLATE_NOOP("core", "Weighted by time, the kernels that compute fill {fill} of the device: {share} "
                                       "goes to multiprocessors without work.")},
    Template{"advice.one_device_allocation",
             QT_TRANSLATE_NOOP("core", "1 call allocates or releases device or pinned memory in the steady loop "
                                       "({often}); they take the host {time} and leave the device idle {idle}.")},
    Template{"advice.device_allocations",
             QT_TRANSLATE_NOOP("core", "{count} calls allocate or release device or pinned memory in the steady loop "
                                       "({often}); they take the host {time} and leave the device idle {idle}.")},
    Template{"advice.bytes_an_iteration", QT_TRANSLATE_NOOP("core", "{bytes} an iteration")},
    Template{"advice.bytes_a_section", QT_TRANSLATE_NOOP("core", "{bytes} a repeated section")},
    Template{"advice.bytes_in_all", QT_TRANSLATE_NOOP("core", "{bytes} in all")},
    Template{"advice.host_allocation_bytes",
             QT_TRANSLATE_NOOP(
                 "core", "Allocating and clearing fresh memory takes {share} ({often}); {amount} are allocated.")},
    Template{"advice.host_allocation_blocks",
             QT_TRANSLATE_NOOP("core",
                               "Allocating and clearing fresh memory takes {share} ({often}); {amount} are "
                               "allocated, {blocks} of 32 MiB or more, which the system maps afresh each time.")},
    Template{"advice.host_allocation",
             QT_TRANSLATE_NOOP("core", "Allocating and clearing fresh memory takes {share} ({often}).")},
    Template{"advice.peak_near_limit",
             QT_TRANSLATE_NOOP("core", "The peak of {peak} is {share} of the device's memory.")},
    Template{
        "advice.peak_near_limit_held",
        QT_TRANSLATE_NOOP("core", "The peak of {peak} is {share} of the device's memory; {name} holds {bytes} of it.")},
    Template{"advice.memory_reserved",
             QT_TRANSLATE_NOOP("core", "At the peak {times} times as much is reserved as used, {wasted} for nothing.")},
    Template{"advice.memory_reserved_held",
             QT_TRANSLATE_NOOP("core", "At the peak {times} times as much is reserved as used, {wasted} for nothing; "
                                       "{name} holds {bytes} of it.")},
    Template{"advice.layout_conversions",
             QT_TRANSLATE_NOOP("core", "Conversions between memory layouts take {share} ({often}).")},
    Template{"advice.type_conversions", QT_TRANSLATE_NOOP("core", "Conversions between types take {share} ({often}).")},
    Template{"advice.type_conversions_from_to",
             QT_TRANSLATE_NOOP("core",
                               "Conversions between types take {share} ({often}), mostly from {source} to {target}.")},
    Template{"advice.the_conversions_must_be_gone", QT_TRANSLATE_NOOP("core", "The conversions must be gone.")},
    Template{"advice.by_the_change", QT_TRANSLATE_NOOP("core", "the change")},
    Template{
        "advice.one_layout_for_all_channels",
        QT_TRANSLATE_NOOP("core", "One layout for all: channels last for weights and inputs, or for none of them.")},
    Template{
        "advice.batch_norm",
        QT_TRANSLATE_NOOP(
            "core",
            "Batch normalisation runs on its own ({often}, {share}); in inference it folds into the convolution before "
            "it. Its own reads and writes are in that time; what its neighbours gain by them is not predicted.")},
    Template{"advice.elementwise",
             QT_TRANSLATE_NOOP("core", "Element-wise work takes {share} ({often}), {chained} of it right after another "
                                       "one: each reads and writes its tensor again.")},
    Template{"advice.arithmetic_64_bits", QT_TRANSLATE_NOOP("core", "{share} is arithmetic in 64 bits.")},
    Template{"advice.arithmetic_fp32",
             QT_TRANSLATE_NOOP("core", "{share} is arithmetic in fp32 outside of tensor cores.")},
    Template{
        "advice.find_out_why_these_layers",
        QT_TRANSLATE_NOOP("core", "Find out why these layers run in fp32 although the trial asks for fewer bits.")},
    Template{"advice.use_fp16", QT_TRANSLATE_NOOP("core", "Use fp16 where the quality bound allows it.")},
    Template{"advice.use_bf16_or_fp16_where",
             QT_TRANSLATE_NOOP("core", "Use bf16 or fp16 where the quality bound allows it.")},
    Template{"advice.iterations_get_faster",
             QT_TRANSLATE_NOOP("core", "The iterations get faster over the recording: the second half takes {drift} "
                                       "less than the first. No number here is of a steady state.")},
    Template{"advice.iterations_get_slower",
             QT_TRANSLATE_NOOP("core", "The iterations get slower over the recording: the second half takes {drift} "
                                       "more than the first. No number here is of a steady state.")},
    Template{"advice.repeated_sections_get_faster",
             QT_TRANSLATE_NOOP("core", "The repeated sections get faster over the recording: the second half takes "
                                       "{drift} less than the first. No number here is of a steady state.")},
    Template{"advice.repeated_sections_get_slower",
             QT_TRANSLATE_NOOP("core", "The repeated sections get slower over the recording: the second half takes "
                                       "{drift} more than the first. No number here is of a steady state.")},
    Template{"advice.mostly_from", QT_TRANSLATE_NOOP("core", "{copies}, mostly from {name}")},
    Template{"advice.main_origin_of_copies",
             QT_TRANSLATE_NOOP("core", "{name} causes the largest part of the copies' time.")},
    Template{"advice.copies_to_device",
             QT_TRANSLATE_NOOP("core",
                               "Copies to the device take {share}, {exposed} of it with no kernel running ({often}).")},
    Template{"advice.copies_to_host",
             QT_TRANSLATE_NOOP("core",
                               "Copies to the host take {share}, {exposed} of it with no kernel running ({often}).")},
    Template{"advice.copies_with_bytes_each", QT_TRANSLATE_NOOP("core", "{often}, {bytes} in each")},
    Template{"advice.copies_with_bytes", QT_TRANSLATE_NOOP("core", "{often}, {bytes} in all")},
    Template{"advice.one_pageable_copy",
             QT_TRANSLATE_NOOP("core", "1 copy from or to pageable memory takes {share} with no kernel running.")},
    Template{
        "advice.one_pageable_copy_at_rate",
        QT_TRANSLATE_NOOP(
            "core", "1 copy from or to pageable memory runs at {rate} GB/s and takes {share} with no kernel running.")},
    Template{
        "advice.pageable_copies",
        QT_TRANSLATE_NOOP("core", "{count} copies from or to pageable memory take {share} with no kernel running.")},
    Template{
        "advice.pageable_copies_at_rate",
        QT_TRANSLATE_NOOP(
            "core",
            "{count} copies from or to pageable memory run at {rate} GB/s and take {share} with no kernel running.")},
    Template{"advice.one_blocking_copy",
             QT_TRANSLATE_NOOP("core", "1 blocking copy or fill keeps the host for {share} ({often}).")},
    Template{"advice.blocking_copies",
             QT_TRANSLATE_NOOP("core", "{count} blocking copies and fills keep the host for {share} ({often}).")},
    Template{
        "advice.round_trip",
        QT_TRANSLATE_NOOP(
            "core", "A stage leaves the device: {bytes} go to the host and as many come back ({often}), {share}.")},
    Template{"advice.tensor_copies", QT_TRANSLATE_NOOP("core", "Copying tensors takes {share} ({often}).")},
    Template{"advice.device_copies",
             QT_TRANSLATE_NOOP(
                 "core",
                 "Copies from the device's memory to the same memory take {share} with no kernel running ({often}).")},
    Template{
        "advice.iteration_copies_more",
        QT_TRANSLATE_NOOP(
            "core",
            "An iteration makes {copies} copies more than the model has inputs and outputs ({inputs} and {outputs}).")},
    Template{"advice.section_copies_more",
             QT_TRANSLATE_NOOP("core", "A repeated section makes {copies} copies more than the model has inputs and "
                                       "outputs ({inputs} and {outputs}).")},
    Template{"advice.iteration_copies_more_than_one_each",
             QT_TRANSLATE_NOOP("core", "An iteration makes {copies} copies more than one input and one output need. "
                                       "How many the model has was not recorded.")},
    Template{"advice.section_copies_more_than_one_each",
             QT_TRANSLATE_NOOP("core", "A repeated section makes {copies} copies more than one input and one output "
                                       "need. How many the model has was not recorded.")},
    Template{"advice.uploads_in_every_iteration",
             QT_TRANSLATE_NOOP("core", "{copies} beside the input goes to the device with the same size in every "
                                       "iteration ({bytes} and so on): constants may be sent again and again. An "
                                       "estimate by size alone: what the copies held was not recorded.")},
    Template{"advice.uploads_in_every_section",
             QT_TRANSLATE_NOOP("core", "{copies} beside the input goes to the device with the same size in every "
                                       "repeated section ({bytes} and so on): constants may be sent again and again. "
                                       "An estimate by size alone: what the copies held was not recorded.")},
    Template{"advice.no_overlap",
             QT_TRANSLATE_NOOP("core", "Copies ({copies}) and kernels ({kernels}) hardly run at the same time: "
                                       "{overlap} of the shorter one is hidden.")},
    Template{"advice.start_the_exchange_of_the",
             QT_TRANSLATE_NOOP(
                 "core",
                 "Start the exchange of the next batch while this one is computed, and balance what the ranks send.")},
    Template{"advice.prefetch_shards_while_the_layer",
             QT_TRANSLATE_NOOP("core", "Prefetch shards while the layer before is computed (backward_prefetch and "
                                       "forward_prefetch of FullyShardedDataParallel), or shard over fewer ranks.")},
    Template{"advice.let_gradients_leave_while_the",
             QT_TRANSLATE_NOOP(
                 "core",
                 "Let gradients leave while the backward pass runs: larger or smaller buckets (bucket_cap_mb, "
                 "gradient_as_bucket_view of DistributedDataParallel), a 16-bit compression hook, fewer reductions.")},
    Template{"advice.split_a_model_over_fewer",
             QT_TRANSLATE_NOOP("core", "Split a model over fewer devices, fuse collectives with the work around "
                                       "them, or run two half batches so that one computes while the other "
                                       "communicates.")},
    Template{"advice.collectives",
             QT_TRANSLATE_NOOP(
                 "core", "Collectives run for {share} while nothing computes ({often}, above all {kernel}); {hidden} "
                         "of their time is hidden. One rank cannot show whether they send or wait for a slower rank.")},
    Template{"advice.collectives_moving",
             QT_TRANSLATE_NOOP(
                 "core",
                 "Collectives run for {share} while nothing computes ({often}); {hidden} of their time is hidden. "
                 "Above all it is {name} of {bytes} over {ranks} ranks, whose fastest call moved {bandwidth} GB/s "
                 "over the busiest link. One rank cannot show whether they send or wait for a slower rank.")},
    Template{"advice.join_small_messages",
             QT_TRANSLATE_NOOP("core",
                               "{share} of their time is in messages of less than {limit}, which pay for their "
                               "start and not for their size: join them in larger buckets or coalesce the calls.")},
    Template{"advice.record_all_ranks",
             QT_TRANSLATE_NOOP("core",
                               "Record all ranks first and compare them (apertune trace import FOLDER, then apertune "
                               "trace ranks): a collective takes as long as on the rank where it is shortest, and what "
                               "is more elsewhere is waiting, for which the work must be balanced. {remedy}")},
    Template{"advice.host_waits_and_reads",
             QT_TRANSLATE_NOOP("core", "Before all is launched, the host waits for the device ({waits}) and reads "
                                       "single numbers back ({readings}); the device has no work for {share}.")},
    Template{"advice.host_could_run_ahead",
             QT_TRANSLATE_NOOP("core", "Without these waits the host would launch ahead of the device: a replay of the "
                                       "dependencies takes {share} less.")},
    Template{
        "advice.host_waits",
        QT_TRANSLATE_NOOP(
            "core",
            "Before all is launched, the host waits for the device ({waits}); the device has no work for {share}.")},
    Template{"advice.use_threads", QT_TRANSLATE_NOOP("core", "Use {threads} threads (--threads {threads}).")},
    Template{"advice.threads_and", QT_TRANSLATE_NOOP("core", "threads {one} and {other}")},
    Template{"advice.the_busy_share_must_rise", QT_TRANSLATE_NOOP("core", "The busy share must rise.")},
    Template{"advice.by_fewer_launches", QT_TRANSLATE_NOOP("core", "fewer launches")},
    Template{"advice.by_a_larger_batch", QT_TRANSLATE_NOOP("core", "a larger batch")},
    Template{"advice.the_number_of_launches_must", QT_TRANSLATE_NOOP("core", "The number of launches must fall.")},
    Template{"advice.the_gaps_must_go", QT_TRANSLATE_NOOP("core", "The gaps must go.")},
    Template{"advice.the_pauses_must_go", QT_TRANSLATE_NOOP("core", "The pauses must go.")},
    Template{"advice.by_a_larger_batch_per_sample", QT_TRANSLATE_NOOP("core", "a larger batch, per sample")},
    Template{"advice.grid_sizes_or_the_device",
             QT_TRANSLATE_NOOP("core", "Grid sizes or the device's limits are not in the trace. Record kernels with a "
                                       "recorder that stores both.")},
    Template{"advice.allocate_before_the_loop_and",
             QT_TRANSLATE_NOOP("core", "Allocate before the loop and use the same buffers again.")},
    Template{"advice.run_fewer_larger_operators_raise",
             QT_TRANSLATE_NOOP("core", "Run fewer, larger operators; raise the batch.")},
    Template{"advice.queue_the_next_pass",
             QT_TRANSLATE_NOOP("core", "Queue the next pass before the result of this one is waited for, or raise the "
                                       "batch.")},
    Template{"advice.wait_once_at_the_end",
             QT_TRANSLATE_NOOP("core", "Wait once at the end of a pass, not within it.")},
    Template{"advice.copy_asynchronously_from_pinned_memory",
             QT_TRANSLATE_NOOP("core", "Copy asynchronously from pinned memory on a stream of its own.")},
    Template{"advice.look_at_the_gap_in", QT_TRANSLATE_NOOP("core", "Look at the gap in the timeline.")},
    Template{"advice.record_with_stacks_with_stack_or",
             QT_TRANSLATE_NOOP("core", "Record with stacks (with_stack), or mark parts of the program with ranges, "
                                       "to see what runs there; move it out of the loop or to another thread.")},
    Template{"advice.raise_the_batch_or_run",
             QT_TRANSLATE_NOOP("core", "Raise the batch, or run two to four streams.")},
    Template{"advice.by_buffers_that_stay", QT_TRANSLATE_NOOP("core", "buffers that stay")},
    Template{"advice.the_bytes_allocated_must_fall", QT_TRANSLATE_NOOP("core", "The bytes allocated must fall.")},
    Template{"advice.the_count_must_be_0", QT_TRANSLATE_NOOP("core", "The count must be 0.")},
    Template{"advice.measure_the_peak_again", QT_TRANSLATE_NOOP("core", "Measure the peak again.")},
    Template{
        "advice.allocations_are_not_in_the",
        QT_TRANSLATE_NOOP(
            "core", "Allocations are not in the trace. Record memory events to see peak, owners and fragmentation.")},
    Template{
        "advice.how_many_threads_ran_on",
        QT_TRANSLATE_NOOP(
            "core", "How many threads ran on how many cores is not in the trace. Trace a trial of the workspace.")},
    Template{
        "advice.allocate_before_the_loop_keep",
        QT_TRANSLATE_NOOP("core", "Allocate before the loop, keep the caching allocator on, and drop empty_cache.")},
    Template{"advice.allocate_scratch_tensors_once_outside",
             QT_TRANSLATE_NOOP("core", "Allocate scratch tensors once, outside of the pass.")},
    Template{"advice.lower_the_batch_or_slice",
             QT_TRANSLATE_NOOP("core", "Lower the batch, or slice the largest layer.")},
    Template{
        "advice.allocate_in_fewer_sizes_expandable",
        QT_TRANSLATE_NOOP("core", "Allocate in fewer sizes (expandable segments), or warm up with the largest input.")},
    Template{"advice.by_folding", QT_TRANSLATE_NOOP("core", "folding")},
    Template{"advice.no_batch_normalisation_may_be",
             QT_TRANSLATE_NOOP("core", "No batch normalisation may be left and the outputs must stay close.")},
    Template{"advice.by_fusion", QT_TRANSLATE_NOOP("core", "fusion")},
    Template{"advice.the_number_of_element_wise",
             QT_TRANSLATE_NOOP("core", "The number of element-wise pieces must fall.")},
    Template{"advice.by_16_bits", QT_TRANSLATE_NOOP("core", "16 bits")},
    Template{"advice.quality_bounds_must_hold_and",
             QT_TRANSLATE_NOOP("core", "Quality bounds must hold, and the kernels must name tensor cores.")},
    Template{"advice.by_32_bits", QT_TRANSLATE_NOOP("core", "32 bits")},
    Template{"advice.no_operator_may_be_left",
             QT_TRANSLATE_NOOP("core", "No operator may be left with inputs of 64 bits.")},
    Template{"advice.trace_again_after_a_longer",
             QT_TRANSLATE_NOOP("core", "Trace again after a longer warm-up: the trend must be gone.")},
    Template{"advice.fold_it_into_the_weights", QT_TRANSLATE_NOOP("core", "Fold it into the weights (freeze).")},
    Template{"advice.fuse_the_chains", QT_TRANSLATE_NOOP("core", "Fuse the chains.")},
    Template{"advice.use_the_device_s_faster",
             QT_TRANSLATE_NOOP("core", "Use the device's faster arithmetic, or bf16 or fp16.")},
    Template{"advice.use_32_bits_or_fewer",
             QT_TRANSLATE_NOOP(
                 "core", "Use 32 bits or fewer: a constant or an input of 64 bits makes all that follows as wide.")},
    Template{"advice.warm_up_longer_before_tracing",
             QT_TRANSLATE_NOOP("core", "Warm up longer before tracing; look at clocks and temperature when it gets "
                                       "slower.")},
    Template{"advice.widen_the_16_bit_region",
             QT_TRANSLATE_NOOP("core", "Widen the 16-bit region, and convert weights once when loading (freeze).")},
    Template{"advice.the_bytes_copied_must_fall",
             QT_TRANSLATE_NOOP("core", "The bytes copied must fall, or the copies hide behind kernels.")},
    Template{"advice.by_pinned_buffers", QT_TRANSLATE_NOOP("core", "pinned buffers")},
    Template{"advice.the_achieved_gb_s_must", QT_TRANSLATE_NOOP("core", "The achieved GB/s must rise.")},
    Template{"advice.by_asynchronous_copies", QT_TRANSLATE_NOOP("core", "asynchronous copies")},
    Template{"advice.by_the_stage_on_the_device", QT_TRANSLATE_NOOP("core", "the stage on the device")},
    Template{"advice.the_pair_must_be_gone", QT_TRANSLATE_NOOP("core", "The pair must be gone from the ledger.")},
    Template{"advice.by_removing_the_copies", QT_TRANSLATE_NOOP("core", "removing the copies")},
    Template{"advice.the_number_of_copies_must", QT_TRANSLATE_NOOP("core", "The number of copies must fall.")},
    Template{"advice.by_removing_the_extra_copies", QT_TRANSLATE_NOOP("core", "removing the extra copies")},
    Template{"advice.the_ledger_must_show_inputs",
             QT_TRANSLATE_NOOP("core", "The ledger must show inputs and outputs only.")},
    Template{"advice.by_constants_kept_on_the_device", QT_TRANSLATE_NOOP("core", "constants kept on the device")},
    Template{"advice.the_bytes_copied_must_fall_again", QT_TRANSLATE_NOOP("core", "The bytes copied must fall.")},
    Template{"advice.by_prefetch_of_one_and_of", QT_TRANSLATE_NOOP("core", "prefetch of one and of two inputs")},
    Template{"advice.the_overlap_must_rise", QT_TRANSLATE_NOOP("core", "The overlap must rise.")},
    Template{"advice.by_the_change_on_all_ranks", QT_TRANSLATE_NOOP("core", "the change, on all ranks")},
    Template{"advice.the_time_of_collectives_with",
             QT_TRANSLATE_NOOP("core", "The time of collectives with no computation must fall.")},
    Template{"advice.by_removing_the_waits", QT_TRANSLATE_NOOP("core", "removing the waits")},
    Template{"advice.their_number_must_fall", QT_TRANSLATE_NOOP("core", "Their number must fall.")},
    Template{"advice.the_recorder_does_not_tell",
             QT_TRANSLATE_NOOP(
                 "core", "The recorder does not distinguish pageable from pinned memory. Record copies with CUPTI.")},
    Template{"advice.drop_clones_write_results_in",
             QT_TRANSLATE_NOOP("core", "Drop clones, write results in place, preallocate concatenations.")},
    Template{"advice.copy_from_pinned_host_memory",
             QT_TRANSLATE_NOOP("core", "Copy from pinned host memory (pin_memory, cudaHostAlloc), asynchronously.")},
    Template{"advice.use_the_asynchronous_variant_on",
             QT_TRANSLATE_NOOP("core", "Use the asynchronous variant on a stream, from pinned memory.")},
    Template{"advice.keep_that_stage_on_the", QT_TRANSLATE_NOOP("core", "Keep that stage on the device.")},
    Template{"advice.keep_on_the_device_what",
             QT_TRANSLATE_NOOP("core", "Keep on the device what is used again; fetch results in one piece.")},
    Template{"advice.send_constants_once_and_keep",
             QT_TRANSLATE_NOOP("core", "Send constants once and keep them on the device.")},
    Template{"advice.prefetch_the_next_input_on",
             QT_TRANSLATE_NOOP("core", "Prefetch the next input on a second stream while this one is computed.")},
    Template{"advice.wait_once_at_the_end_keep",
             QT_TRANSLATE_NOOP("core", "Wait once at the end; keep decisions on the device instead of reading "
                                       "numbers back.")},
    Template{"advice.send_8_bit_pixels_and",
             QT_TRANSLATE_NOOP("core", "Send 8-bit pixels and normalise on the device (a quarter of the bytes), and "
                                       "copy the next input while this one is computed.")},
    Template{"advice.send_fewer_bytes_and",
             QT_TRANSLATE_NOOP("core", "Send fewer bytes (a narrower type, only what is used), and copy the next input "
                                       "while this one is computed.")},
    Template{"advice.reduce_on_the_device_arg",
             QT_TRANSLATE_NOOP("core", "Reduce on the device (arg-max, NMS) and fetch only what is needed.")},
    Template{"advice.load_in_more_worker_processes",
             QT_TRANSLATE_NOOP("core", "Load in more worker processes and ahead of the loop (num_workers, "
                                       "prefetch_factor, pin_memory of the DataLoader).")},
    Template{
        "advice.move_what_the_host_does",
        QT_TRANSLATE_NOOP(
            "core", "Move what the host does while the device waits to another thread, or prefetch the next input.")},
    Template{"advice.move_it_out_of_the_loop",
             QT_TRANSLATE_NOOP("core", "Move that work out of the loop, or ahead of it to another thread or process.")},
    Template{"advice.replay_compiled_code_as_graphs",
             QT_TRANSLATE_NOOP("core", "Replay the compiled code as CUDA graphs (mode=\"reduce-overhead\").")},
    Template{"advice.launch_the_work_as_one_graph",
             QT_TRANSLATE_NOOP("core", "Launch the work as one graph, or fuse it into fewer kernels.")},
    Template{"advice.fuse_operators_or_raise_the", QT_TRANSLATE_NOOP("core", "Fuse operators, or raise the batch.")},
    Template{"advice.fuse_what_follows_each_other", QT_TRANSLATE_NOOP("core", "Fuse what follows each other.")},
    Template{"advice.use_the_device_s_faster_arithmetic",
             QT_TRANSLATE_NOOP("core", "Use the device's faster arithmetic.")},
    Template{"advice.use_the_library_s_own", QT_TRANSLATE_NOOP("core", "Use the library's own weight layouts.")},
    Template{"advice.copy_from_pinned_memory_on",
             QT_TRANSLATE_NOOP("core", "Copy from pinned memory on a stream of its own, and only what is needed.")},
    Template{"advice.use_a_16_bit_precision", QT_TRANSLATE_NOOP("core", "Use a 16-bit precision: half the bytes.")},
    Template{"advice.part_compute", QT_TRANSLATE_NOOP("core", "arithmetic (convolutions, matrix products)")},
    Template{"advice.part_memory_device", QT_TRANSLATE_NOOP("core", "moving data within the device")},
    Template{"advice.part_memory", QT_TRANSLATE_NOOP("core", "moving data through memory")},
    Template{"advice.part_launch_device", QT_TRANSLATE_NOOP("core", "waiting for launches")},
    Template{"advice.part_launch", QT_TRANSLATE_NOOP("core", "calling operators rather than running them")},
    Template{"advice.part_host", QT_TRANSLATE_NOOP("core", "time outside of any operator")},
    Template{"advice.part_host_in", QT_TRANSLATE_NOOP("core", "time outside of any operator, mostly in {activities}")},
    Template{"advice.part_transfer", QT_TRANSLATE_NOOP("core", "copies between host and device that are not hidden")},
    Template{"advice.part_communication",
             QT_TRANSLATE_NOOP("core", "collectives that no computation hides (sending, or waiting for another rank: "
                                       "one rank cannot tell)")},
    Template{"advice.part_synchronization", QT_TRANSLATE_NOOP("core", "idle because the host waited")},
    Template{"advice.part_allocation_device", QT_TRANSLATE_NOOP("core", "waiting for allocations")},
    Template{"advice.part_allocation", QT_TRANSLATE_NOOP("core", "allocating and clearing memory")},
    Template{"advice.part_other", QT_TRANSLATE_NOOP("core", "work of unknown kind")},
    Template{"advice.part_host_device", QT_TRANSLATE_NOOP("core", "waiting for a host that does something else")},
    Template{"advice.part_host_device_in",
             QT_TRANSLATE_NOOP("core", "waiting for a host that does something else, mostly in {activities}")},
    Template{"advice.named_as_overhead",
             QT_TRANSLATE_NOOP("core", "It is named although it is not the largest part, because it is overhead: the "
                                       "larger part is the work itself.")},
    Template{"advice.larger_not_recorded",
             QT_TRANSLATE_NOOP("core",
                               "The larger part is of a kind that was not recorded, so the verdict does not name it.")},
    Template{
        "advice.larger_usual_on_cpu",
        QT_TRANSLATE_NOOP("core", "On a CPU the larger part is usual up to {share}, so the verdict does not name it.")},
    Template{"advice.fused_code", QT_TRANSLATE_NOOP("core", "fused or compiled code that reports no operators")},
    Template{"advice.fused_code_group",
             QT_TRANSLATE_NOOP("core", "fused or compiled code that reports no operators (1 group: {names})")},
    Template{"advice.fused_code_groups",
             QT_TRANSLATE_NOOP("core", "fused or compiled code that reports no operators ({count} groups: {names})")},
    Template{"advice.fused_code_unnamed", QT_TRANSLATE_NOOP("core", "{code}, most of it without a name")},
    Template{"advice.fused_compute",
             QT_TRANSLATE_NOOP("core", "{share} runs in {code}: the model's arithmetic in it runs at {rate}, "
                                       "{efficiency} of what the machine's matrix products reach.")},
    Template{"advice.fused_memory", QT_TRANSLATE_NOOP("core", "{share} runs in {code}: reading the model's weights "
                                                              "alone takes {efficiency} of the machine's copy rate.")},
    Template{
        "advice.fused_latency",
        QT_TRANSLATE_NOOP(
            "core",
            "{share} runs in {code}: the model's arithmetic in it runs at {rate}, far below what the machine reaches "
            "in products and copies. Trace the same model without fusion (O0) to see what it is made of.")},
    Template{
        "advice.fused_unknown",
        QT_TRANSLATE_NOOP(
            "core", "{share} runs in {code}: trace the same model without fusion (O0) to see what it is made of.")},
    Template{"advice.fused_uncounted",
             QT_TRANSLATE_NOOP("core", "{share} runs in {code}: trace the same model without fusion (O0) to see what "
                                       "it is made of, or a trial whose model's arithmetic is counted.")},
    Template{"advice.fused_no_ceilings",
             QT_TRANSLATE_NOOP(
                 "core",
                 "{share} runs in {code}: trace the same model without fusion (O0) to see what it is made of, or "
                 "measure the machine's ceilings (apertune device ceilings) to separate arithmetic from traffic.")},
    Template{"advice.one_kernel_lost",
             QT_TRANSLATE_NOOP("core", "1 kernel was launched and none recorded: record kernels and copies (activity "
                                       "tracing) in the same run.")},
    Template{"advice.kernels_lost",
             QT_TRANSLATE_NOOP("core", "{launched} kernels were launched and none recorded: record kernels and "
                                       "copies (activity tracing) in the same run.")},
    Template{"advice.kernels_partly_lost",
             QT_TRANSLATE_NOOP("core", "{launched} kernels were launched and {recorded} recorded: record kernels and "
                                       "copies (activity tracing) in the same run.")},
    Template{"advice.counter_pass",
             QT_TRANSLATE_NOOP("core", "This is a pass for hardware counters, which runs each kernel on its own; its "
                                       "times say nothing about the program. Trace the program in a run without "
                                       "counters.")},
    Template{"advice.no_work",
             QT_TRANSLATE_NOOP("core", "There is neither device work nor an operator in the trace: record kernels, "
                                       "copies and the runtime's calls, or the framework's operators.")},
    Template{"advice.one_piece",
             QT_TRANSLATE_NOOP("core", "There is only 1 piece of work: record ten iterations or more.")},
    Template{"advice.few_pieces",
             QT_TRANSLATE_NOOP("core",
                               "There is too little work to tell (pieces: {count}): record ten iterations or more.")},
    Template{"advice.records_missing",
             QT_TRANSLATE_NOOP("core", "Records are missing ({loss}): trace again with larger buffers or fewer "
                                       "iterations.")},
    Template{"advice.idle_unrecorded",
             QT_TRANSLATE_NOOP("core", "The device idles {share} and the calls that ended the idle times were not "
                                       "recorded: record the runtime's calls.")},
    Template{"advice.nothing_repeats",
             QT_TRANSLATE_NOOP("core", "Nothing repeats and {share} is allocation, as at the start of any program: "
                                       "record ten passes after a warm-up.")},
    Template{"advice.held_back",
             QT_TRANSLATE_NOOP("core", "The device idles {share} although work was launched, and what held it back was "
                                       "not recorded: record all streams and processes of the device and the waits of "
                                       "its streams, from before the work that it waits for.")},
    Template{"advice.unknown_sort",
             QT_TRANSLATE_NOOP(
                 "core", "{share} is work whose name does not show its kind: record operators with their shapes.")},
    Template{"advice.one_interruption",
             QT_TRANSLATE_NOOP("core", "Trace on a quieter machine: 1 call or pause took over three times as long as "
                                       "in the other iterations, for {share} of the recording, as when other work "
                                       "has the processor. What is over its usual time is in no share.")},
    Template{"advice.interruptions",
             QT_TRANSLATE_NOOP("core", "Trace on a quieter machine: {times} calls and pauses took over three times as "
                                       "long as in the other iterations, for {share} of the recording, as when other "
                                       "work has the processor. What is over their usual time is in no share.")},
    Template{"advice.no_iteration",
             QT_TRANSLATE_NOOP("core", "No iteration was recognised; shares are of the whole recording. Trace ten or "
                                       "more passes. Mark passes with ranges (record_function, NVTX) or with the "
                                       "profiler's step().")},
    Template{"advice.unmarked_iterations",
             QT_TRANSLATE_NOOP("core", "No iteration is marked in the recording. Shares are of a section of the work "
                                       "that repeats {times} times; it may be a layer, a loop or a whole pass. Mark "
                                       "passes with ranges (record_function, NVTX) or with the profiler's step().")},
    Template{"advice.single_iteration",
             QT_TRANSLATE_NOOP("core", "One iteration was recorded: nothing shows how much iterations vary. Record "
                                       "ten or more.")},
    Template{"advice.no_ceilings",
             QT_TRANSLATE_NOOP(
                 "core", "The machine's ceilings are not known: arithmetic and traffic are distinguished by name.")},
    Template{"advice.data_sheet_ceilings",
             QT_TRANSLATE_NOOP("core", "The ceilings of this machine were not measured. Those of the {source} are "
                                       "used; programs reach about 70 to 90 % of them.")},
    Template{
        "advice.no_shapes",
        QT_TRANSLATE_NOOP("core", "No input shapes were recorded: arithmetic and traffic are distinguished by name.")},
    Template{"advice.cannot_tell", QT_TRANSLATE_NOOP("core", "Cannot tell. {needs}")},
    Template{"advice.traffic_format",
             QT_TRANSLATE_NOOP("core", "What {share} of the traffic computes in is not recorded, so nothing is said "
                                       "of precision: record operators with their shapes and types (record_shapes).")},
    Template{"advice.arithmetic_format",
             QT_TRANSLATE_NOOP("core", "What {share} of the arithmetic computes in is not recorded, so nothing is "
                                       "said of precision: record operators with their shapes and types "
                                       "(record_shapes).")},
    Template{"advice.part", QT_TRANSLATE_NOOP("core", "{share} is {phrase}")},
    Template{"advice.balanced_device",
             QT_TRANSLATE_NOOP("core", "Balanced: of the time of the device, {compute} and {memory}. Neither rules "
                                       "the other (arithmetic from 70 % of the two on, moving data from 60 %), and "
                                       "no overhead is large enough to name.")},
    Template{"advice.balanced_thread",
             QT_TRANSLATE_NOOP("core", "Balanced: of the time of the thread, {compute} and {memory}. Neither rules "
                                       "the other (arithmetic from 70 % of the two on, moving data from 60 %), and "
                                       "no overhead is large enough to name.")},
    Template{"advice.bound_device", QT_TRANSLATE_NOOP("core", "{word}: of the time of the device, {part}.")},
    Template{"advice.bound_device_and",
             QT_TRANSLATE_NOOP("core", "{word}: of the time of the device, {part}; {other}.")},
    Template{"advice.bound_thread", QT_TRANSLATE_NOOP("core", "{word}: of the time of the thread, {part}.")},
    Template{"advice.bound_thread_and",
             QT_TRANSLATE_NOOP("core", "{word}: of the time of the thread, {part}; {other}.")},
    Template{"advice.nothing_to_act_on",
             QT_TRANSLATE_NOOP("core", "Nothing to act on was recorded for it: no rule found where it comes from.")},
    Template{"advice.formats_alone",
             QT_TRANSLATE_NOOP("core", "No rule found where it comes from; what to try follows from the recorded "
                                       "number formats alone.")},
    Template{"advice.launch_bound", QT_TRANSLATE_NOOP("core", "Launch-bound")},
    Template{"advice.host_bound", QT_TRANSLATE_NOOP("core", "Host-bound")},
    Template{"advice.transfer_bound", QT_TRANSLATE_NOOP("core", "Transfer-bound")},
    Template{"advice.synchronization_bound", QT_TRANSLATE_NOOP("core", "Synchronization-bound")},
    Template{"advice.memory_bound", QT_TRANSLATE_NOOP("core", "Memory-bound")},
    Template{"advice.compute_bound", QT_TRANSLATE_NOOP("core", "Compute-bound")},
    Template{"advice.allocation_bound", QT_TRANSLATE_NOOP("core", "Allocation-bound")},
    Template{"advice.communication_bound", QT_TRANSLATE_NOOP("core", "Communication-bound")},
    Template{"advice.one_copy", QT_TRANSLATE_NOOP("core", "1 copy")},
    Template{"advice.copies", QT_TRANSLATE_NOOP("core", "{count} copies")},
    Template{"advice.one_block", QT_TRANSLATE_NOOP("core", "1 block")},
    Template{"advice.blocks", QT_TRANSLATE_NOOP("core", "{count} blocks")},
    Template{"advice.one_kernel", QT_TRANSLATE_NOOP("core", "1 kernel")},
    Template{"advice.kernels", QT_TRANSLATE_NOOP("core", "{count} kernels")},
    Template{"advice.rule_needs_device_idle", QT_TRANSLATE_NOOP("core", "work of a device")},
    Template{"advice.rule_change_device_idle", QT_TRANSLATE_NOOP("core", "depends on the main cause of the idle time")},
    Template{"advice.rule_needs_enqueue_bound", QT_TRANSLATE_NOOP("core", "work of a device, calls of the runtime")},
    Template{"advice.rule_change_enqueue_bound", QT_TRANSLATE_NOOP("core", "cuda_graph, aoti, freeze")},
    Template{"advice.rule_needs_tiny_kernels",
             QT_TRANSLATE_NOOP("core", "kernels and calls of the runtime; CPU: operators")},
    Template{"advice.rule_change_tiny_kernels",
             QT_TRANSLATE_NOOP("core", "cuda_graph, aoti, freeze; CPU: aoti, onednn_graph")},
    Template{"advice.rule_needs_pageable_copies", QT_TRANSLATE_NOOP("core", "copies with the kind of their memory")},
    Template{"advice.rule_change_pageable_copies", QT_TRANSLATE_NOOP("core", "pinned memory")},
    Template{"advice.rule_needs_blocking_copies", QT_TRANSLATE_NOOP("core", "copies, calls of the runtime")},
    Template{"advice.rule_change_waits_in_iteration", QT_TRANSLATE_NOOP("core", "one wait, at the end")},
    Template{"advice.rule_needs_long_gaps", QT_TRANSLATE_NOOP("core", "work of a device; CPU: operators")},
    Template{"advice.rule_change_long_gaps", QT_TRANSLATE_NOOP("core", "depends on the main cause of the gaps")},
    Template{"advice.rule_needs_upload_bound", QT_TRANSLATE_NOOP("core", "copies")},
    Template{"advice.rule_change_upload_bound", QT_TRANSLATE_NOOP("core", "fewer bytes, overlap")},
    Template{"advice.rule_needs_host_round_trip", QT_TRANSLATE_NOOP("core", "copies, iterations")},
    Template{"advice.rule_change_host_round_trip", QT_TRANSLATE_NOOP("core", "the stage stays on the device")},
    Template{"advice.rule_needs_needless_copies", QT_TRANSLATE_NOOP("core", "copies, iterations; CPU: operators")},
    Template{"advice.rule_change_needless_copies",
             QT_TRANSLATE_NOOP("core", "keep on the device, or drop, what is copied")},
    Template{"advice.rule_needs_repeated_uploads", QT_TRANSLATE_NOOP("core", "copies with their sizes, iterations")},
    Template{"advice.rule_change_repeated_uploads", QT_TRANSLATE_NOOP("core", "constants are sent once")},
    Template{"advice.rule_needs_no_overlap", QT_TRANSLATE_NOOP("core", "copies, kernels")},
    Template{"advice.rule_change_no_overlap", QT_TRANSLATE_NOOP("core", "prefetch on a second stream")},
    Template{"advice.rule_needs_exposed_communication", QT_TRANSLATE_NOOP("core", "kernels of collectives")},
    Template{"advice.rule_change_exposed_communication",
             QT_TRANSLATE_NOOP("core", "record all ranks; join, overlap, shrink or balance messages")},
    Template{"advice.rule_needs_unaligned_channels",
             QT_TRANSLATE_NOOP("core", "kernels, operators with shapes and types")},
    Template{"advice.rule_change_unaligned_channels",
             QT_TRANSLATE_NOOP("core", "channels in multiples of 8 (int8: 16)")},
    Template{"advice.rule_needs_layout_conversions", QT_TRANSLATE_NOOP("core", "kernels or operators")},
    Template{"advice.rule_change_layout_conversions", QT_TRANSLATE_NOOP("core", "channels_last for all or for none")},
    Template{"advice.rule_change_type_conversions", QT_TRANSLATE_NOOP("core", "one region of 16 bits")},
    Template{"advice.rule_needs_unfused_batchnorm", QT_TRANSLATE_NOOP("core", "kernels or operators of inference")},
    Template{"advice.rule_change_unfused_batchnorm", QT_TRANSLATE_NOOP("core", "freeze")},
    Template{"advice.rule_change_unfused_elementwise",
             QT_TRANSLATE_NOOP("core", "aoti, onednn_graph, optimize_for_inference")},
    Template{"advice.rule_needs_wide_arithmetic",
             QT_TRANSLATE_NOOP("core", "kernels whose names, or operators whose types, tell the numbers")},
    Template{"advice.rule_change_wide_arithmetic", QT_TRANSLATE_NOOP("core", "tf32, fewer bits")},
    Template{"advice.rule_needs_unfused_attention", QT_TRANSLATE_NOOP("core", "operators, or kernels with operators")},
    Template{"advice.rule_change_unfused_attention", QT_TRANSLATE_NOOP("core", "scaled_dot_product_attention")},
    Template{"advice.rule_needs_unaligned_products", QT_TRANSLATE_NOOP("core", "kernels whose names tell their loads")},
    Template{"advice.rule_change_unaligned_products", QT_TRANSLATE_NOOP("core", "sizes in multiples of 8")},
    Template{"advice.rule_needs_first_calls", QT_TRANSLATE_NOOP("core", "kernels, calls of the runtime")},
    Template{"advice.rule_change_first_calls", QT_TRANSLATE_NOOP("core", "a few passes before the recording")},
    Template{"advice.rule_needs_not_steady", QT_TRANSLATE_NOOP("core", "iterations")},
    Template{"advice.rule_change_not_steady", QT_TRANSLATE_NOOP("core", "a longer warm-up")},
    Template{"advice.rule_needs_held_clock",
             QT_TRANSLATE_NOOP("core", "the GPU's telemetry (of Apertune's own recordings)")},
    Template{"advice.rule_change_held_clock", QT_TRANSLATE_NOOP("core", "cooling, the limit of power; measure again")},
    Template{"advice.rule_needs_slow_iterations", QT_TRANSLATE_NOOP("core", "marked iterations")},
    Template{"advice.rule_change_slow_iterations",
             QT_TRANSLATE_NOOP("core", "depends on what the slowest iteration does longer")},
    Template{"advice.rule_needs_allocation_in_loop",
             QT_TRANSLATE_NOOP("core", "calls of the runtime, iterations; CPU: operators")},
    Template{"advice.rule_needs_memory_limit", QT_TRANSLATE_NOOP("core", "allocations of a device")},
    Template{"advice.rule_change_memory_limit",
             QT_TRANSLATE_NOOP("core", "a smaller batch, fewer sizes of allocations")},
    Template{"advice.rule_needs_underfilled_device", QT_TRANSLATE_NOOP("core", "kernels with their grids, the device")},
    Template{"advice.rule_change_underfilled_device", QT_TRANSLATE_NOOP("core", "a larger batch, more streams")},
    Template{"advice.rule_needs_image_preparation", QT_TRANSLATE_NOOP("core", "operators")},
    Template{"advice.rule_change_image_preparation",
             QT_TRANSLATE_NOOP("core", "prepare images on the device, or in other threads")},
    Template{"advice.rule_change_slow_nms", QT_TRANSLATE_NOOP("core", "fewer boxes before the suppression")},
    Template{"advice.rule_needs_float_layers",
             QT_TRANSLATE_NOOP("core", "a traced trial with int8, fp8, bf16 or fp16")},
    Template{"advice.rule_change_float_layers",
             QT_TRANSLATE_NOOP("core", "find out why these layers stay in wide number formats")},
    Template{"advice.rule_needs_idle_cores", QT_TRANSLATE_NOOP("core", "operators, the number of threads")},
    Template{"advice.rule_change_idle_cores", QT_TRANSLATE_NOOP("core", "more threads")},
    Template{"advice.rule_needs_device_copies", QT_TRANSLATE_NOOP("core", "copies within the device")},
    Template{"advice.rule_change_device_copies", QT_TRANSLATE_NOOP("core", "write in place, drop clones")},
    Template{"advice.rule_change_slow_convolutions", QT_TRANSLATE_NOOP("core", "a type that a library convolves")},
    Template{"advice.rule_needs_throttled_trials", QT_TRANSLATE_NOOP("core", "clocks beside the blocks")},
    Template{"advice.rule_needs_noisy_trials", QT_TRANSLATE_NOOP("core", "measured trials")},
    Template{"advice.rule_change_noisy_trials", QT_TRANSLATE_NOOP("core", "a longer budget, a quiet machine")},
    Template{"advice.rule_needs_batch_past_knee", QT_TRANSLATE_NOOP("core", "trials that differ in the batch alone")},
    Template{"advice.rule_change_batch_past_knee", QT_TRANSLATE_NOOP("core", "the smaller batch")},
    Template{"advice.rule_change_batch_too_small", QT_TRANSLATE_NOOP("core", "larger batches")},
    Template{"advice.rule_needs_number_overflow", QT_TRANSLATE_NOOP("core", "outputs compared with fp32")},
    Template{"advice.rule_change_number_overflow",
             QT_TRANSLATE_NOOP("core", "bf16, or fp32 for the layers that overflow")},
    Template{"advice.rule_needs_devices_differ",
             QT_TRANSLATE_NOOP("core", "one configuration on several devices of one name")},
    Template{"advice.rule_change_devices_differ",
             QT_TRANSLATE_NOOP("core", "look at link, heat and other programs of the slower one")},
    Template{"advice.rule_needs_shared_machine", QT_TRANSLATE_NOOP("core", "the machine's state beside the blocks")},
    Template{"advice.rule_change_shared_machine",
             QT_TRANSLATE_NOOP("core", "a machine or device that nobody else uses")},
    Template{"advice.rule_needs_energy_knee", QT_TRANSLATE_NOOP("core", "energy of the trials")},
    Template{"advice.rule_change_energy_knee", QT_TRANSLATE_NOOP("core", "the configuration that takes less")},
    Template{"advice.rule_needs_too_many_threads",
             QT_TRANSLATE_NOOP("core", "trials that differ in the threads alone")},
    Template{"advice.rule_change_too_many_threads", QT_TRANSLATE_NOOP("core", "fewer threads")},
    Template{"advice.rule_needs_compiling_does_not_pay",
             QT_TRANSLATE_NOOP("core", "a compiled trial and one without compiling, of one batch")},
    Template{"advice.rule_change_compiling_does_not_pay", QT_TRANSLATE_NOOP("core", "the trial without compiling")},
    Template{"advice.rule_needs_precision_does_not_pay",
             QT_TRANSLATE_NOOP("core", "trials that differ in the precision alone")},
    Template{"advice.rule_change_precision_does_not_pay",
             QT_TRANSLATE_NOOP("core", "stay with fp32, or remove what keeps the precision slow")},

    // core/runs/reasons.h
    Template{"runs.switch_change", QT_TRANSLATE_NOOP("core", "{switch}={state}")},
    Template{"runs.threads_change", QT_TRANSLATE_NOOP("core", "{threads} threads")},
    Template{"runs.predicted_range", QT_TRANSLATE_NOOP("core", "{lo} to {hi} %")},
    Template{"runs.predicted", QT_TRANSLATE_NOOP("core", "{hi} %")},
    Template{"runs.not_of_this_machine", QT_TRANSLATE_NOOP("core", "It is no configuration of this machine.")},
    Template{"runs.pruned_for_budget", QT_TRANSLATE_NOOP("core", "{reason} Increase --budget.")},
    Template{"runs.changed_not_run",
             QT_TRANSLATE_NOOP("core", "Not run with {change}. The changed configuration: {reason}")},
    Template{"runs.unchanged_not_run", QT_TRANSLATE_NOOP("core", "Not run. The configuration as it was: {reason}")},
    Template{"runs.not_in_effect", QT_TRANSLATE_NOOP("core", "{change} was requested and is not in effect.")},
    Template{"runs.not_in_effect_because",
             QT_TRANSLATE_NOOP("core", "{change} was requested and is not in effect: {how}.")},
    Template{"runs.proved",
             QT_TRANSLATE_NOOP("core", "Proved: {saved} % of the time saved [{lo}, {hi}], predicted {predicted}.")},
    Template{
        "runs.proved_more",
        QT_TRANSLATE_NOOP(
            "core",
            "Proved: {saved} % of the time saved [{lo}, {hi}], predicted {predicted}: more than the trace predicts.")},
    Template{
        "runs.proved_less",
        QT_TRANSLATE_NOOP(
            "core",
            "Proved: {saved} % of the time saved [{lo}, {hi}], predicted {predicted}: less than the trace predicts.")},
    Template{"runs.refuted_far_less",
             QT_TRANSLATE_NOOP("core", "Refuted: far less is saved than predicted, time saved [{lo}, {hi}] %, "
                                       "predicted {predicted}.")},
    Template{"runs.refuted_slower",
             QT_TRANSLATE_NOOP("core", "Refuted: it makes the pass slower, time saved [{lo}, {hi}] %, predicted "
                                       "{predicted}.")},
    Template{"runs.refuted_nothing",
             QT_TRANSLATE_NOOP("core", "Refuted: it changes nothing, time saved [{lo}, {hi}] %, predicted "
                                       "{predicted}.")},
    Template{"runs.too_few_blocks",
             QT_TRANSLATE_NOOP(
                 "core",
                 "Cannot tell: there are too few blocks ({blocks}). Increase --budget, or try on a quieter machine.")},
    Template{"runs.cannot_tell",
             QT_TRANSLATE_NOOP("core", "Cannot tell: time saved [{lo}, {hi}] %, predicted {predicted}. Increase "
                                       "--budget, or try on a quieter machine.")},
    Template{"runs.cosine", QT_TRANSLATE_NOOP("core", "cosine {cosine}")},
    Template{"runs.quality_unknown", QT_TRANSLATE_NOOP("core", "quality unknown")},
    Template{"runs.no_mix",
             QT_TRANSLATE_NOOP("core", "None: no int8 configuration with layers in float could be measured.")},
    Template{"runs.no_mix_in_bound",
             QT_TRANSLATE_NOOP("core",
                               "None: no int8 configuration of the {measured} that were measured keeps the bound. "
                               "Nearest is {quality} (required: {bound}) with {kept} of {layers} layers in float.")},
    Template{"runs.fastest_mix",
             QT_TRANSLATE_NOOP("core", "The fastest int8 within the bound leaves {kept} of {layers} layers in float: "
                                       "{time}, {quality} (required: {bound}).")},
    Template{"runs.float_undecided",
             QT_TRANSLATE_NOOP("core", "fp32 takes {time}; there are too few blocks for a comparison.")},
    Template{"runs.faster_than_float", QT_TRANSLATE_NOOP("core", "It is faster than fp32: {ratio}.")},
    Template{"runs.slower_than_float",
             QT_TRANSLATE_NOOP("core", "But fp32 is faster on this machine: int8 reaches {ratio} of its speed.")},
    Template{"runs.as_fast_as_float", QT_TRANSLATE_NOOP("core", "It is as fast as fp32: {ratio}.")},
    Template{"runs.float_cannot_tell", QT_TRANSLATE_NOOP("core", "No difference found from fp32: {ratio}.")},
    Template{"runs.serving_passes", QT_TRANSLATE_NOOP("core", "single passes {percent} %")},
    Template{"runs.serving_rate", QT_TRANSLATE_NOOP("core", "{rate} queries/s, {percent} %")},
    Template{"runs.serving_single_stream", QT_TRANSLATE_NOOP("core", "single-stream {percent} %")},
    Template{"runs.serving_multi_stream", QT_TRANSLATE_NOOP("core", "multi-stream {percent} %")},
    Template{"runs.serving_offline", QT_TRANSLATE_NOOP("core", "offline {percent} %")},
    Template{"runs.serving_server", QT_TRANSLATE_NOOP("core", "server {percent} %")},
    Template{"runs.serving_camera", QT_TRANSLATE_NOOP("core", "camera {percent} %")},

    // core/model/switch_reasons.h
    Template{"switch.graph_or_optimize",
             QT_TRANSLATE_NOOP("core", "onednn_graph and optimize_for_inference are alternatives: each replaces the "
                                       "operators that the other looks for.")},
    Template{"switch.replaced_by_aoti",
             QT_TRANSLATE_NOOP("core", "{switch} works on the TorchScript graph, which aoti replaces by a compiled "
                                       "package.")},
    Template{"switch.one_attention",
             QT_TRANSLATE_NOOP("core", "sdpa_math, sdpa_flash and sdpa_efficient are alternatives.")},
    Template{"switch.graph_needs_jit",
             QT_TRANSLATE_NOOP("core", "onednn_graph fuses in the profiling executor and needs jit_optimize.")},
    Template{"switch.needs_switch",
             QT_TRANSLATE_NOOP("core", "{switch} needs {needed}: without it, it has no effect.")},
    Template{"switch.excludes", QT_TRANSLATE_NOOP("core", "{switch} and {other} cannot both be on.")},

    // core/trace/reasons.h
    Template{"trace.profiler_missing", QT_TRANSLATE_NOOP("core", "{profiler}: {reason}")},
    Template{"trace.gpu_not_recorded", QT_TRANSLATE_NOOP("core", "The GPU was not recorded: {reason}")},
    Template{"trace.no_operators", QT_TRANSLATE_NOOP("core", "This backend does not record what it runs.")},
    Template{
        "trace.backend_buffers_full",
        QT_TRANSLATE_NOOP("core", "The backend's buffers were full: later operators and allocations are missing.")},
    Template{"trace.backend_events_senseless", QT_TRANSLATE_NOOP("core", "The backend returned invalid events.")},
    Template{"trace.no_numbers", QT_TRANSLATE_NOOP("core", "Samples that are not numbers were left out.")},
    Template{
        "trace.more_samples_than_fit",
        QT_TRANSLATE_NOOP("core", "Samples were dropped: there were more than fit in the memory reserved for them.")},
    Template{"trace.shared_ids", QT_TRANSLATE_NOOP("core", "Ids of more than 32 bits got numbers that other events "
                                                           "have as well: some of these may be linked wrongly.")},
    Template{"trace.large_sizes",
             QT_TRANSLATE_NOOP("core", "Sizes of more than 64 TiB were treated as damaged and left out.")},
    Template{"nsys.impossible_times",
             QT_TRANSLATE_NOOP("core", "Events that end before they start, or at no possible time, were left out.")},

    // core/store/reasons.h
    Template{"store.not_finished",
             QT_TRANSLATE_NOOP("core", "The recording was not finished: what came after this moment is missing.")},
    Template{"store.part_lost",
             QT_TRANSLATE_NOOP("core", "The workspace was damaged: a part of this trace could not be saved.")},
    Template{"store.trial_damaged",
             QT_TRANSLATE_NOOP("core", "The workspace is damaged: of this trial {parts} cannot be read.")},

    // core/interchange/chrome/reasons.h
    Template{"chrome.malformed",
             QT_TRANSLATE_NOOP("core", "Entries of the event list that are not events were left out.")},
    Template{"chrome.bad_time", QT_TRANSLATE_NOOP("core", "Events without a usable time were left out.")},
    Template{"chrome.negative_duration", QT_TRANSLATE_NOOP("core", "Events with a negative duration were left out.")},
    Template{"chrome.no_duration", QT_TRANSLATE_NOOP("core", "Events without a duration are kept as instants.")},
    Template{"chrome.rounded_samples",
             QT_TRANSLATE_NOOP("core", "Samples with more digits than can be kept were rounded.")},
    Template{"chrome.replaced_text", QT_TRANSLATE_NOOP("core", "Bytes that are not text were replaced in names.")},
    Template{"chrome.other_tools",
             QT_TRANSLATE_NOOP("core", "Stack samples, objects and memory dumps of other tools were left out.")},
    Template{"chrome.other_member", QT_TRANSLATE_NOOP("core", "The member \"{name}\" beside the events was not read.")},
    Template{"chrome.foreign_flow", QT_TRANSLATE_NOOP("core", "Arrows that another tool drew were left out.")},
    Template{"chrome.dropped_arguments",
             QT_TRANSLATE_NOOP("core", "Arguments of events that are not kept, with their counts: {arguments}.")},
    Template{"chrome.joined_devices",
             QT_TRANSLATE_NOOP("core", "Memory of device {memory} is shown as memory of device {work}, the only one "
                                       "with kernels: the recorder numbers devices in two ways.")},
    Template{"chrome.long_text", QT_TRANSLATE_NOOP("core", "Texts of more than 64 KiB were cut.")},
    Template{"chrome.end_without_begin", QT_TRANSLATE_NOOP("core", "Ends of ranges that never began were left out.")},
    Template{"chrome.never_ended",
             QT_TRANSLATE_NOOP("core", "Ranges that never ended are drawn to the end of the recording.")},
    Template{"chrome.open_list",
             QT_TRANSLATE_NOOP("core", "The list of events is not closed: the recording may have been cut off.")},
    Template{"chrome.long_tail",
             QT_TRANSLATE_NOOP("core", "The part of the file behind the events was too large and was not read.")},
    Template{
        "chrome.lost_around_damaged",
        QT_TRANSLATE_NOOP(
            "core", "The part of the file around the list of events is damaged: devices and versions may be missing.")},
    Template{
        "chrome.second_list",
        QT_TRANSLATE_NOOP("core", "The file has more than one list of events: those after the first were not read.")},
    Template{"chrome.unsaid", QT_TRANSLATE_NOOP("core", "The export does not say what was lost.")},

    // core/interchange/results/reasons.h
    Template{"results.blank", QT_TRANSLATE_NOOP("core", "It has no text.")},
    Template{"results.no_text", QT_TRANSLATE_NOOP("core", "It is binary.")},
    Template{"results.broken_json",
             QT_TRANSLATE_NOOP("core", "It is JSON that breaks off or has an error at line {line}, column {column}.")},
    Template{"results.broken_json_of", QT_TRANSLATE_NOOP("core", "It looks like JSON of {tool}, which breaks off or "
                                                                 "has an error at line {line}, column {column}.")},
    Template{"results.deep_json", QT_TRANSLATE_NOOP("core", "It is JSON that is nested too deeply.")},
    Template{"results.other_members",
             QT_TRANSLATE_NOOP("core", "It is JSON of no tool that is known, with the members {members}.")},
    Template{"results.other_json", QT_TRANSLATE_NOOP("core", "It is JSON of no tool that is known.")},
    Template{"results.other_table",
             QT_TRANSLATE_NOOP("core", "It is a table of no tool that is known, with the columns {columns}.")},
    Template{"results.other_text", QT_TRANSLATE_NOOP("core", "It is a text of no tool that is known: “{line}”.")},
    Template{"results.no_summary", QT_TRANSLATE_NOOP("core", "It is a log of trtexec that has no line “=== Performance "
                                                             "summary ===”.")},
    Template{"results.not_of_kit",
             QT_TRANSLATE_NOOP("core", "No measuring kit wrote them, so their blocks are not there.")},
    Template{"results.kit_member", QT_TRANSLATE_NOOP("core", "Its member {member} is missing or damaged.")},
    Template{"results.kit_contradicts",
             QT_TRANSLATE_NOOP("core",
                               "Trial {trial} states a median of {told} ms, and that of its blocks is {blocks} ms.")},
    Template{"results.tool_failed", QT_TRANSLATE_NOOP("core", "{tool} reported that the run failed.")},
    Template{"results.tool_stopped", QT_TRANSLATE_NOOP("core", "The log of {tool} ends before the results.")},
    Template{"results.all_runs_failed",
             QT_TRANSLATE_NOOP("core", "Every run of the command ended with an error ({runs} in all).")},
    Template{"results.unread_value",
             QT_TRANSLATE_NOOP("core", "The file has “{text}” for {name}, which cannot be its value.")},
    Template{"results.cut_line", QT_TRANSLATE_NOOP("core", "The line “{line}” of the file ends before its values.")},
    Template{"results.unread_passes",
             QT_TRANSLATE_NOOP("core", "Passes without a possible time were left out: {passes} of {all}.")},
    Template{"results.runs_failed",
             QT_TRANSLATE_NOOP("core", "Runs that ended with an error were left out: {failed} of {all}.")},
    Template{"results.disorder",
             QT_TRANSLATE_NOOP("core", "The file contradicts itself: its {high} is below its {low}.")},
    Template{"results.rate_contradicts",
             QT_TRANSLATE_NOOP("core", "The file contradicts itself: at its latency, its throughput needs {needed} "
                                       "samples at a time, but it states {told}.")},
    Template{"results.outside_passes",
             QT_TRANSLATE_NOOP("core", "The file contradicts itself: its {name} lies outside its own passes.")},

    // core/interchange/perfetto/reasons.h
    Template{"perfetto.cut_off",
             QT_TRANSLATE_NOOP("core", "The recording is damaged or cut off: what follows was not read.")},
    Template{"perfetto.damaged_packets", QT_TRANSLATE_NOOP("core", "Damaged packets were left out.")},
    Template{"perfetto.dropped_packets",
             QT_TRANSLATE_NOOP("core", "The recorder dropped packets: its buffers had no room for them.")},
    Template{"perfetto.lost_names",
             QT_TRANSLATE_NOOP("core", "Events were left out whose names were lost with earlier packets.")},
    Template{"perfetto.packets_not_read",
             QT_TRANSLATE_NOOP("core", "Packets of the kind {packets} were not read: they hold no events of tracks.")},
    Template{"perfetto.unrelated_clocks",
             QT_TRANSLATE_NOOP("core", "Events have times of clocks that the recording does not relate: they may stand "
                                       "at the wrong place.")},

    // core/interchange/nsys/reasons.h
    Template{
        "nsys.open_ranges",
        QT_TRANSLATE_NOOP("core", "NVTX ranges were still open when the recording ended: they are drawn to its end.")},
    Template{"rocprof.records_not_read",
             QT_TRANSLATE_NOOP("core", "Records of the kind {records} were not read: a trace cannot hold them.")},
    Template{"nsys.table_not_read", QT_TRANSLATE_NOOP("core", "The table {table} of the export was not read.")},
    Template{"nsys.says", QT_TRANSLATE_NOOP("core", "Nsight Systems says: {text}")},

    // core/probe/reasons.h
    Template{"probe.no_gpu_driver",
             QT_TRANSLATE_NOOP("core", "There is no NVIDIA driver on this machine (libnvidia-ml.so.1).")},
    Template{"probe.no_management_library",
             QT_TRANSLATE_NOOP("core",
                               "The NVIDIA driver is here without its library libnvidia-ml.so.1, which reports clocks, "
                               "power and who uses a GPU.")},
    Template{"probe.amd_gpu",
             QT_TRANSLATE_NOOP("core", "The AMD GPU of this machine is not used: no engine here opens it.")},
    Template{"probe.intel_gpu",
             QT_TRANSLATE_NOOP("core",
                               "The Intel GPU of this machine is not used: no engine here opens it. Engines for it "
                               "need Intel's compute runtime (intel-opencl-icd).")},
    Template{"probe.driver_silent", QT_TRANSLATE_NOOP("core", "The NVIDIA driver does not answer: unknown error.")},
    Template{"probe.no_gpu_seen", QT_TRANSLATE_NOOP("core", "The NVIDIA driver sees no GPU.")},
    Template{"probe.gpus_hidden", QT_TRANSLATE_NOOP("core", "CUDA_VISIBLE_DEVICES=\"{value}\" hides every GPU.")},
    Template{"probe.gpus_closed", QT_TRANSLATE_NOOP("core", "The GPUs of this machine cannot be opened.")},
    Template{"probe.old_driver",
             QT_TRANSLATE_NOOP("core",
                               "The NVIDIA driver {driver} runs CUDA {cuda}; this build needs {needed} (driver 580).")},
    Template{"probe.no_gpu_engine", QT_TRANSLATE_NOOP("core", "No engine of this installation uses the GPU.")},
    Template{"probe.backend_says", QT_TRANSLATE_NOOP("core", "{backend}: {note}")},
    Template{"probe.asking_failed", QT_TRANSLATE_NOOP("core", "The query failed: {reason}")},
    Template{"probe.worker_silent",
             QT_TRANSLATE_NOOP("core", "The worker does not report whether this can be recorded.")},
    Template{"probe.old_gpu", QT_TRANSLATE_NOOP("core", "The GPU is too old for reading its counters.")},
    Template{"probe.wsl_hides", QT_TRANSLATE_NOOP("core", "WSL hides the GPU's counters.")},
    Template{"probe.no_energy_counter",
             QT_TRANSLATE_NOOP("core", "This machine has no energy counter (RAPL); virtual machines rarely have one.")},
    Template{"probe.gpu_tells_no_energy",
             QT_TRANSLATE_NOOP("core", "The driver reports neither the energy nor the power of this GPU.")},
    Template{
        "probe.whole_gpu_or_newer",
        QT_TRANSLATE_NOOP("core", "A part of a GPU (MIG) and GPUs before Volta report none: use a whole, newer GPU.")},
    Template{"probe.energy_for_root", QT_TRANSLATE_NOOP("core", "The energy counter (RAPL) may be read by root only.")},
    Template{"probe.no_perf_events", QT_TRANSLATE_NOOP("core", "This kernel has no perf events.")},
    Template{"probe.perf_for_administrators",
             QT_TRANSLATE_NOOP("core", "Perf events are for root (perf_event_paranoid is {level}).")},
    Template{"probe.no_pmu",
             QT_TRANSLATE_NOOP("core", "The CPU's counters are not visible, as in most virtual machines.")},
    Template{"probe.no_lib_torch", QT_TRANSLATE_NOOP("core", "LibTorch was not found.")},
    Template{"probe.runs_no_packages", QT_TRANSLATE_NOOP("core", "the backend {backend} runs no compiled packages.")},
    Template{"probe.install_gpu_driver",
             QT_TRANSLATE_NOOP("core", "Install the driver of your NVIDIA GPU, or give the container its GPUs.")},
    Template{
        "probe.give_management_library",
        QT_TRANSLATE_NOOP("core", "Add utility to NVIDIA_DRIVER_CAPABILITIES of the container (compute,utility).")},
    Template{"probe.restart_machine",
             QT_TRANSLATE_NOOP("core", "The driver was updated: restart the machine or reload its modules.")},
    Template{"probe.give_access",
             QT_TRANSLATE_NOOP("core", "Give this user access to /dev/nvidia*, or the container its GPUs.")},
    Template{"probe.unset_visible",
             QT_TRANSLATE_NOOP("core", "Unset CUDA_VISIBLE_DEVICES, or name a GPU of this machine.")},
    Template{
        "probe.update_driver",
        QT_TRANSLATE_NOOP(
            "core",
            "Update the driver to 580 or newer; on a data-centre GPU NVIDIA's package cuda-compat-13-0 does, too.")},
    Template{"probe.measure_on_linux", QT_TRANSLATE_NOOP("core", "Measure on Linux itself.")},
    Template{"probe.unrestrict",
             QT_TRANSLATE_NOOP(
                 "core",
                 "Set the driver's module option NVreg_RestrictProfilingToAdminUsers=0 and restart, or run as root.")},
    Template{"probe.count_on_the_host",
             QT_TRANSLATE_NOOP("core", "Measure on the host, with the module intel_rapl_msr loaded.")},
    Template{"probe.make_readable",
             QT_TRANSLATE_NOOP("core", "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj")},
    Template{"probe.lower_paranoid", QT_TRANSLATE_NOOP("core", "sudo sysctl kernel.perf_event_paranoid=2")},
    Template{"probe.give_pmu", QT_TRANSLATE_NOOP("core", "Give the virtual machine a PMU, or measure on the host.")},
    Template{"probe.name_torch_environment",
             QT_TRANSLATE_NOOP("core", "Add it with `apertune engine add libtorch`, or set APERTUNE_TORCH to a Python "
                                       "environment that has torch 2.11.")},

    // core/models/reasons.h
    Template{"models.importing_again", QT_TRANSLATE_NOOP("core", "{why} Importing {model} again.")},
    Template{"models.building_program", QT_TRANSLATE_NOOP("core", "Building {folder} …")},
    Template{"models.running_program_once", QT_TRANSLATE_NOOP("core", "Running the exported program once …")},
    Template{"models.runs_as_measured",
             QT_TRANSLATE_NOOP("core", "runs: cosine {cosine} (at least {least}), {now} ms a pass, as measured "
                                       "({then} ms)")},
    Template{"models.runs_faster",
             QT_TRANSLATE_NOOP("core", "runs: cosine {cosine} (at least {least}), {now} ms a pass, faster than "
                                       "measured ({then} ms)")},
    Template{"models.runs_at_unknown_speed",
             QT_TRANSLATE_NOOP("core", "runs: cosine {cosine} (at least {least}), {now} ms a pass where {then} ms were "
                                       "measured; cannot tell whether that is as fast: {why}")},
    Template{
        "models.runs_elsewhere",
        QT_TRANSLATE_NOOP("core", "{said}; its time was not compared, because the trial was measured on {device}")},
    Template{"models.machine_busy",
             QT_TRANSLATE_NOOP("core", "the machine was busy while it was measured: other programs had {others} of its "
                                       "processors; measure again when it is quiet")},
    Template{"models.machine_stolen",
             QT_TRANSLATE_NOOP("core", "the machine was busy while it was measured: other programs had {others} of its "
                                       "processors, other virtual machines {stolen}; measure again when it is quiet")},
    Template{"models.drift_reading_slower",
             QT_TRANSLATE_NOOP("core", "the same model without optimization, measured in turns with it, takes {ratio} "
                                       "times as long as at the export, too: the machine or the engine has changed")},
    Template{
        "models.interval_crosses",
        QT_TRANSLATE_NOOP("core", "the interval includes the limit; measure the trial for longer and export it again")},
    Template{"models.zoo_resnet18", QT_TRANSLATE_NOOP("core", "Small residual network; quick to sweep")},
    Template{"models.zoo_resnet50", QT_TRANSLATE_NOOP("core", "The standard benchmark of convolutional networks")},
    Template{"models.zoo_resnet152", QT_TRANSLATE_NOOP("core", "Deep residual network")},
    Template{"models.zoo_mobilenet_v3_large", QT_TRANSLATE_NOOP("core", "Depthwise convolutions for phones")},
    Template{"models.zoo_efficientnet_b0", QT_TRANSLATE_NOOP("core", "Depthwise convolutions with squeeze-excitation")},
    Template{"models.zoo_vit_b_16", QT_TRANSLATE_NOOP("core", "Vision transformer, 12 blocks")},
    Template{"models.zoo_vit_l_16", QT_TRANSLATE_NOOP("core", "Large vision transformer, 24 blocks")},
    Template{"models.zoo_swin_t", QT_TRANSLATE_NOOP("core", "Transformer with shifted windows")},
    Template{"models.zoo_convnext_tiny", QT_TRANSLATE_NOOP("core", "Modern convolutional network with layer norm")},
    Template{"models.zoo_deeplabv3_resnet50", QT_TRANSLATE_NOOP("core", "Dilated ResNet-50 with pyramid pooling")},
    Template{"models.zoo_unet", QT_TRANSLATE_NOOP("core", "Encoder and decoder with skip connections")},
    Template{"models.zoo_unet_tiled", QT_TRANSLATE_NOOP("core", "The U-Net on overlapping tiles of 128, blended")},
    Template{"models.zoo_yolo", QT_TRANSLATE_NOOP("core", "YOLO-like, three scales; NMS is left to the pipeline")},
    Template{"models.zoo_yolo_nms", QT_TRANSLATE_NOOP("core", "The same with NMS in the graph")},
    Template{"models.zoo_mobilenet_detector",
             QT_TRANSLATE_NOOP("core", "One-stage detector with NMS; it also compiles")},
    Template{"models.zoo_fasterrcnn_mobilenet", QT_TRANSLATE_NOOP("core", "Two-stage detector with NMS")},
    Template{"models.zoo_ssdlite_mobilenet", QT_TRANSLATE_NOOP("core", "One-stage detector with NMS")},
    Template{"models.zoo_detr", QT_TRANSLATE_NOOP("core", "ResNet-50 with an encoder-decoder transformer, no NMS")},
    Template{"models.zoo_sd_text_encoder",
             QT_TRANSLATE_NOOP("core", "Diffusion, small: tokens to the context of a prompt")},
    Template{"models.zoo_sd_unet", QT_TRANSLATE_NOOP("core", "Diffusion, small: one step of the U-Net")},
    Template{"models.zoo_sd_unet_sliced",
             QT_TRANSLATE_NOOP("core", "The same with attention in slices, one head after the other")},
    Template{"models.zoo_sd_vae_decoder", QT_TRANSLATE_NOOP("core", "Diffusion, small: latent to image")},
    Template{"models.zoo_sd_vae_decoder_tiled",
             QT_TRANSLATE_NOOP("core", "The same on overlapping tiles, one after the other")},
    Template{"models.zoo_sd_pipeline",
             QT_TRANSLATE_NOOP("core", "Diffusion, small: prompt to image, four guided steps")},

    // core/text/reasons.h
    Template{"text.configuration", QT_TRANSLATE_NOOP("core", "{before} batch {batch}")},
    Template{"text.configuration_with", QT_TRANSLATE_NOOP("core", "{before} batch {batch} {more}")},
    Template{"text.bound_latency", QT_TRANSLATE_NOOP("core", "median latency at most {latency}")},
    Template{"text.bound_percentile", QT_TRANSLATE_NOOP("core", "p{percentile} at most {latency}")},
    Template{"text.bound_memory", QT_TRANSLATE_NOOP("core", "memory at most {memory}")},
    Template{"text.bound_energy", QT_TRANSLATE_NOOP("core", "energy of a sample at most {millijoules} mJ")},
    Template{"text.bound_first", QT_TRANSLATE_NOOP("core", "first answer within {time}")},
    Template{"text.bound_quality", QT_TRANSLATE_NOOP("core", "cosine at least {cosine}")},
    Template{"text.bound_rel_error", QT_TRANSLATE_NOOP("core", "relative error at most {error}")},
    Template{"text.bound_abs_error", QT_TRANSLATE_NOOP("core", "absolute error at most {error}")},
    Template{"text.agreement", QT_TRANSLATE_NOOP("core", "{agreeing} of {samples}")},
    Template{"text.not_run",
             QT_TRANSLATE_NOOP("core", "not_run: Not measured yet; `apertune tune --resume {study}` continues.")},
    Template{"text.reason_of_kind", QT_TRANSLATE_NOOP("core", "{kind}: {reason}")},
    Template{"text.modes", QT_TRANSLATE_NOOP("core", "{low} ms ({share} of the blocks) and {high} ms")},
    Template{"text.give_more_budget", QT_TRANSLATE_NOOP("core", "Increase --budget, or continue with --resume.")},
    Template{"text.measure_without_budget", QT_TRANSLATE_NOOP("core", "Use --budget 0 to measure it, too.")},
    Template{"text.use_wider_precision",
             QT_TRANSLATE_NOOP("core", "Use a wider precision (bf16 or fp32) for this model; where O0 fp32 gives them "
                                       "too, check its weights and inputs.")},

    // core/comparison/reasons.h
    Template{"comparison.precision_does_not_pay",
             QT_TRANSLATE_NOOP("core", "{to} is {ratio} as fast as {from}; that is too little for {failing} of {all} "
                                       "pairs that differ in the precision alone.")},
    Template{"comparison.precision_not_taken",
             QT_TRANSLATE_NOOP("core", "The engine did not take {precision}: the trial ran in wider numbers.")},
    Template{"comparison.precision_not_taken_because",
             QT_TRANSLATE_NOOP("core", "The engine did not take {precision}: {evidence}.")},
    Template{"comparison.no_arithmetic_for",
             QT_TRANSLATE_NOOP("core", "{device} has no instructions for products in {precision}, so they are computed "
                                       "in steps or in wider numbers.")},
    Template{
        "comparison.partly_in_precision",
        QT_TRANSLATE_NOOP("core", "Only a part runs in {precision}, and conversions stand around it: {evidence}.")},
    Template{"comparison.pays_elsewhere",
             QT_TRANSLATE_NOOP("core", "It pays with other settings: from {from} to {to} it is {ratio}.")},
    Template{"comparison.record_both",
             QT_TRANSLATE_NOOP("core",
                               "The trials do not show the reason. Record both and compare them: apertune trace "
                               "record {from}, apertune trace record {to}, apertune compare of the two traces.")},
    Template{
        "comparison.stay_with_fp32",
        QT_TRANSLATE_NOOP(
            "core", "Stay with fp32 here, or remove that reason; a narrower precision may still take less memory.")},
    Template{"comparison.batch_past_knee",
             QT_TRANSLATE_NOOP(
                 "core",
                 "{last} makes {ratio} as many samples a second as {knee}, and a pass takes {latency} times as long.")},
    Template{"comparison.use_the_smaller_batch",
             QT_TRANSLATE_NOOP("core", "Use batch {batch}: it answers earlier at nearly the same throughput.")},
    Template{"comparison.batch_too_small",
             QT_TRANSLATE_NOOP("core", "{last} is the largest batch that was tried, and throughput still grows: "
                                       "{ratio} for each doubling from batch {before}.")},
    Template{"comparison.try_larger_batches",
             QT_TRANSLATE_NOOP("core", "Try larger batches: apertune tune with --batches auto.")},
    Template{"comparison.energy_knee",
             QT_TRANSLATE_NOOP("core", "A sample takes {energy} with {best} and {most} with "
                                       "{fastest}, the fastest; its speed is {ratio} of that.")},
    Template{"comparison.use_the_one_that_takes_less", QT_TRANSLATE_NOOP("core", "Use {best} where energy counts.")},
    Template{"comparison.too_many_threads",
             QT_TRANSLATE_NOOP("core", "{trial} is faster with {fewer} than with {more} threads: {ratio}.")},
    Template{"comparison.more_threads_than_cores",
             QT_TRANSLATE_NOOP("core", "The processor has {cores} cores; further threads share them.")},
    Template{"comparison.cores_were_taken",
             QT_TRANSLATE_NOOP("core", "Other programs took processor time while it was measured.")},
    Template{"comparison.use_fewer_threads", QT_TRANSLATE_NOOP("core", "Use --threads {threads}.")},
    Template{"comparison.compiling_does_not_pay",
             QT_TRANSLATE_NOOP("core", "{trial} takes {time} to compile and {verdict}.")},
    Template{"comparison.use_the_uncompiled",
             QT_TRANSLATE_NOOP("core", "Use {trial}, or keep the compiled package for many passes.")},
    Template{"comparison.number_overflow",
             QT_TRANSLATE_NOOP("core", "Trials in fp16 give NaN or infinite numbers where fp32 gives none ({count} of "
                                       "them, {trial} first). Numbers above 65 504 overflow in fp16.")},
    Template{"comparison.bf16_is_sound",
             QT_TRANSLATE_NOOP("core", "Use bf16, which holds numbers as large as fp32 does: {trial} gives none.")},
    Template{"comparison.try_bf16",
             QT_TRANSLATE_NOOP(
                 "core", "Try bf16, which holds numbers as large as fp32 does: apertune tune with --precisions bf16.")},
    Template{"comparison.devices_differ",
             QT_TRANSLATE_NOOP(
                 "core", "{device} takes {ratio} times as long as {other}, a device of the same name ({trial}).")},
    Template{"comparison.its_clock_was_held",
             QT_TRANSLATE_NOOP("core", "Its clock was held down by heat or by its limit of power.")},
    Template{"comparison.others_used_it", QT_TRANSLATE_NOOP("core", "Another program used it.")},
    Template{"comparison.compare_the_devices",
             QT_TRANSLATE_NOOP("core", "Compare temperature, link and other programs of both, and measure again on "
                                       "each with nothing else running.")},
    Template{"comparison.throttled_trials",
             QT_TRANSLATE_NOOP("core", "{count} of {all} measured trials ran while the clock was held down.")},
    Template{"comparison.cool_and_measure_again",
             QT_TRANSLATE_NOOP("core", "Let the device cool, check its limit of power, and measure again.")},
    Template{
        "comparison.noisy_trials",
        QT_TRANSLATE_NOOP(
            "core", "{count} of {all} measured trials had wider intervals than the target, or two groups of times.")},
    Template{"comparison.measure_longer_or_quieter",
             QT_TRANSLATE_NOOP("core", "Measure longer (--budget), on a machine where nothing else runs.")},
    Template{"comparison.shared_machine",
             QT_TRANSLATE_NOOP("core", "Other programs disturbed {count} of {all} measured trials.")},
    Template{
        "comparison.measure_alone",
        QT_TRANSLATE_NOOP("core", "End the other programs, or use a device that nobody else uses, and measure again.")},
    Template{"comparison.iteration_change",
             QT_TRANSLATE_NOOP("core", "An iteration takes {b} in B and {a} in A: {change} ({percent}).")},
    Template{"comparison.sample_change",
             QT_TRANSLATE_NOOP("core", "A sample takes {b} in B and {a} in A: {change} ({percent}).")},
    Template{"comparison.per_sample",
             QT_TRANSLATE_NOOP("core",
                               "The batches are {a} in A and {b} in B, so times and amounts are those of a sample.")},
    Template{"comparison.one_iteration",
             QT_TRANSLATE_NOOP(
                 "core", "One side has a single iteration, so there is no interval and the difference may be chance.")},
    Template{"comparison.recordings_cannot_tell",
             QT_TRANSLATE_NOOP("core", "No difference found between the two recordings.")},
    Template{
        "comparison.same_machine",
        QT_TRANSLATE_NOOP(
            "core", "Work that is the same in both takes {ratio} as long in B: the machine itself ran equally fast.")},
    Template{"comparison.other_machine",
             QT_TRANSLATE_NOOP("core", "Work that is the same in both takes {ratio} as long in B: the clock, other "
                                       "programs, the device or other input data explain that, not other code.")},
    Template{"comparison.residual",
             QT_TRANSLATE_NOOP("core",
                               "Residual: {amount} {unit} ({share} of the difference) has no recorded cause. All "
                               "other time is in a step with its cause or its place.")},
    Template{"comparison.outside_operators",
             QT_TRANSLATE_NOOP(
                 "core",
                 "In {side}, {share} of the time lies outside the recorded operators: fused or compiled work, which "
                 "engines do not record one by one, or pauses. Operators that are removed below may run there.")},
    Template{"comparison.little_in_common",
             QT_TRANSLATE_NOOP("core", "Only {share} of the time of A's work has a counterpart in B. The traces are of "
                                       "different programs, or of engines whose names have nothing in common.")},
    Template{"comparison.host_against_device",
             QT_TRANSLATE_NOOP("core", "One side ran on the host and the other on a device: the operators of the host "
                                       "stand against the kernels that took their place.")},
    Template{"comparison.sections_for_iterations",
             QT_TRANSLATE_NOOP("core", "A recording marks no iterations. Its repeated sections were taken for them, "
                                       "and they may be layers: compare the amounts of work.")},
    Template{"comparison.whole_against_iterations",
             QT_TRANSLATE_NOOP(
                 "core",
                 "One recording has no iterations and counts as a whole, so the two times may be of different work.")},
    Template{"comparison.recording_turns_it_round",
             QT_TRANSLATE_NOOP(
                 "core", "Recording reverses the result: without it, {side} is the faster one. Calls cost more while "
                         "they are recorded, so look at the work of the device and not at what the host does.")},
    Template{"comparison.without_recording",
             QT_TRANSLATE_NOOP("core", "Without recording, the same runs differed by {bare} {unit}. The other {rest} "
                                       "{unit} come from recording, or from what else the machine did.")},
    Template{"comparison.within_each_recording",
             QT_TRANSLATE_NOOP("core",
                               "Intervals hold the spread within each recording. Two recordings of one program differ "
                               "by more: comparing their trials, measured in turns, decides which is faster.")},
    Template{"comparison.setting_model", QT_TRANSLATE_NOOP("core", "model")},
    Template{"comparison.setting_model_content", QT_TRANSLATE_NOOP("core", "model content")},
    Template{"comparison.setting_host", QT_TRANSLATE_NOOP("core", "host")},
    Template{"comparison.setting_machine", QT_TRANSLATE_NOOP("core", "machine")},
    Template{"comparison.setting_os", QT_TRANSLATE_NOOP("core", "os")},
    Template{"comparison.setting_kernel", QT_TRANSLATE_NOOP("core", "kernel")},
    Template{"comparison.setting_engine", QT_TRANSLATE_NOOP("core", "engine {engine}")},
    Template{"comparison.setting_memory", QT_TRANSLATE_NOOP("core", "{device} memory")},
    Template{"comparison.setting_cores", QT_TRANSLATE_NOOP("core", "{device} cores")},
    Template{"comparison.setting_instruction_sets", QT_TRANSLATE_NOOP("core", "{device} instruction sets")},
    Template{"comparison.setting_driver", QT_TRANSLATE_NOOP("core", "{device} driver")},
    Template{"comparison.setting_capability", QT_TRANSLATE_NOOP("core", "{device} compute capability")},
    Template{"comparison.setting_top_clock", QT_TRANSLATE_NOOP("core", "{device} top clock")},
    Template{"comparison.setting_load", QT_TRANSLATE_NOOP("core", "load average")},
    Template{"comparison.setting_device", QT_TRANSLATE_NOOP("core", "device")},
    Template{"comparison.setting_backend", QT_TRANSLATE_NOOP("core", "backend")},
    Template{"comparison.setting_level", QT_TRANSLATE_NOOP("core", "level")},
    Template{"comparison.setting_precision", QT_TRANSLATE_NOOP("core", "precision")},
    Template{"comparison.setting_batch", QT_TRANSLATE_NOOP("core", "batch")},
    Template{"comparison.setting_threads", QT_TRANSLATE_NOOP("core", "threads")},
    Template{"comparison.setting_calibration", QT_TRANSLATE_NOOP("core", "calibration")},
    Template{"comparison.setting_float_layers", QT_TRANSLATE_NOOP("core", "layers in float")},
    Template{"comparison.setting_switch", QT_TRANSLATE_NOOP("core", "switch {switch}")},
    Template{"comparison.setting_goal", QT_TRANSLATE_NOOP("core", "goal")},
    Template{"comparison.setting_bounds", QT_TRANSLATE_NOOP("core", "bounds")},
    Template{"comparison.setting_budget", QT_TRANSLATE_NOOP("core", "budget")},
    Template{"comparison.setting_target", QT_TRANSLATE_NOOP("core", "target interval")},
    Template{"comparison.setting_against", QT_TRANSLATE_NOOP("core", "{name}: {a} against {b}")},
    Template{"comparison.load_below_half", QT_TRANSLATE_NOOP("core", "below 0.5")},
    Template{"comparison.default_value", QT_TRANSLATE_NOOP("core", "default")},
    Template{"comparison.switch_on", QT_TRANSLATE_NOOP("core", "on")},
    Template{"comparison.switch_off", QT_TRANSLATE_NOOP("core", "off")},
    Template{"comparison.one_sample", QT_TRANSLATE_NOOP("core", "1 sample")},
    Template{"comparison.many_samples", QT_TRANSLATE_NOOP("core", "{count} samples")},
    Template{"comparison.samples_of", QT_TRANSLATE_NOOP("core", "{samples} of {images}")},
    Template{"comparison.goal_throughput", QT_TRANSLATE_NOOP("core", "throughput")},
    Template{"comparison.goal_latency", QT_TRANSLATE_NOOP("core", "latency")},
    Template{"comparison.goal_memory", QT_TRANSLATE_NOOP("core", "memory")},
    Template{"comparison.goal_energy", QT_TRANSLATE_NOOP("core", "energy")},
    Template{"comparison.goals", QT_TRANSLATE_NOOP("core", "{first},{rest}")},
    Template{"comparison.budget_unlimited", QT_TRANSLATE_NOOP("core", "unlimited")},
    Template{"comparison.budget_wall", QT_TRANSLATE_NOOP("core", "{budget}")},
    Template{"comparison.budget_measuring", QT_TRANSLATE_NOOP("core", "{budget} of measuring")},
    Template{"comparison.not_measured_in", QT_TRANSLATE_NOOP("core", "Not measured in {side}: {reason}")},
    Template{"comparison.matched_otherwise",
             QT_TRANSLATE_NOOP("core", "Its counterpart in {side} is matched with another configuration.")},
    Template{"comparison.nearest_differs",
             QT_TRANSLATE_NOOP("core", "The nearest configuration of {side} differs in {settings}.")},
    Template{"comparison.no_configuration_in", QT_TRANSLATE_NOOP("core", "{side} has no configuration.")},
    Template{"comparison.imported_times",
             QT_TRANSLATE_NOOP("core", "Another tool measured these times, and not in turns: a change of the machine "
                                       "between them counts as a difference.")},
    Template{
        "comparison.imported_times_by_value",
        QT_TRANSLATE_NOOP(
            "core",
            "Another tool measured these times, and not in turns: a change of the machine between them counts as a "
            "difference. Times without an interval are compared by their values alone, which gives no verdict.")},
    Template{"comparison.one_configuration", QT_TRANSLATE_NOOP("core", "1 configuration")},
    Template{"comparison.many_configurations", QT_TRANSLATE_NOOP("core", "{count} configurations")},
    Template{"comparison.machine_slower",
             QT_TRANSLATE_NOOP("core", "The machine itself was up to {slower} times slower when B was measured, by the "
                                       "drift readings beside {changed} of {all}. The ratios are corrected for it.")},
    Template{"comparison.machine_faster",
             QT_TRANSLATE_NOOP("core", "The machine itself was up to {faster} times faster when B was measured, by the "
                                       "drift readings beside {changed} of {all}. The ratios are corrected for it.")},
    Template{"comparison.machine_both",
             QT_TRANSLATE_NOOP(
                 "core",
                 "The machine itself was up to {slower} times slower and up to {faster} times faster when B was "
                 "measured, by the drift readings beside {changed} of {all}. The ratios are corrected for it.")},
    Template{"comparison.never_pays_off",
             QT_TRANSLATE_NOOP("core", "never pays off: {other} is faster and needs none")},
    Template{"comparison.may_never_pay_off",
             QT_TRANSLATE_NOOP("core", "may never pay off: {other} is about as fast and needs none")},
    Template{"comparison.pays_off_after",
             QT_TRANSLATE_NOOP("core", "pays off after {passes} passes [{lo}, {hi}] against {other}")},

    // core/claims/reasons.h
    Template{"claims.claim_training", QT_TRANSLATE_NOOP("core", "It is about training; Apertune measures inference.")},
    Template{"claims.claim_platform",
             QT_TRANSLATE_NOOP("core", "It is about {platform}, where Apertune does not run.")},
    Template{
        "claims.claim_own_model",
        QT_TRANSLATE_NOOP("core", "It is about {model}, which Apertune does not bring. Import your own and tune it.")},
    Template{"claims.claim_not_offered", QT_TRANSLATE_NOOP("core", "Apertune does not offer {setting}.")},
    Template{"claims.claim_judgement", QT_TRANSLATE_NOOP("core", "It rates the quality of images by eye.")},
    Template{"claims.claim_advice",
             QT_TRANSLATE_NOOP("core", "It is advice without a claimed effect. `{command}` shows what holds here.")},
    Template{"claims.claim_no_device",
             QT_TRANSLATE_NOOP("core", "It is about a device named {device}, and this machine has none.")},
    Template{"claims.claim_no_gpu", QT_TRANSLATE_NOOP("core", "It needs a GPU, and this machine has none.")},
    Template{"claims.claim_one_thread_per_core",
             QT_TRANSLATE_NOOP("core", "It is about processors with two threads a core, and this one has one.")},
    Template{"claims.claim_no_arithmetic",
             QT_TRANSLATE_NOOP("core", "{device} does not compute in {precision}; it would only emulate it.")},
    Template{"claims.claim_did_not_run", QT_TRANSLATE_NOOP("core", "{configuration} did not run here: {reason}")},
    Template{"claims.claim_few_peaks",
             QT_TRANSLATE_NOOP("core", "{pairs} pairs of peaks give no interval; it takes {least}.")},
    Template{"claims.claim_no_interval", QT_TRANSLATE_NOOP("core", "The samples give no interval. Measure longer.")},
    Template{"claims.claim_too_wide", QT_TRANSLATE_NOOP("core", "The interval is too wide to tell. Measure longer.")},
    Template{"claims.claim_holds_no_effect",
             QT_TRANSLATE_NOOP("core",
                               "The interval contains the claim and also no effect. Measure longer, or more models.")},

    // core/report/reasons.h
    Template{"report.confirmed_at_the_end",
             QT_TRANSLATE_NOOP("core",
                               "Unconfirmed: the best trials are measured again, in turns, at the end of the study.")},
    Template{"report.unconfirmed",
             QT_TRANSLATE_NOOP("core", "Unconfirmed: it was not measured in turns with {other}, so other load on the "
                                       "machine may make the difference. {remedy}")},
    Template{"report.another_trial", QT_TRANSLATE_NOOP("core", "another trial")},
    Template{"report.goes_on_and_confirms", QT_TRANSLATE_NOOP("core", "`{command}` continues and confirms it.")},
    Template{"report.confirms", QT_TRANSLATE_NOOP("core", "`{command}` confirms it.")},
    Template{
        "report.shortlist_running",
        QT_TRANSLATE_NOOP(
            "core", "No recommendation yet: the best trials are measured again, in turns, at the end of the study.")},
    Template{"report.shortlist",
             QT_TRANSLATE_NOOP("core",
                               "No recommendation: {cause}. The best trials were not measured in turns, so other "
                               "load on the machine may explain their differences. {remedy}")},
    Template{"report.several_machines",
             QT_TRANSLATE_NOOP("core", "No recommendation: machines of several classes measured the trials, and the "
                                       "times of one class say nothing about another. The shortlist has the best trial "
                                       "of each class. {remedy}")},
    Template{
        "report.only_one_measured",
        QT_TRANSLATE_NOOP(
            "core", "No recommendation: {cause}. Only 1 configuration of {configurations} was measured. {remedy}")},
    Template{"report.because_interrupted", QT_TRANSLATE_NOOP("core", "the study was interrupted")},
    Template{"report.because_budget_spent", QT_TRANSLATE_NOOP("core", "the budget was spent")},
    Template{"report.because_not_confirmed", QT_TRANSLATE_NOOP("core", "nothing was confirmed")},
    Template{"report.goes_on_and_confirms_them", QT_TRANSLATE_NOOP("core", "`{command}` continues and confirms them.")},
    Template{"report.confirms_them", QT_TRANSLATE_NOOP("core", "`{command}` confirms them.")},
    Template{"report.waits_and_confirms_them",
             QT_TRANSLATE_NOOP("core", "`{command}` waits until other programs are done and confirms them.")},
    Template{"report.candidate", QT_TRANSLATE_NOOP("core", "{configuration}: {ratio} as fast as {other}")},
    Template{"report.candidate_unknown",
             QT_TRANSLATE_NOOP("core", "{configuration}: too few passes to compare it with {other}")},
    Template{"report.candidate_as_loaded", QT_TRANSLATE_NOOP("core", "{configuration}: the model as loaded")},
    Template{"report.candidate_alone",
             QT_TRANSLATE_NOOP("core", "{configuration}: there is no O0 fp32 to compare it with")},
    Template{"report.candidate_of_machine", QT_TRANSLATE_NOOP("core", "{candidate}; measured on {machine}")},
    Template{"report.measured_under_load",
             QT_TRANSLATE_NOOP("core", "Other programs took processor time from it, so the difference is an estimate. "
                                       "`{command}` waits until they are done and measures it again.")},
    Template{"report.gain_unknown", QT_TRANSLATE_NOOP("core", "Cannot tell how it compares with {other}: {cause}.")},
    Template{"report.gain_unknown_so_do",
             QT_TRANSLATE_NOOP("core", "Cannot tell how it compares with {other}: {cause}. {remedy}")},
    Template{"report.because_busy", QT_TRANSLATE_NOOP("core", "other programs kept the machine busy")},
    Template{"report.because_few_blocks",
             QT_TRANSLATE_NOOP("core", "there was time for too few blocks of each ({blocks})")},
    Template{"report.because_times_vary", QT_TRANSLATE_NOOP("core", "their times vary too much")},
    Template{"report.imported_not_ranked",
             QT_TRANSLATE_NOOP("core", "No recommendation: Apertune ranks nothing that another tool measured.")},
    Template{"report.none_measured",
             QT_TRANSLATE_NOOP("core", "No recommendation: no configuration of {configurations} could be measured.")},
    Template{"report.none_measured_ineligible",
             QT_TRANSLATE_NOOP(
                 "core", "No recommendation: no configuration of {configurations} could be measured; {ineligible}.")},
    Template{
        "report.too_brief",
        QT_TRANSLATE_NOOP(
            "core",
            "No recommendation: no measured configuration of {measured} has enough passes for an interval. {remedy}")},
    Template{"report.too_brief_ineligible",
             QT_TRANSLATE_NOOP("core", "No recommendation: no measured configuration of {measured} has enough passes "
                                       "for an interval; {ineligible}. {remedy}")},
    Template{"report.none_keeps",
             QT_TRANSLATE_NOOP(
                 "core", "No recommendation: no measured configuration of {measured} keeps to the goal ({bounds}).")},
    Template{
        "report.none_keeps_ineligible",
        QT_TRANSLATE_NOOP(
            "core",
            "No recommendation: no measured configuration of {measured} keeps to the goal ({bounds}); {ineligible}.")},
    Template{"report.none_has_and_keeps",
             QT_TRANSLATE_NOOP("core", "No recommendation: no measured configuration of {measured} has an interval and "
                                       "keeps to the goal ({bounds}).")},
    Template{"report.none_has_and_keeps_ineligible",
             QT_TRANSLATE_NOOP("core", "No recommendation: no measured configuration of {measured} has an interval and "
                                       "keeps to the goal ({bounds}); {ineligible}.")},
    Template{"report.goes_on", QT_TRANSLATE_NOOP("core", "`{command}` continues.")},
    Template{"report.measure_longer", QT_TRANSLATE_NOOP("core", "Measure longer: `{command}`.")},
    Template{"report.sweep_again", QT_TRANSLATE_NOOP("core", "Sweep again with a longer --budget.")},
    Template{"report.both_ineligible", QT_TRANSLATE_NOOP("core", "{first}; {second}")},
    Template{"report.one_gives_nan", QT_TRANSLATE_NOOP("core", "1 gives NaN or infinite values")},
    Template{"report.many_give_nan", QT_TRANSLATE_NOOP("core", "{count} give NaN or infinite values")},
    Template{"report.one_not_compared",
             QT_TRANSLATE_NOOP("core", "the outputs of 1 other could not be compared with those of O0 fp32")},
    Template{"report.many_not_compared",
             QT_TRANSLATE_NOOP("core", "the outputs of {count} others could not be compared with those of O0 fp32")},
    Template{"report.as_loaded", QT_TRANSLATE_NOOP("core", "the model as loaded; {ineligible}")},
    Template{"report.nothing_better",
             QT_TRANSLATE_NOOP("core", "the model as loaded: no measured configuration is clearly better")},
    Template{"report.nothing_else",
             QT_TRANSLATE_NOOP(
                 "core", "the model as loaded: nothing else was measured, so what optimizing gains is not known")},
    Template{
        "report.nothing_else_ineligible",
        QT_TRANSLATE_NOOP(
            "core",
            "the model as loaded: nothing else was measured, so what optimizing gains is not known; {ineligible}")},
    Template{"report.runner_up",
             QT_TRANSLATE_NOOP("core", "Runner-up: {configuration} ({trial}). Lead over it: {ratio}.")},
    Template{"report.runner_up_tied",
             QT_TRANSLATE_NOOP("core", "No difference found from the runner-up {configuration} ({trial}): {ratio}.")},
    Template{
        "report.runner_up_unconfirmed",
        QT_TRANSLATE_NOOP(
            "core",
            "Runner-up so far: {configuration} ({trial}). Lead over it: {ratio}; the two were not measured in turns.")},
    Template{"report.runner_up_unknown",
             QT_TRANSLATE_NOOP("core",
                               "Too little was measured to compare it with the runner-up {configuration} ({trial}).")},
    Template{"report.stage_decode", QT_TRANSLATE_NOOP("core", "Decode")},
    Template{"report.stage_preprocess", QT_TRANSLATE_NOOP("core", "Preprocess")},
    Template{"report.stage_copy_in", QT_TRANSLATE_NOOP("core", "Copy in")},
    Template{"report.stage_infer", QT_TRANSLATE_NOOP("core", "Infer")},
    Template{"report.stage_copy_back", QT_TRANSLATE_NOOP("core", "Copy back")},
    Template{"report.stage_postprocess", QT_TRANSLATE_NOOP("core", "Postprocess")},
    Template{"report.stage_time", QT_TRANSLATE_NOOP("core", "{stage} {time} ms")},
    Template{"report.host_bounds",
             QT_TRANSLATE_NOOP("core", "{stage} limits the rate: the decoding threads work {busy} of the time.")},
    Template{"report.device_bounds",
             QT_TRANSLATE_NOOP("core", "{stage} limits the rate: the device works {busy} of the time.")},
    Template{"report.postprocessing_bounds",
             QT_TRANSLATE_NOOP("core", "{stage} limits the rate: the postprocessing thread works {busy} of the time.")},
    Template{"report.decoding_threads", QT_TRANSLATE_NOOP("core", "the decoding threads")},
    Template{"report.the_device", QT_TRANSLATE_NOOP("core", "the device")},
    Template{"report.postprocessing_thread", QT_TRANSLATE_NOOP("core", "the postprocessing thread")},
    Template{"report.nothing_bounds_rate",
             QT_TRANSLATE_NOOP("core", "No stage limits the rate: the busiest, {busiest}, works {busy} of the time; "
                                       "images come at {rate} a second.")},
    Template{
        "report.nothing_bounds_wait",
        QT_TRANSLATE_NOOP(
            "core",
            "No stage limits the rate: the busiest, {busiest}, works {busy} of the time; images wait for each other.")},
    Template{
        "report.model_alone",
        QT_TRANSLATE_NOOP(
            "core", "The model alone, same process: {time} ms an image, {rate} images/s; end to end {share} of that.")},
    Template{"report.stage_bar",
             QT_TRANSLATE_NOOP("core", "Time of an image by stage: {stages}. Model alone {alone} ms. {bound}")},
    Template{"report.metric_map_at", QT_TRANSLATE_NOOP("core", "mAP at 0.50")},
    Template{"report.share_with_interval", QT_TRANSLATE_NOOP("core", "{share} % [{lo}, {hi}]")},
    Template{"report.share_without_interval", QT_TRANSLATE_NOOP("core", "{share} % (no interval)")},
    Template{"report.one_labelled_image", QT_TRANSLATE_NOOP("core", "1 labelled image of {folder}")},
    Template{"report.labelled_images", QT_TRANSLATE_NOOP("core", "{count} labelled images of {folder}")},
    Template{"report.one_labelled_image_skipped",
             QT_TRANSLATE_NOOP("core", "1 labelled image of {folder}, {skipped} could not be read")},
    Template{"report.labelled_images_skipped",
             QT_TRANSLATE_NOOP("core", "{count} labelled images of {folder}, {skipped} could not be read")},

    // profilers/host/reasons.h
    Template{"host.no_resident_memory",
             QT_TRANSLATE_NOOP("core", "Resident memory cannot be read: there is no /proc/self/statm.")},
    Template{"host.no_stolen_time", QT_TRANSLATE_NOOP("core", "Stolen time cannot be read: there is no /proc/stat.")},
    Template{
        "host.no_clock",
        QT_TRANSLATE_NOOP(
            "core", "The processor's clock cannot be read: this system has no cpufreq, like most virtual machines.")},
    Template{"host.no_power",
             QT_TRANSLATE_NOOP("core", "The processor's power cannot be read: this system offers no RAPL.")},
    Template{"host.power_for_root",
             QT_TRANSLATE_NOOP("core", "The processor's power cannot be read: energy_uj below /sys/class/powercap is "
                                       "for root only. Let your group read it (chgrp, chmod g+r) to see power.")},

    // profilers/nvml/reasons.h
    Template{"nvml.clock_held_back",
             QT_TRANSLATE_NOOP("core", "The GPU's clock was held back ({why}) in {count} of {samples} samples: its "
                                       "times are longer than they could be.")},

    // profilers/cupti/reasons.h
    Template{"cupti.dropped", QT_TRANSLATE_NOOP("core", "CUPTI dropped records: there was no room for them.")},
    Template{"cupti.memory_cap",
             QT_TRANSLATE_NOOP("core", "The memory cap for GPU records was reached: this many buffers could not be "
                                       "given, and the records that they would have held are missing.")},
    Template{"cupti.buffers_kept",
             QT_TRANSLATE_NOOP("core", "CUPTI did not give these buffers back: the records in them are missing.")},
    Template{"cupti.stopped",
             QT_TRANSLATE_NOOP("core", "CUPTI stopped within the recording ({why}): what ran afterwards is missing.")},
    Template{
        "cupti.nvtx_elsewhere",
        QT_TRANSLATE_NOOP("core", "NVTX ranges are not in the trace: NVTX_INJECTION64_PATH sends them to {receiver}.")},
    Template{"cupti.whole_graphs",
             QT_TRANSLATE_NOOP("core", "CUDA graphs were recorded as whole launches, as requested: the work inside "
                                       "them is not listed by itself.")},
    Template{"cupti.does_not_record", QT_TRANSLATE_NOOP("core", "CUPTI does not record {what} here: {why}.")},
    Template{"cupti.own_clock", QT_TRANSLATE_NOOP("core", "CUPTI keeps its own clock here: its times may be off by "
                                                          "microseconds and move when the system's clock is set.")},
    Template{"cupti.records_not_kept", QT_TRANSLATE_NOOP("core", "Records were not kept: {problem}")},
    Template{"cupti.open_ranges",
             QT_TRANSLATE_NOOP("core", "NVTX ranges had not ended when the capture did: they are drawn to its end.")},
    Template{"cupti.more_than_kept",
             QT_TRANSLATE_NOOP("core", "There were more GPU records than a recording keeps ({most}): the later ones "
                                       "are missing. Trace fewer iterations.")},
    Template{"cupti.unknown_kind",
             QT_TRANSLATE_NOOP("core", "CUPTI records of kind {kind} are not known to this version.")},
    Template{"cupti.untimed", QT_TRANSLATE_NOOP("core", "CUPTI has no times for these records.")},
    Template{"cupti.unreadable_buffers",
             QT_TRANSLATE_NOOP("core", "The rest of these CUPTI buffers could not be read.")},
    Template{"cupti.sample_clock",
             QT_TRANSLATE_NOOP("core", "The GPU's samples have a clock of their own: they are placed by when sampling "
                                       "began, and may be off by some milliseconds.")},
    Template{"cupti.not_sampled",
             QT_TRANSLATE_NOOP("core", "This chip cannot sample everything at once; left out: {metrics}.")},
    Template{"cupti.sample_buffer_full",
             QT_TRANSLATE_NOOP("core", "The GPU's sample buffer was full, so samples are missing.")},
    Template{"cupti.sampling_ended", QT_TRANSLATE_NOOP("core", "Sampling ended early: {why}.")},
    Template{
        "cupti.no_samples",
        QT_TRANSLATE_NOOP("core", "The GPU gave no samples: the recording was shorter than a few sampling intervals.")},
    Template{"cupti.not_counted", QT_TRANSLATE_NOOP("core", "This chip cannot count everything; left out: {metrics}.")},
    Template{"cupti.passes_missing",
             QT_TRANSLATE_NOOP("core",
                               "Not every pass over the kernels was made: counters that need several may be wrong.")},
    Template{"cupti.kernels_dropped",
             QT_TRANSLATE_NOOP("core", "Kernels were dropped: more ran than counters were reserved for.")},
    Template{
        "cupti.kernels_in_order",
        QT_TRANSLATE_NOOP(
            "core", "Counters of kernels carry no times: the kernels stand one after another in the order of launch.")},
    Template{"cupti.kernels_in_order_untimed",
             QT_TRANSLATE_NOOP("core", "Counters of kernels carry no times: the kernels stand one after another in the "
                                       "order of launch, each as if it took a microsecond.")},
    Template{"cupti.no_numbers", QT_TRANSLATE_NOOP("core", "Counters whose values are not numbers were left out.")},
    Template{"cupti.device_properties", QT_TRANSLATE_NOOP("core", "device properties")},
    Template{"cupti.contexts", QT_TRANSLATE_NOOP("core", "contexts")},
    Template{"cupti.streams", QT_TRANSLATE_NOOP("core", "streams")},
    Template{"cupti.runtime_calls", QT_TRANSLATE_NOOP("core", "runtime calls")},
    Template{"cupti.driver_calls", QT_TRANSLATE_NOOP("core", "driver calls")},
    Template{"cupti.operators_behind", QT_TRANSLATE_NOOP("core", "the operators behind kernels")},
    Template{"cupti.kernels", QT_TRANSLATE_NOOP("core", "kernels")},
    Template{"cupti.copies", QT_TRANSLATE_NOOP("core", "copies")},
    Template{"cupti.fills", QT_TRANSLATE_NOOP("core", "fills")},
    Template{"cupti.synchronisation", QT_TRANSLATE_NOOP("core", "synchronisation")},
    Template{"cupti.cuda_events", QT_TRANSLATE_NOOP("core", "CUDA events")},
    Template{"cupti.allocations", QT_TRANSLATE_NOOP("core", "allocations")},
    Template{"cupti.memory_pools", QT_TRANSLATE_NOOP("core", "memory pools")},
    Template{"cupti.overhead", QT_TRANSLATE_NOOP("core", "the cost of recording")},
    Template{"cupti.nvtx_ranges", QT_TRANSLATE_NOOP("core", "NVTX ranges")},
    Template{"cupti.names", QT_TRANSLATE_NOOP("core", "names")},
    Template{"cupti.compilation", QT_TRANSLATE_NOOP("core", "compilation")},
    Template{"cupti.link_speed", QT_TRANSLATE_NOOP("core", "the link's speed")},
    Template{"cupti.cuda_graphs", QT_TRANSLATE_NOOP("core", "CUDA graphs")},
    Template{"cupti.subscriber", QT_TRANSLATE_NOOP("core", "a subscriber")},
    Template{"cupti.its_buffers", QT_TRANSLATE_NOOP("core", "its buffers")},
};

} // namespace

std::span<const Template> templates()
{
    static const std::vector<Template> all = [] {
        std::vector<Template> both(kTemplates.begin(), kTemplates.end());
        both.insert(both.end(), errorTemplates().begin(), errorTemplates().end());
        return both;
    }();
    return all;
}

} // namespace apertune::sentences
