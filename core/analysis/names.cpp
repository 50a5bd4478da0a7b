// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/names.h"

#include "core/analysis/inductor_name.h"
#include "core/base/text.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace apertune::analysis {

namespace {

bool has(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
                       [text](std::string_view w) { return text.find(w) != std::string_view::npos; });
}

} // namespace

OpClass classifyKernel(std::string_view name)
{
    std::string n = base::lower(name);
    // The name of this library says nothing about the kernel: FBGEMM's embeddings multiply no matrices.
    constexpr std::string_view kLibrary = "fbgemm";
    for (std::size_t at = n.find(kLibrary); at != std::string::npos; at = n.find(kLibrary, at))
        n.erase(at, kLibrary.size());
    if (const std::optional<OpClass> fused = classifyInductorKernel(n))
        return *fused;
    // Other kernels of Triton may be named after all operators that they fuse, too.
    if (!n.starts_with("triton_") &&
        has(n, {"nccl", "rccl", "oneccl", "mscclpp", "nvshmem", "allreduce_kernel", "allreduce_fusion", "all_reduce",
                "allgather", "all_gather", "reducescatter", "reduce_scatter", "alltoall", "all_to_all",
                "cross_device_reduce", "multimem_"}))
        return OpClass::communication;
    if (has(n, {"flash_fwd", "flash_bwd", "flash_fprop", "fmha", "attention", "attn", "sdpa", "sage_fwd"}))
        return OpClass::attention;
    if (has(n, {"nchwtonhwc", "nhwctonchw", "tonhwc", "tonchw", "nchwto", "nhwcto", "transpose", "permute", "reorder",
                "tensortransform", "reformat", "computeoffsets"}))
        return has(n, {"gemm"}) ? OpClass::matrixProduct : OpClass::layout;
    if (has(n, {"batch_norm", "batchnorm", "bn_fw", "bn_bw", "layer_norm", "layernorm", "group_norm", "groupnorm",
                "rowwisemoments", "welford", "instance_norm", "rms_norm"}))
        return OpClass::normalization;
    if (has(n, {"multi_tensor_apply", "adam", "sgd_"}))
        return OpClass::optimizer;
    if (has(n, {"conv",       "winograd",    "wgrad",     "dgrad",     "fprop",     "implicit_gemm",
                "scudnn",     "cudnn_infer", "igemm_fwd", "igemm_bwd", "igemm_wrw", "xdlops_bwd_weight",
                "naive_conv", "im2col",      "col2im",    "im2d2col",  "depthwise", "884cudnn",
                "1688cudnn",  "816cudnn",    "hcudnn",    "icudnn"}) &&
        !has(n, {"convert"}))
        return OpClass::convolution;
    // nvjet is the name of cuBLAS for its products on Hopper and later.
    if (has(n, {"gemm", "gemv", "cijk_", "cutlass", "cublas", "splitk", "matmul", "_mm_", "addmm", "bmm", "triton_mm",
                "xmma", "nvjet"}))
        return OpClass::matrixProduct;
    if (has(n, {"softmax", "reduce_kernel", "reduce_1block", "reduction", "argmax", "cunn_softmax", "scan", "sort"}))
        return OpClass::reduction;
    if (has(n, {"pool"}))
        return OpClass::pooling;
    // PyTorch's copy kernel between types is a lambda of direct_copy with its own name. Triton says "to_copy".
    if (has(n, {"to_copy", "convert", "float_to_half", "half_to_float", "_cast", "cast_", "castkernel", "float16_copy",
                "tofloat32_copy", "float8_copy"}) &&
        !has(n, {"nocast", "gpu_kernel_impl"}))
        return OpClass::cast;
    if (has(n, {"copy_kernel"}) && has(n, {"loadwithcast", "storewithcast"}))
        return OpClass::cast;
    if (has(n, {"copy_kernel", "catarray", "copydevicetodevice", "memcpy"}))
        return OpClass::copy;
    if (has(n, {"fillfunctor", "fill_kernel", "memset"}))
        return OpClass::fill;
    if (has(n, {"index", "gather", "scatter", "embedding", "upsample", "interpolate", "nms", "roi_align", "roialign",
                "grid_sampl"}))
        return OpClass::indexing;
    if (has(n, {"elementwise", "triton_poi", "pointwise", "relu", "gelu", "silu", "sigmoid", "distribution",
                "op_tensor", "optensor", "add_tensor", "activation", "dropout"}))
        return OpClass::elementwise;
    if (has(n, {"triton_red", "triton_per"}))
        return OpClass::reduction;
    return OpClass::other;
}

