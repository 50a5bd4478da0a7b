// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"

#include <array>

/// Qt's lupdate finds the texts that are to be translated by this name.
#define QT_TRANSLATE_NOOP(context, text) text

namespace apertune::sentences {

namespace {

constexpr std::array kTemplates{
    Template{"text", "{text}"},

    // core/search/reasons.h
    Template{"search.budget_spent", QT_TRANSLATE_NOOP("core", "The budget was spent before its turn.")},
    Template{"search.getting_worse",
             QT_TRANSLATE_NOOP("core", "It went on getting worse: {best} with batch {best_batch}, {before} with batch "
                                       "{before_batch}, {last} with batch {last_batch}.")},
    Template{"search.far_behind", QT_TRANSLATE_NOOP("core", "Its most promising batch made {figure}; {leader} makes "
                                                            "{leader_figure} with batch {leader_batch}.")},
    Template{"search.behind",
             QT_TRANSLATE_NOOP("core", "Its two most promising batches made {first} and {second}; {leader} makes "
                                       "{leader_figure} with batch {leader_batch}.")},
    Template{"search.ceiling", QT_TRANSLATE_NOOP("core", "It cannot exceed {ceiling}; the leader makes {leader}.")},
    Template{"search.compile_gain",
             QT_TRANSLATE_NOOP("core", "Without compiling it reaches {share} of the leader; compiling has gained 3× at "
                                       "most.")},
    Template{"search.compile_time",
             QT_TRANSLATE_NOOP("core", "Compiling takes about {compile} and {left} of the budget are left.")},
    Template{"search.beyond_memory",
             QT_TRANSLATE_NOOP("core", "It would take about {needed} of {memory}, by the peaks of smaller batches.")},
    Template{"search.batch_beyond_memory",
             QT_TRANSLATE_NOOP("core", "Batch {batch} would take about {needed} of {memory}, by the peaks of smaller "
                                       "batches.")},
    Template{"search.no_growth",
             QT_TRANSLATE_NOOP("core", "Throughput no longer grows with the batch: batch {batch} gives {figure}, a "
                                       "smaller one gave {best}.")},
    Template{"search.latency_bound",
             QT_TRANSLATE_NOOP("core", "A smaller batch of it exceeds the bound of {bound} already.")},
    Template{"search.two_batches_failed",
             QT_TRANSLATE_NOOP("core", "Two batches of it could not be measured: {reason}")},
    Template{"search.too_little_in_float",
             QT_TRANSLATE_NOOP("core", "With more of its layers in float it still agrees too little with O0 fp32.")},
    Template{"search.enough_in_float", QT_TRANSLATE_NOOP("core", "Fewer of its layers in float are enough.")},
    Template{"search.backend_cannot_run", QT_TRANSLATE_NOOP("core", "The backend {backend} cannot run here.")},
    Template{"search.backend_cannot_run_because",
             QT_TRANSLATE_NOOP("core", "The backend {backend} cannot run here: {reason}")},
    Template{"search.backend_cannot_use", QT_TRANSLATE_NOOP("core", "The backend {backend} cannot use {device} here.")},
    Template{"search.backend_cannot_use_because",
             QT_TRANSLATE_NOOP("core", "The backend {backend} cannot use {device} here: {reason}.")},
    Template{"search.precision_gpu_only", QT_TRANSLATE_NOOP("core", "{precision} arithmetic exists on GPUs only.")},
    Template{"search.precision_needs_gpu",
             QT_TRANSLATE_NOOP("core", "{precision} needs a GPU of compute capability {capability}.")},
    Template{"search.precision_needs_capability",
             QT_TRANSLATE_NOOP("core", "{precision} needs compute capability {capability}, {device} has {has}.")},
    Template{"search.precision_emulated",
             QT_TRANSLATE_NOOP("core", "{device} has no {precision} arithmetic ({instructions}) and would only emulate "
                                       "it.")},
    Template{"search.precision_not_offered",
             QT_TRANSLATE_NOOP("core", "The backend {backend} does not offer {precision}.")},
    Template{"search.int8_cpu_only", QT_TRANSLATE_NOOP("core", "{backend} computes int8 on a CPU only.")},
    Template{"search.int8_emulated",
             QT_TRANSLATE_NOOP("core", "{device} has no 8-bit dot products (VNNI or AMX) and would only emulate "
                                       "int8.")},
    Template{"search.switch_cpu_only", QT_TRANSLATE_NOOP("core", "{switch} works on a CPU only.")},
    Template{"search.switch_gpu_only", QT_TRANSLATE_NOOP("core", "{switch} works on a GPU only.")},
    Template{"search.quantized_needs_aoti",
             QT_TRANSLATE_NOOP("core", "{precision} is made when the model is compiled, at O3: it needs aoti.")},
    Template{"search.tf32_needs_fp32",
             QT_TRANSLATE_NOOP("core", "tf32 is arithmetic on fp32 tensors and does nothing at {precision}.")},
    Template{"search.no_such_switch", QT_TRANSLATE_NOOP("core", "The backend {backend} has no switch {switch}.")},
    Template{"search.cannot_convert", QT_TRANSLATE_NOOP("core", "The model cannot be written for {backend}: {reason}")},
    Template{"search.format_not_opened",
             QT_TRANSLATE_NOOP("core", "The model is there as {format} only, which the backend {backend} does not "
                                       "open.")},
    Template{"search.fixed_batch",
             QT_TRANSLATE_NOOP("core", "The model takes batch 1 only: its batch dimension is fixed.")},
    Template{"search.no_exported_program",
             QT_TRANSLATE_NOOP("core", "The model has no exported program to compile from.")},
    Template{"search.no_exported_program_because",
             QT_TRANSLATE_NOOP("core", "The model has no exported program to compile from: {reason}")},
    Template{"search.torchscript_not_compiled",
             QT_TRANSLATE_NOOP("core", "The model has no exported program to compile from; a TorchScript file cannot "
                                       "be compiled.")},
    Template{"search.no_compiler", QT_TRANSLATE_NOOP("core", "Nothing can compile a package here.")},
    Template{"search.no_compiler_because", QT_TRANSLATE_NOOP("core", "Nothing can compile a package here: {reason}")},

    // core/study/reasons.h
    Template{"study.budget_spent", QT_TRANSLATE_NOOP("core", "The measuring budget of {budget} was spent.")},
    Template{"study.budget_spent_before", QT_TRANSLATE_NOOP("core", "The measuring budget was spent before its turn.")},
    Template{"study.batch_search_ended",
             QT_TRANSLATE_NOOP("core", "The time for finding the largest batch was spent.")},
    Template{"study.largest_batch",
             QT_TRANSLATE_NOOP("core", "The configuration that was measured first ends at batch {batch} ({reason}), so "
                                       "none is tried beyond {reach}.")},
    Template{"study.too_slow",
             QT_TRANSLATE_NOOP("core", "A pass took {pass}, {ratio} times what O0 fp32 takes for as many samples.")},
    Template{"study.not_a_number",
             QT_TRANSLATE_NOOP("core", "The outputs have {count} values that are NaN, or Inf where the reference is "
                                       "not.")},
    Template{"study.batch_out_of_memory",
             QT_TRANSLATE_NOOP("core", "Batch {batch} of this configuration ran out of memory already.")},
    Template{"study.device_gone", QT_TRANSLATE_NOOP("core", "The device is not in this machine any more.")},
    Template{"study.no_more_blocks", QT_TRANSLATE_NOOP("core", "It gave no further blocks.")},
    Template{"study.below_quality_bound",
             QT_TRANSLATE_NOOP("core", "Its outputs agree too little with those of O0 fp32: cosine {cosine}, the goal "
                                       "asks for {bound}.")},

    Template{"study.unreadable_answer", QT_TRANSLATE_NOOP("core", "The worker's answer is unreadable: {why}.")},
    Template{"study.nothing_compiles", QT_TRANSLATE_NOOP("core", "Nothing can be compiled here.")},
    Template{
        "study.stays_unconfirmed",
        QT_TRANSLATE_NOOP("core", "The winner stays unconfirmed: that takes about {needed}, and {left} are left.")},
    Template{"study.confirming",
             QT_TRANSLATE_NOOP("core", "Confirming {winner} against {others}, block by block in fresh processes.")},
    Template{"study.not_compared", QT_TRANSLATE_NOOP("core", "They could not be compared: {reason}")},
    Template{"study.too_few_passes",
             QT_TRANSLATE_NOOP("core", "The turns had too few passes to tell the percentile that the goal bounds, so "
                                       "the earlier measurements stay.")},
    Template{"study.not_measured_again",
             QT_TRANSLATE_NOOP("core", "A configuration could not be measured again: {reason}")},
    Template{"study.bad_timers", QT_TRANSLATE_NOOP("core", "{problem} Times measured here may be wrong.")},
    Template{"study.no_reference",
             QT_TRANSLATE_NOOP("core", "No reference outputs at batch {batch} on {device}: {reason}")},
    Template{"study.note", QT_TRANSLATE_NOOP("core", "{configuration}: {note}")},
    Template{"study.timing_passes",
             QT_TRANSLATE_NOOP("core", "Timing {passes} passes of {configuration}: p{percentile} needs them.")},
    Template{"study.few_passes",
             QT_TRANSLATE_NOOP("core", "only {passes} of {needed} passes ended in the time there was.")},
    Template{"study.percentile_unknown",
             QT_TRANSLATE_NOOP("core", "The percentile of {configuration} is not known: {reason}")},
    Template{"study.drift_monitoring_stopped", QT_TRANSLATE_NOOP("core", "Drift monitoring stopped: {reason}")},
    Template{"study.measuring_noise_floor",
             QT_TRANSLATE_NOOP("core", "Measuring the noise floor: the winner against itself, which shows how small a "
                                       "difference can be seen here.")},

    // core/worker/reasons.h
    Template{"worker.unreadable", QT_TRANSLATE_NOOP("core", "The worker's answers are unreadable: {why}")},
    Template{"worker.closed_output", QT_TRANSLATE_NOOP("core", "The worker closed its output and had to be killed.")},
    Template{"worker.silent",
             QT_TRANSLATE_NOOP("core", "The worker gave no sign of life for {time} (phase: {phase}) and was killed.")},
    Template{"worker.too_long",
             QT_TRANSLATE_NOOP("core", "The worker took longer than {time} (phase: {phase}) and was ended.")},
    Template{"worker.cancelled", QT_TRANSLATE_NOOP("core", "Cancelled.")},
    Template{"worker.protocol",
             QT_TRANSLATE_NOOP("core", "The worker speaks protocol {worker}, this program {program}.")},
    Template{"worker.ended", QT_TRANSLATE_NOOP("core", "The worker has ended already.")},
    Template{"worker.no_reason", QT_TRANSLATE_NOOP("core", "The worker failed and did not say why.")},
    Template{"worker.killed_for_memory",
             QT_TRANSLATE_NOOP("core", "The kernel killed the worker for want of memory (SIGKILL).")},
    Template{"worker.out_of_memory", QT_TRANSLATE_NOOP("core", "The worker ran out of memory and died ({how}).")},
    Template{"worker.killed",
             QT_TRANSLATE_NOOP("core", "The worker was killed by SIGKILL, by another process or for want of memory.")},
    Template{"worker.crashed", QT_TRANSLATE_NOOP("core", "The worker crashed: {how}.")},
    Template{"worker.exited", QT_TRANSLATE_NOOP("core", "The worker ended by itself: {how}.")},

    // core/model/switch_conflict.h
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
    Template{"switch.needs_aoti", QT_TRANSLATE_NOOP("core", "{switch} is a way to compile and needs aoti.")},
};

} // namespace

std::span<const Template> templates()
{
    return kTemplates;
}

} // namespace apertune::sentences
