// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"
#include "widgets/controls/fact_list.h"

#include <QString>

#include <string_view>
#include <vector>

namespace apertune::trace_views {

/// These functions return labels of a trace: the names of its rows, classes and events, and their meaning.

QString kindWord(trace::EventKind kind);
QString classWord(analysis::WorkClass workClass);
/// Returns one sentence about the work of events of the class.
QString classDefinition(analysis::WorkClass workClass);

/// "GPU 0 · NVIDIA A100", "CPU · python 48213", "Memory", "Counters"
QString groupLabel(const timeline::Timeline& timeline, std::size_t group);
/// "stream 7 · kernels"
QString rowLabel(const timeline::Timeline& timeline, std::size_t row);

/// Returns the name in a box, without return type, namespaces of the framework and template arguments: "conv2d",
/// "vectorized_elementwise_kernel".
QString shortName(std::string_view name);
/// Returns a name that distinguishes events of equal short name: it includes the operation of a kernel's template
/// (analysis::kernelName()) and the memory of a copy.
QString displayName(trace::EventKind kind, std::string_view name);

/// A length of time with four digits: "86.21 µs".
QString timeWord(std::int64_t nanoseconds);
/// A rate with three digits: "12.3 GB/s", "1.33 MB/s".
/// REQUIRES: nanoseconds > 0
QString rateWord(std::int64_t bytes, std::int64_t nanoseconds);
/// Returns whether the samples of a curve are bytes.
bool isBytes(const timeline::Timeline& timeline, const timeline::TimelineRow& row);
/// A sample of a counter or of memory in its unit: "241 W", "1.93 GiB".
QString curveValue(const timeline::Timeline& timeline, const timeline::TimelineRow& row, double value);
/// Returns the value of a curve at a time; nullopt before its first sample.
std::optional<double> curveValueAt(const timeline::Timeline& timeline, const timeline::TimelineRow& row,
                                   std::int64_t time);

/// Returns name, time, and class with its definition.
QString eventToolTip(const timeline::Timeline& timeline, timeline::EventRef event);
/// Returns all known facts about an event.
std::vector<controls::FactList::Fact> eventFacts(const timeline::Timeline& timeline, timeline::EventRef event,
                                                 const std::vector<timeline::EventRef>& partners);

} // namespace apertune::trace_views