namespace {

struct NodeType
{
    std::string_view name;
    OpClass opClass;
};

/// Types of ONNX nodes, and of nodes that engines make of them. They are listed where the type means something else in
/// PyTorch or contains no known word. A transpose or a slice is a view in PyTorch, but moves every byte here.
constexpr NodeType kNodeTypes[] = {
    {"MatMul", OpClass::matrixProduct},
    {"FusedMatMul", OpClass::matrixProduct},
    {"MatMulInteger", OpClass::matrixProduct},
    {"MatMulIntegerToFloat", OpClass::matrixProduct},
    {"DynamicQuantizeMatMul", OpClass::matrixProduct},
    {"QLinearMatMul", OpClass::matrixProduct},
    {"MatMulNBits", OpClass::matrixProduct},
    {"FullyConnected", OpClass::matrixProduct},
    {"MHA", OpClass::attention},
    {"MVN", OpClass::normalization},
    {"LRN", OpClass::normalization},
    {"QLinearAdd", OpClass::elementwise},
    {"QLinearMul", OpClass::elementwise},
    {"QLinearSigmoid", OpClass::elementwise},
    {"QLinearLeakyRelu", OpClass::elementwise},
    {"Eltwise", OpClass::elementwise},
    {"Subgraph", OpClass::elementwise},
    {"Math", OpClass::elementwise},
    {"Clip", OpClass::elementwise},
    {"QLinearGlobalAveragePool", OpClass::pooling},
    {"QLinearAveragePool", OpClass::pooling},
    {"Reduce", OpClass::reduction},
    {"ReduceMean", OpClass::reduction},
    {"ReduceSum", OpClass::reduction},
    {"ReduceMax", OpClass::reduction},
    {"ReduceMin", OpClass::reduction},
    {"QuantizeLinear", OpClass::cast},
    {"DequantizeLinear", OpClass::cast},
    {"DynamicQuantizeLinear", OpClass::cast},
    {"FakeQuantize", OpClass::cast},
    {"Cast", OpClass::cast},
    {"Transpose", OpClass::layout},
    {"SpaceToDepth", OpClass::layout},
    {"DepthToSpace", OpClass::layout},
    {"Concatenation", OpClass::copy},
    {"QLinearConcat", OpClass::copy},
    {"Slice", OpClass::copy},
    {"StridedSlice", OpClass::copy},
    {"Split", OpClass::copy},
    {"Expand", OpClass::copy},
    {"Tile", OpClass::copy},
    {"Broadcast", OpClass::copy},
    {"Resize", OpClass::indexing},
    {"NonMaxSuppression", OpClass::indexing},
    {"Shape", OpClass::view},
    {"ShapeOf", OpClass::view},
    {"Identity", OpClass::view},
};

} // namespace

