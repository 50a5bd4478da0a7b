// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/work_class.h"

#include <algorithm>
#include <string>

namespace apertune::trace {
namespace {

struct Rule
{
    std::string_view part;
    WorkClass workClass;
};

// First match wins: the more telling word stands before the more general one.
constexpr Rule kWork[] = {
    {"nccl", WorkClass::communication},
    {"rccl", WorkClass::communication},
    {"c10d::", WorkClass::communication},
    {"flash", WorkClass::attention},
    {"fmha", WorkClass::attention},
    {"attention", WorkClass::attention},
    {"softmax", WorkClass::normalization},
    {"batch_norm", WorkClass::normalization},
    {"batchnorm", WorkClass::normalization},
    {"bn_fw", WorkClass::normalization},
    {"bn_bw", WorkClass::normalization},
    {"layer_norm", WorkClass::normalization},
    {"layernorm", WorkClass::normalization},
    {"group_norm", WorkClass::normalization},
    {"norm", WorkClass::normalization},
    {"wgrad", WorkClass::convolution},
    {"dgrad", WorkClass::convolution},
    {"fprop", WorkClass::convolution},
    {"scudnn", WorkClass::convolution},
    {"winograd", WorkClass::convolution},
    {"implicit_gemm", WorkClass::convolution},
    {"implicit_convolve", WorkClass::convolution},
    {"conv", WorkClass::convolution},
    {"gemm", WorkClass::matrix},
    {"gemv", WorkClass::matrix},
    {"cutlass", WorkClass::matrix},
    {"addmm", WorkClass::matrix},
    {"matmul", WorkClass::matrix},
    {"::linear", WorkClass::matrix},
    {"::mm", WorkClass::matrix},
    {"::bmm", WorkClass::matrix},
    {"cijk_", WorkClass::matrix},
    {"pool", WorkClass::reduction},
    {"reduce", WorkClass::reduction},
    {"::sum", WorkClass::reduction},
    {"::mean", WorkClass::reduction},
    {"argmax", WorkClass::reduction},
    {"topk", WorkClass::reduction},
    {"memset", WorkClass::fill},
    {"fill", WorkClass::fill},
    {"zero", WorkClass::fill},
    {"nchwtonhwc", WorkClass::copy},
    {"nhwctonchw", WorkClass::copy},
    {"transpose", WorkClass::copy},
    {"copy", WorkClass::copy},
    {"::to", WorkClass::copy},
    {"::cat", WorkClass::copy},
    {"contiguous", WorkClass::copy},
    {"elementwise", WorkClass::elementwise},
    {"pointwise", WorkClass::elementwise},
    {"triton", WorkClass::elementwise},
    {"relu", WorkClass::elementwise},
    {"gelu", WorkClass::elementwise},
    {"sigmoid", WorkClass::elementwise},
    {"silu", WorkClass::elementwise},
    {"dropout", WorkClass::elementwise},
    {"::add", WorkClass::elementwise},
    {"::mul", WorkClass::elementwise},
    {"::div", WorkClass::elementwise},
    {"::sub", WorkClass::elementwise},
    {"::empty", WorkClass::allocation},
};

constexpr Rule kCalls[] = {
    {"launch", WorkClass::launch},        {"memcpy", WorkClass::copy},     {"memset", WorkClass::fill},
    {"synchronize", WorkClass::wait},     {"waitevent", WorkClass::wait},  {"query", WorkClass::wait},
    {"malloc", WorkClass::allocation},    {"free", WorkClass::allocation}, {"memalloc", WorkClass::allocation},
    {"hostalloc", WorkClass::allocation},
};

template <std::size_t N>
WorkClass match(const Rule (&rules)[N], std::string_view name, WorkClass otherwise)
{
    std::string lower(name.substr(0, 400)); // the names of template kernels run to kilobytes, the telling word is early
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (const Rule& rule : rules)
        if (lower.find(rule.part) != std::string::npos)
            return rule.workClass;
    return otherwise;
}

} // namespace

std::string_view toString(WorkClass workClass)
{
    static constexpr std::array<std::string_view, kWorkClasses> words{
        "other", "matrix", "convolution", "attention",  "normalization", "elementwise", "reduction", "copy",
        "fill",  "launch", "wait",        "allocation", "call",          "annotation",  "recorder",  "communication"};
    return words[static_cast<std::size_t>(workClass)];
}

WorkClass classify(EventKind kind, std::string_view name)
{
    switch (kind) {
    case EventKind::kernel:
    case EventKind::operatorCall:
        return match(kWork, name, WorkClass::other);
    case EventKind::copy:
        return WorkClass::copy;
    case EventKind::fill:
        return WorkClass::fill;
    case EventKind::runtimeCall:
    case EventKind::driverCall:
        return match(kCalls, name, WorkClass::call);
    case EventKind::synchronization:
        return WorkClass::wait;
    case EventKind::graphLaunch:
        return WorkClass::matrix;
    case EventKind::range:
    case EventKind::deviceRange:
    case EventKind::profilerRange:
        return WorkClass::annotation;
    case EventKind::deviceMemory:
    case EventKind::tensorMemory:
        return WorkClass::allocation;
    case EventKind::compilation:
    case EventKind::overhead:
        return WorkClass::recorder;
    case EventKind::scriptCall:
        return WorkClass::call;
    case EventKind::counter:
    case EventKind::other:
        break;
    }
    return WorkClass::other;
}

} // namespace apertune::trace
