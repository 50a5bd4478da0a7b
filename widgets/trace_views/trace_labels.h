// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"
#include "widgets/controls/fact_list.h"

#include <QString>

#include <string_view>
#include <vector>

namespace apertune::trace_views {

/// Labels of a trace: what its rows, classes and events are called, and what they mean.

QString kindWord(trace::EventKind kind);
QString classWord(analysis::WorkClass workClass);
/// One sentence: what events of the class do.
QString classDefinition(analysis::WorkClass workClass);

/// "GPU 0 · NVIDIA A100", "CPU · python 48213", "Memory", "Counters"
QString groupLabel(const timeline::Timeline& timeline, std::size_t group);
/// "stream 7 · kernels"
QString rowLabel(const timeline::Timeline& timeline, std::size_t row);

/// A name as a box shows it: without return type, namespaces of the framework and template arguments. "conv2d",
/// "vectorized_elementwise_kernel".
QString shortName(std::string_view name);
/// The same with what tells it from others of its name: what a kernel's template does
/// (trace::analysis::kernelName), the memory that a copy touches.
QString displayName(trace::EventKind kind, std::string_view name);

/// A length of time with four digits: "86.21 µs".
QString timeWord(std::int64_t nanoseconds);
/// A rate with three digits: "12.3 GB/s", "1.33 MB/s". REQUIRES: nanoseconds > 0
QString rateWord(std::int64_t bytes, std::int64_t nanoseconds);
/// Whether the samples of a curve are bytes.
bool isBytes(const timeline::Timeline& timeline, const timeline::TimelineRow& row);
/// A sample of a counter or of memory in its unit: "241 W", "1.93 GiB".
QString curveValue(const timeline::Timeline& timeline, const timeline::TimelineRow& row, double value);
/// The value of a curve at a time; nullopt before its first sample.
std::optional<double> curveValueAt(const timeline::Timeline& timeline, const timeline::TimelineRow& row,
                                   std::int64_t time);

/// Name, time, class with its definition.
QString eventToolTip(const timeline::Timeline& timeline, timeline::EventRef event);
/// Everything that is known of an event.
std::vector<controls::FactList::Fact> eventFacts(const timeline::Timeline& timeline, timeline::EventRef event,
                                                 const std::vector<timeline::EventRef>& partners);

} // namespace apertune::trace_views
