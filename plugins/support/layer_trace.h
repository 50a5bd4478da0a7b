// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace apertune::plugins {

/// A layer, as an engine's counters report it.
struct Layer
{
    std::string kind;   ///< "Convolution"
    std::string kernel; ///< "brgconv_avx2_f32"; may be empty
    std::int64_t durationNs = 0;
};

/// Converts the layers of passes to events of apertune_plugin.h. It is for engines that report the duration of each
/// layer but not its start.
class LayerTrace
{
public:
    /// `pass` is the name of a whole pass: "openvino infer". With maxEvents 0 it has a limit of its own.
    LayerTrace(std::string pass, std::uint64_t maxEvents);

    /// Adds one pass from `begin` to `end` on `thread`. Its layers follow one another. Layers that ran side by side
    /// would end after the pass; they are cut at its end.
    void addPass(std::int64_t begin, std::int64_t end, std::uint32_t thread, const std::vector<Layer>& layers);

    /// Passes all events to the sink in one batch.
    void handOver(apertune_trace_sink sink, void* user) const;

private:
    std::uint32_t string(const std::string& text);
    void add(std::int64_t start, std::int64_t duration, std::uint32_t thread, const std::string& name);

    std::string m_pass;
    std::uint64_t m_maxEvents;
    std::uint64_t m_lost = 0;
    std::deque<std::string> m_strings{""};
    std::unordered_map<std::string, std::uint32_t> m_known;
    std::vector<apertune_trace_event> m_events;
    std::int64_t m_sequence = 0;
};

} // namespace apertune::plugins
