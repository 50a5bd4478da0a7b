/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The boundary between apertune-worker and an inference backend. It is the only Apertune header a
 * backend includes, it is plain C, and it is versioned: a worker refuses a plugin whose
 * abi_version differs from its own and says so.
 *
 * A backend is a shared library in lib/apertune/plugins/<name>.so that exports one function,
 * apertune_plugin_entry(). The worker loads exactly one backend, in a process of its own, so a
 * backend may set process-wide switches, and may crash: the supervisor turns that into a failed trial.
 *
 * Conventions
 *  - Cold calls (describe, open, report) speak JSON in UTF-8; hot calls (run, synchronize) speak C.
 *  - Text goes out through a sink that the caller owns; a plugin never hands out memory to free.
 *  - Times are integer nanoseconds, sizes are bytes.
 *  - No exception leaves a function. A status other than APERTUNE_OK is explained by last_error().
 *  - Threads: all calls come from one thread, the measuring thread. A plugin may use threads inside.
 *  - Functions are only ever appended to the table. A worker calls those behind `close` only when struct_size says that
 *    the table has them and the pointer is not null, so that a backend may be older or may leave them out.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define APERTUNE_PLUGIN_ABI_VERSION 2u /* 2: devices in place of switches that run a model elsewhere */

typedef enum apertune_status {
    APERTUNE_OK = 0,
    APERTUNE_BAD_INPUT = 1,     /* the model or the request is unusable: another configuration may work            */
    APERTUNE_UNSUPPORTED = 2,   /* this configuration cannot exist here (device, precision, switch combination)    */
    APERTUNE_OUT_OF_MEMORY = 3, /* host or device memory ran out; the process should be replaced          */
    APERTUNE_MODEL_THREW = 4,   /* the model itself failed while running                                  */
    APERTUNE_DEVICE_LOST = 5,   /* the device context is dead; the process must be replaced               */
    APERTUNE_INTERNAL = 6       /* the backend is broken                                                  */
} apertune_status;

/* Receives `size` bytes of UTF-8, not zero-terminated. Called during the call it was passed to, at most once. */
typedef void (*apertune_text_sink)(void* user, const char* text, size_t size);

typedef enum apertune_dtype { APERTUNE_FLOAT32 = 0, APERTUNE_INT64 = 1 } apertune_dtype;

/* A dense row-major tensor in host memory, valid only during the call that passes it. Floating-point
 * outputs of any precision arrive converted to float32, integers and booleans to int64. */
typedef struct apertune_tensor
{
    const char* name;
    apertune_dtype dtype;
    uint32_t rank;
    const int64_t* shape;
    const void* data;
} apertune_tensor;

typedef void (*apertune_tensor_sink)(void* user, const apertune_tensor* tensors, size_t count);

/* The kinds of record that trace_start() is asked for, added together. */
enum {
    APERTUNE_TRACE_OPERATORS = 1, /* operators of the framework, nested as they call each other         */
    APERTUNE_TRACE_SHAPES = 2,    /* with the shapes of their inputs                                    */
    APERTUNE_TRACE_MEMORY = 4,    /* every allocation and release of the framework, on host and device  */
    APERTUNE_TRACE_NVTX = 8       /* operators also as NVTX ranges, for a tool that is attached outside */
};

typedef struct apertune_trace_options
{
    uint32_t struct_size; /* sizeof(apertune_trace_options) of the worker                                   */
    uint32_t record;      /* APERTUNE_TRACE_…                                                               */
    uint64_t max_events;  /* for each thread; later events are counted as lost. 0: the backend's own limit */
    /* Either both null or both set. They are called on the thread of an operator: enter() when it begins, with the
     * number that its event has as `link`, and leave() when it ends. They link device work to the operator that
     * caused it. They are quick, do not fail and may be called from any thread. */
    void (*enter)(uint64_t link);
    void (*leave)(void);
} apertune_trace_options;

