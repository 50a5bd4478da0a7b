// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/work_class.h"

#include "core/trace/analysis/names.h"

#include <algorithm>
#include <string>

namespace apertune::trace {
namespace {

struct Rule
{
    std::string_view part;
    WorkClass workClass;
};

constexpr Rule kCalls[] = {
    {"launch", WorkClass::launch},        {"memcpy", WorkClass::copy},     {"memset", WorkClass::fill},
    {"synchronize", WorkClass::wait},     {"waitevent", WorkClass::wait},  {"query", WorkClass::wait},
    {"malloc", WorkClass::allocation},    {"free", WorkClass::allocation}, {"memalloc", WorkClass::allocation},
    {"hostalloc", WorkClass::allocation},
};

WorkClass ofCall(std::string_view name)
{
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (const Rule& rule : kCalls)
        if (lower.find(rule.part) != std::string::npos)
            return rule.workClass;
    return WorkClass::call;
}

/// What the analyses tell apart, in the colours that a person can.
WorkClass colourOf(analysis::OpClass opClass)
{
    using analysis::OpClass;
    switch (opClass) {
    case OpClass::matrixProduct:
        return WorkClass::matrix;
    case OpClass::convolution:
        return WorkClass::convolution;
    case OpClass::attention:
        return WorkClass::attention;
    case OpClass::normalization:
        return WorkClass::normalization;
    case OpClass::elementwise:
    case OpClass::cast:
    case OpClass::optimizer:
        return WorkClass::elementwise;
    case OpClass::reduction:
    case OpClass::pooling:
        return WorkClass::reduction;
    case OpClass::layout:
    case OpClass::copy:
    case OpClass::indexing:
        return WorkClass::copy;
    case OpClass::fill:
        return WorkClass::fill;
    case OpClass::allocation:
        return WorkClass::allocation;
    case OpClass::communication:
        return WorkClass::communication;
    case OpClass::view:
    case OpClass::other:
        break;
    }
    return WorkClass::other;
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
        return colourOf(analysis::classifyKernel(name));
    case EventKind::operatorCall:
        return colourOf(analysis::classifyOperator(name));
    case EventKind::copy:
        return WorkClass::copy;
    case EventKind::fill:
        return WorkClass::fill;
    case EventKind::runtimeCall:
    case EventKind::driverCall:
        return ofCall(name);
    case EventKind::synchronization:
        return WorkClass::wait;
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
    case EventKind::graphLaunch: // work of every class
    case EventKind::counter:
    case EventKind::other:
        break;
    }
    return WorkClass::other;
}

} // namespace apertune::trace
