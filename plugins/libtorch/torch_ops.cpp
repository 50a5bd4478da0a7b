// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/torch_ops.h"

#include "plugins/libtorch/device_runtime.h"
#include "plugins/libtorch/fault.h"
#include "plugins/libtorch/recording.h"

#include <ATen/core/TensorBase.h>
#include <ATen/record_function.h>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define APERTUNE_HAS_NVTX 1
#endif

#include <algorithm>
#include <optional>

namespace apertune::libtorch::torch_ops {

namespace {

using recording::ThreadBuffer;

struct Hooks
{
    bool shapes = false;
    bool nvtx = false;
    void (*enter)(std::uint64_t link) = nullptr;
    void (*leave)() = nullptr;
};

/// start() writes it before it registers the callback, and the callbacks read it.
Hooks g_hooks;
std::optional<at::CallbackHandle> g_handle;
bool g_running = false;
bool g_readsShapes = false; ///< the registered callback reads shapes
std::atomic<std::uint32_t> g_nextLink{1};

void addShapes(ThreadBuffer& buffer, const at::RecordFunction& function)
{
    // A boxed call passes the whole stack of the interpreter. The arguments are on top, other values below them.
    const c10::ArrayRef<const c10::IValue> stack = function.inputs();
    for (const c10::IValue& input : stack.slice(stack.size() - std::min(stack.size(), function.num_inputs()))) {
        if (input.isTensor()) {
            const at::TensorBase& tensor = input.toTensor();
            if (tensor.defined() && !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides()) {
                const c10::IntArrayRef sizes = tensor.sizes();
                buffer.shape(sizes.data(), static_cast<std::int64_t>(sizes.size()));
                continue;
            }
        }
        buffer.shape(nullptr, ThreadBuffer::kNoTensor);
    }
}

/// Announces an operator to the profilers that asked for it, and returns the link between both. onEnd() announces its
/// end.
std::uint32_t announceBegin(const at::RecordFunction& function)
{
    std::uint32_t link = 0;
    if (g_hooks.enter) {
        link = g_nextLink.fetch_add(1, std::memory_order_relaxed);
        g_hooks.enter(link);
    }
#ifdef APERTUNE_HAS_NVTX
    if (g_hooks.nvtx)
        nvtxRangePushA(function.name());
#else
    static_cast<void>(function);
#endif
    return link;
}

void announceEnd()
{
#ifdef APERTUNE_HAS_NVTX
    if (g_hooks.nvtx)
        nvtxRangePop();
#endif
    if (g_hooks.leave)
        g_hooks.leave();
}

template <bool readsShapes, bool announces>
std::unique_ptr<at::ObserverContext> onStart(const at::RecordFunction& function)
{
    ThreadBuffer& buffer = recording::ofThisThread();
    std::uint32_t link = 0;
    if constexpr (announces)
        link = announceBegin(function);
    const recording::Entry entry(buffer);
    if (!entry)
        return nullptr;
    const char* const text = function.name();
    const bool stays = function.scope() == at::RecordScope::FUNCTION;
    std::uint64_t what = 0;
    if constexpr (readsShapes) {
        buffer.shapesBegin();
        addShapes(buffer, function);
        what = buffer.read(text, stays, buffer.shapesEnd());
    } else {
        what = buffer.recall(text, stays);
    }
    const auto kind = function.scope() == at::RecordScope::USER_SCOPE ? APERTUNE_TRACE_RANGE : APERTUNE_TRACE_OPERATOR;
    buffer.open(kind, what, function.seqNr(), link);
    return nullptr; // a context would cost an allocation for each operator; open records are linked with each other
                    // instead
}

template <bool announces>
void onEnd(const at::RecordFunction&, at::ObserverContext*)
{
    {
        ThreadBuffer& buffer = recording::ofThisThread();
        if (const recording::Entry entry(buffer); entry)
            buffer.close();
    }
    if constexpr (announces)
        announceEnd();
}

at::RecordFunctionCallback callback(bool readsShapes)
{
    if (g_hooks.enter || g_hooks.nvtx)
        return at::RecordFunctionCallback(readsShapes ? &onStart<true, true> : &onStart<false, true>, &onEnd<true>);
    return at::RecordFunctionCallback(readsShapes ? &onStart<true, false> : &onStart<false, false>, &onEnd<false>);
}

/// Replaces the callback that is registered. Two kinds are needed because LibTorch boxes the inputs of every operator
/// as soon as one callback wants them.
void observe(bool readsShapes)
{
    if (g_handle)
        at::removeCallback(*g_handle);
    g_handle = at::addGlobalCallback(
        callback(readsShapes)
            .needsInputs(readsShapes)
            .scopes({at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE, at::RecordScope::CUSTOM_CLASS}));
    g_readsShapes = readsShapes;
}

} // namespace

void start(const apertune_trace_options& options)
{
    if (g_running)
        throw Fault(APERTUNE_BAD_INPUT, "A recording runs already.", "End it first.");
    if ((options.enter == nullptr) != (options.leave == nullptr))
        throw Fault(APERTUNE_BAD_INPUT, "A recording needs both or none of enter and leave.",
                    "Report this together with the log.");
    g_hooks = {(options.record & APERTUNE_TRACE_SHAPES) != 0, (options.record & APERTUNE_TRACE_NVTX) != 0,
               options.enter, options.leave};
    if (options.record & APERTUNE_TRACE_MEMORY)
        hookDeviceAllocator();
    recording::begin(options.max_events);
    recording::g_shared.memory.store((options.record & APERTUNE_TRACE_MEMORY) != 0);
    if (options.record & (APERTUNE_TRACE_OPERATORS | APERTUNE_TRACE_NVTX))
        observe(g_hooks.shapes);
    g_running = true;
}

void passBegins(const void* input)
{
    if (!g_handle || !g_hooks.shapes)
        return;
    ThreadBuffer& buffer = recording::ofThisThread();
    bool reads = g_readsShapes;
    if (const recording::Entry entry(buffer); entry)
        reads = buffer.passBegins(input);
    if (reads != g_readsShapes)
        observe(reads);
}

void stop(apertune_trace_sink sink, void* user)
{
    if (!g_running)
        throw Fault(APERTUNE_BAD_INPUT, "No recording runs.", "Begin one first.");
    if (g_handle)
        at::removeCallback(*g_handle);
    g_handle.reset();
    g_running = false;
    recording::end(sink, user);
}

bool running()
{
    return g_running;
}

} // namespace apertune::libtorch::torch_ops