typedef enum apertune_trace_kind {
    APERTUNE_TRACE_OPERATOR = 1,  /* an operator: name, and detail: the shapes of its inputs          */
    APERTUNE_TRACE_RANGE = 2,     /* an interval that the model's author named                        */
    APERTUNE_TRACE_ALLOCATION = 3 /* value: bytes, negative when released; address; device; no name   */
} apertune_trace_kind;

typedef struct apertune_trace_event
{
    int64_t start_ns;    /* CLOCK_MONOTONIC                                                        */
    int64_t duration_ns; /* 0 for an allocation                                                    */
    int64_t value;       /* operator: its sequence number, or -1                                   */
    uint64_t address;    /* allocation: its address                                                */
    uint32_t kind;       /* apertune_trace_kind                                                    */
    uint32_t thread;     /* the operating system's number of the thread                            */
    uint32_t name;       /* index of a string; 0 is the empty string                               */
    uint32_t detail;     /* operator: index of a text such as "[[1, 3, 224, 224], [64, 3, 7, 7]]"  */
    uint32_t link;       /* the argument of enter(); 0: it was not called                          */
    int32_t device;      /* allocation: -1 the host, else the number of the device                 */
} apertune_trace_event;

/* A part of a recording, valid during the call that passes it. The strings of all batches of one trace_stop() are
 * numbered consecutively: strings[i] has the index first_string + i. An event refers to no string of a later batch. */
typedef struct apertune_trace_batch
{
    uint32_t struct_size; /* sizeof(apertune_trace_batch) of the backend */
    uint32_t first_string;
    size_t string_count;
    const char* const* strings; /* zero-terminated UTF-8 */
    size_t event_count;
    const apertune_trace_event* events; /* in any order                                             */
    uint64_t lost;                      /* events that are missing from this part                    */
} apertune_trace_batch;

typedef void (*apertune_trace_sink)(void* user, const apertune_trace_batch* batch);

/* The kind of host memory that samples are copied from. */
enum {
    APERTUNE_PAGEABLE = 0,
    APERTUNE_PINNED = 1 /* locked, so that a device reads it without the processor; a CPU has no such copies */
};

/* The meaning of the bytes of a sample. */
enum {
    APERTUNE_SAMPLE_VALUES = 0, /* the input at batch 1, row-major, in the type of the manifest                   */
    APERTUNE_SAMPLE_PIXELS = 1  /* height x width x 3 bytes, for an input [1, 3, height, width] of floating point:
                                 * the backend makes (byte / 255 - mean[c]) / deviation[c] of them, on the device */
};

typedef struct apertune_samples
{
    uint32_t struct_size;    /* sizeof(apertune_samples) of the worker                                     */
    uint32_t kind;           /* APERTUNE_SAMPLE_…                                                          */
    uint32_t port;           /* index of the input in the manifest                                         */
    uint32_t count;          /* at most the batch                                                          */
    const void* const* data; /* `count` samples; they do not change until synchronize() has returned       */
    float mean[3];
    float deviation[3];
} apertune_samples;

/* One model made ready for one configuration on one device. Owned by the plugin, ended by close(). */
typedef struct apertune_session apertune_session;

