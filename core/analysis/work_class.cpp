// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/work_class.h"

#include "core/analysis/names.h"

#include <algorithm>
#include <string>

namespace apertune::analysis {
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

/// Maps the classes of the analyses to the fewer classes of the timeline.
WorkClass colourOf(OpClass opClass)
{
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

WorkClass classify(trace::EventKind kind, std::string_view name)
{
    switch (kind) {
    case trace::EventKind::kernel:
        return colourOf(classifyKernel(name));
    case trace::EventKind::operatorCall:
        return colourOf(classifyOperator(name));
    case trace::EventKind::copy:
        return WorkClass::copy;
    case trace::EventKind::memset:
        return WorkClass::fill;
    case trace::EventKind::runtimeCall:
    case trace::EventKind::driverCall:
        return ofCall(name);
    case trace::EventKind::synchronization:
        return WorkClass::wait;
    case trace::EventKind::range:
    case trace::EventKind::deviceRange:
    case trace::EventKind::profilerRange:
        return WorkClass::annotation;
    case trace::EventKind::deviceMemory:
    case trace::EventKind::tensorMemory:
        return WorkClass::allocation;
    case trace::EventKind::compilation:
    case trace::EventKind::overhead:
        return WorkClass::recorder;
    case trace::EventKind::scriptCall:
        return WorkClass::call;
    case trace::EventKind::graphLaunch: // a graph contains work of every class
    case trace::EventKind::counter:
    case trace::EventKind::other:
        break;
    }
    return WorkClass::other;
}

} // namespace apertune::analysis