OpClass classifyOperator(std::string_view name)
{
    const std::string_view type = name.substr(0, name.find(' ')); // "Conv on CPUExecutionProvider"
    if (const auto node = std::find_if(std::begin(kNodeTypes), std::end(kNodeTypes),
                                       [type](const NodeType& t) { return t.name == type; });
        node != std::end(kNodeTypes))
        return node->opClass;
    std::string n = base::lower(name);
    if (const auto colons = n.rfind("::"); colons != std::string::npos)
        n.erase(0, colons + 2);
    const auto is = [&n](std::initializer_list<std::string_view> words) {
        return std::find(words.begin(), words.end(), n) != words.end();
    };
    if (is({"empty", "empty_strided", "empty_like", "new_empty", "resize_", "empty_cuda", "empty_cpu",
            "_empty_affine_quantized", "new_empty_strided", "resize_as_"}))
        return OpClass::allocation;
    if (is({"view",       "reshape",      "_reshape_alias", "as_strided",        "permute",    "transpose", "t",
            "expand",     "expand_as",    "unsqueeze",      "squeeze",           "select",     "slice",     "detach",
            "detach_",    "alias",        "unbind",         "flatten",           "narrow",     "chunk",     "split",
            "unflatten",  "_unsafe_view", "size",           "broadcast_tensors", "view_as",    "movedim",   "swapaxes",
            "lift_fresh", "result_type",  "numpy_t",        "resolve_conj",      "resolve_neg"}))
        return OpClass::view;
    if (is({"contiguous", "_nchw_to_nhwc", "pixel_shuffle", "mkldnn_reorder_conv2d_weight", "to_mkldnn", "to_dense"}) ||
        has(n, {"reorder", "permute_copy", "transpose_copy"}))
        return OpClass::layout;
    if (is({"to", "_to_copy", "type_as", "float", "half", "bfloat16", "_autocast_to_reduced_precision",
            "_autocast_to_full_precision"}))
        return OpClass::cast;
    if (is({"copy_", "clone", "cat", "concat", "stack", "_cat", "repeat", "copy", "roll", "pad", "constant_pad_nd",
            "slice_copy"}))
        return OpClass::copy;
    if (is({"zero_", "fill_", "zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "new_zeros"}))
        return OpClass::fill;
    if (has(n, {"allreduce", "all2all", "alltoall", "nccl", "broadcast_", "allgather", "all_reduce", "all_gather"}) ||
        name.starts_with("c10d"))
        return OpClass::communication;
    if (has(n, {"attention"}))
        return OpClass::attention;
    if (has(n, {"norm"}))
        return OpClass::normalization;
    if (has(n, {"convert"})) // matches prims::convert_element_type, before "conv" is tried
        return OpClass::cast;
    if (has(n, {"conv"}))
        return OpClass::convolution;
    if (is({"linear", "addmm", "mm", "bmm", "baddbmm", "matmul", "einsum", "addbmm", "mkldnn_linear", "mv", "dot"}) ||
        has(n, {"linear", "gemm", "addmm", "_mm"}))
        return OpClass::matrixProduct;
    if (has(n, {"pool"}))
        return OpClass::pooling;
    if (is({"sum", "mean", "max", "min", "argmax", "argmin", "topk", "sort", "var", "std", "amax", "amin", "prod",
            "cumsum", "any", "all"}) ||
        has(n, {"softmax"}))
        return OpClass::reduction;
    if (has(n, {"index", "gather", "scatter", "embedding", "upsample", "interpolate", "nms", "grid_sampl", "nonzero",
                "masked"}))
        return OpClass::indexing;
    if (name.starts_with("Optimizer") || has(n, {"_foreach", "adam", "sgd"}))
        return OpClass::optimizer;
    if (is({"eq", "ne", "lt", "gt", "le", "ge", "log", "sin", "cos", "exp", "eq_", "exp_"}))
        return OpClass::elementwise;
    if (has(n, {"relu",   "gelu",       "silu",    "sigmoid",  "tanh",      "hardswish", "hardtanh", "hardsigmoid",
                "swish",  "add",        "sub",     "mul",      "div",       "pow",       "sqrt",     "clamp",
                "neg",    "abs",        "where",   "dropout",  "erf",       "threshold", "bitwise",  "logical",
                "round",  "floor",      "normal_", "uniform_", "bernoulli", "random_",   "mish",     "elu",
                "square", "reciprocal", "minimum", "maximum",  "lerp"}))
        return OpClass::elementwise;
    return OpClass::other;
}

CallKind classifyCall(std::string_view name)
{
    const std::string n = base::lower(name);
    if (has(n, {"graphlaunch"}))
        return CallKind::graphLaunch;
    if (has(n, {"begincapture"}))
        return CallKind::beginCapture;
    if (has(n, {"endcapture"}))
        return CallKind::endCapture;
    if (has(n, {"launch"}) && !has(n, {"launchhostfunc", "occupancy", "launchbounds", "configurecall"}))
        return CallKind::launch;
    if (has(n, {"synchronize", "ctxsync"}))
        return CallKind::synchronize;
    if (has(n, {"memcpy"}))
        return has(n, {"async"}) ? CallKind::copy : CallKind::blockingCopy;
    if (has(n, {"memset"}))
        return has(n, {"async"}) ? CallKind::fill : CallKind::blockingFill;
    if (has(n, {"malloc", "memalloc", "hostalloc", "hostregister", "memcreate", "memaddressreserve"}))
        return CallKind::allocate;
    if (has(n, {"cudafree", "hipfree", "cumemfree", "hostunregister", "memrelease", "memunmap", "hiphostfree"}))
        return CallKind::release;
    if (has(n, {"moduleload", "libraryload", "modulegetfunction", "linkcreate", "linkcomplete", "graphinstantiate"}))
        return CallKind::compile;
    return CallKind::other;
}

std::string shortName(std::string_view name)
{
    if (name.starts_with("Memcpy") || name.starts_with("Memset"))
        return std::string(name);
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    std::string text(name);
    for (auto at = text.find(kAnonymous); at != std::string::npos; at = text.find(kAnonymous))
        text.erase(at, kAnonymous.size());
    std::string kept;
    int depth = 0;
    for (const char c : text) {
        if (c == '<' || c == '(')
            ++depth;
        else if (c == '>' || c == ')')
            depth = std::max(0, depth - 1);
        else if (depth == 0)
            kept += c;
        if (c == '(' && depth == 1 && !kept.empty())
            break; // the parameters begin; nothing of the name follows
    }
    while (!kept.empty() && kept.back() == ' ')
        kept.pop_back();
    if (const auto blank = kept.rfind(' '); blank != std::string::npos)
        kept.erase(0, blank + 1);
    return kept.empty() ? std::string(name) : kept;
}

} // namespace apertune::analysis