typedef struct apertune_plugin
{
    uint32_t abi_version; /* APERTUNE_PLUGIN_ABI_VERSION                            */
    uint32_t struct_size; /* sizeof(apertune_plugin), so that fields can be appended */

    /* Describes the backend and its abilities on this machine, without loading a model:
     *
     *   {"name":"libtorch","version":"2.11.0","formats":["torchscript","aoti"],
     *    "switches":["freeze", {"name":"streams","summary":"one line"}, …],
     *    "levels":{"O1":[],"O2":["streams"]}, "precisions":["fp32", …],
     *    "devices":[{"id":"cpu","name":…},{"id":"cuda:0","name":…,"memory_bytes":…,"capability":"9.0","driver":…},
     *               {"id":"xpu:0","name":…,"precisions":["fp32","fp16"]}],
     *    "notes":["CUDA is unavailable: no NVIDIA driver", …], "for_tests":false}
     *
     *  - switches: a name of core/model/switches.h, or an object for a switch of the backend's own. "all" instead of
     *    the list stands for every name of core/model/switches.h.
     *  - levels (optional): the levels that it has, each with the switches that are on. Without this member the levels
     *    are those of core/model/switches.h.
     *  - precisions: with int8 and fp8, open() gets a quantized package. The switch "precision" of report() says
     *    whether that is in effect (int8 kernels, weights in fp8).
     *  - devices: every device that it can open here. The word of the id is the type: cpu, npu, or a GPU: cuda
     *    (NVIDIA), rocm (AMD), xpu (Intel), mps (Apple). The number counts the devices of the word. "precisions" are
     *    those that the device computes in, otherwise the backend's. Apertune finds CPUs and NVIDIA GPUs itself, and
     *    knows all other devices from this list alone.
     *  - for_tests (optional): true keeps the backend out of lists that people read. */
    apertune_status (*describe)(apertune_text_sink sink, void* user);

    /* Loads a model and applies a configuration. `request`:
     *   {"artifact":DIR, "device":"cpu"|"cuda:0"|…another id of describe()…,
     *    "config":{"level":"O2","precision":"bf16","batch":4,"threads":2,"switches":{"freeze":true,…}},
     *    "package":FILE|null, "inputs":4}
     *
     *  - package: a compiled package for exactly this configuration, when the switch aoti is on. For a backend whose
     *    formats lack torchscript: the model in one of them (.onnx or .xml).
     *  - inputs: the number of different input sets to rotate. Set k holds the samples k*batch … k*batch+batch-1,
     *    modulo the number of reference samples of the artifact. The sets live on the device, in the precision and
     *    layout of the configuration.
     *
     * No forward pass is run here. On success *session is set and the sink gets
     *   {"load_ns":…, "notes":[…], "temporary_folder":DIR|null}
     * The backend unpacked temporary_folder and removes it on close(). If the process is killed before, the supervisor
     * may remove exactly that folder. */
    apertune_status (*open)(const char* request, apertune_session** session, apertune_text_sink sink, void* user);

    /* Starts one forward pass on input set (input modulo the number of sets). May return before it is done. */
    apertune_status (*run)(apertune_session* session, uint32_t input);

    /* Waits until everything started by run() is done. */
    apertune_status (*synchronize)(apertune_session* session);

    /* Called once after warm-up, for preparations that need a warm model, such as capturing a CUDA graph. Later
     * run() calls use them. A capture that fails is not an error; report() contains it. */
    apertune_status (*finalize)(apertune_session* session);

    /* Measure consecutive run() calls with the device's own clock. *device_ns is 0 when it has none (a CPU).
     * device_timer_stop waits for the device. */
    apertune_status (*device_timer_start)(apertune_session* session);
    apertune_status (*device_timer_stop)(apertune_session* session, uint64_t* device_ns);

    /* Runs input set `input` once and passes its outputs to the sink, flattened in a fixed order. Outputs are compared
     * between sessions, so a model that keeps state runs from its state as loaded, and one that draws random numbers
     * from a fixed seed. */
    apertune_status (*outputs)(apertune_session* session, uint32_t input, apertune_tensor_sink sink, void* user);

    /* Resets the allocator's peak, so that the next report() has the peak of later passes. */
    apertune_status (*reset_peaks)(apertune_session* session);

    /* Reports the state that is in effect, with the evidence. It is read back, never copied from the request:
     *   {"applied":[{"switch":"freeze","state":"on|off|requested_not_in_effect|not_applicable","evidence":"0 parameters
     * left","layers":[…names of layers it took effect on, optional…]}],
     * "memory":{"allocator_peak":bytes|null,"device_peak":bytes|null}, "notes":[…]} */
    apertune_status (*report)(apertune_session* session, apertune_text_sink sink, void* user);

    /* Explains why the last call failed: {"message":one sentence,"hint":the remedy,"detail":text}. `session` may be
     * null after a failed open(). Valid until the next call. */
    void (*last_error)(apertune_session* session, apertune_text_sink sink, void* user);

    /* Frees the session. Null is allowed. */
    void (*close)(apertune_session* session);

    /* Appended; either both or none of the following two are null.
     *
     * Begins to record the backend's work in this process, into memory of its own, at a fraction of a microsecond per
     * event. A backend may reuse the shapes of the operator at the same place of an earlier pass over the same input.
     * Shapes that prove to change from pass to pass are left out. Recordings do not nest: APERTUNE_BAD_INPUT while one
     * runs. */
    apertune_status (*trace_start)(apertune_session* session, const apertune_trace_options* options);

    /* Ends the recording and passes it to the sink in any number of batches; without a sink it is discarded.
     * APERTUNE_BAD_INPUT when none runs. close() of the session ends its recording too. */
    apertune_status (*trace_stop)(apertune_session* session, apertune_trace_sink sink, void* user);

    /* Appended; may be null.
     *
     * Measures the peak rates that a device reaches, for rooflines. No session is open meanwhile. `request`:
     *   {"device":"cpu"|"cuda:0"|…, "threads":2, "precisions":["fp32","bf16"], "max_ns":20000000000}
     * The sink gets
     *   {"rates":[{"quantity":"fp32","how":"2048 x 2048 x 2048, 2 threads","samples":[…]},
     *             {"quantity":"copy","how":…,"samples":[…]}],
     *    "notes":[…]}
     *
     * Quantities:
     *  - a precision: FLOP/s of large matrix products, where a multiply-add counts 2
     *  - "copy": bytes/s that a large copy within the device reads and writes together
     *  - "pinned", "pageable": bytes/s of a copy from such host memory to the device
     *
     * A sample is the rate of a block of at least 20 ms. Of several sizes, the one with the best median is reported. A
     * quantity that cannot be measured is left out, and a note gives the reason. */
    apertune_status (*ceilings)(const char* request, apertune_text_sink sink, void* user);

    /* Appended; either all or none of the following four are null. They run passes over samples of the caller.
     *
     * Sets *memory to `bytes` of host memory of a kind, aligned to 64. It lives until close() of the session.
     * APERTUNE_UNSUPPORTED when the device cannot copy from such memory. */
    apertune_status (*host_memory)(apertune_session* session, uint32_t kind, uint64_t bytes, void** memory);

    /* Copies samples to the places 0 … count-1 of an input set, converted to the precision and layout of the
     * configuration. Later places do not change. May return before it is done. APERTUNE_UNSUPPORTED for a kind of
     * samples that the backend does not support, or an input without a batch dimension. */
    apertune_status (*set_samples)(apertune_session* session, uint32_t input, const apertune_samples* samples);

    /* Like run(), but keeps the outputs, in the device's memory, until the next call. */
    apertune_status (*run_keeping)(apertune_session* session, uint32_t input);

    /* Passes the outputs of run_keeping() to the sink, like outputs(). APERTUNE_BAD_INPUT when there are none. */
    apertune_status (*kept_outputs)(apertune_session* session, apertune_tensor_sink sink, void* user);
} apertune_plugin;

/* The smallest table that a worker of this ABI accepts. */
#define APERTUNE_PLUGIN_SMALLEST offsetof(apertune_plugin, trace_start)

/* The only exported symbol. The table is static: it lives as long as the library. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const apertune_plugin*
apertune_plugin_entry(void);

#define APERTUNE_PLUGIN_ENTRY_SYMBOL "apertune_plugin_entry"

#ifdef __cplusplus
}
#endif
