// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/support/layer_trace.h"

#include <algorithm>
#include <utility>

namespace apertune::plugins {

namespace {
/// The limit of events when the request has none.
constexpr std::uint64_t kDefaultEvents = 1'000'000;
} // namespace

LayerTrace::LayerTrace(std::string pass, std::uint64_t maxEvents)
    : m_pass(std::move(pass)), m_maxEvents(maxEvents > 0 ? maxEvents : kDefaultEvents)
{
}

std::uint32_t LayerTrace::string(const std::string& text)
{
    const auto [it, added] = m_known.emplace(text, static_cast<std::uint32_t>(m_strings.size()));
    if (added)
        m_strings.push_back(text);
    return it->second;
}

void LayerTrace::add(std::int64_t start, std::int64_t duration, std::uint32_t thread, const std::string& name)
{
    // Lost events are counted, because a trace that is silently short would lead to wrong shares.
    if (m_events.size() >= m_maxEvents) {
        ++m_lost;
        return;
    }
    apertune_trace_event event{};
    event.start_ns = start;
    event.duration_ns = duration;
    event.value = m_sequence++;
    event.kind = APERTUNE_TRACE_OPERATOR;
    event.thread = thread;
    event.name = string(name);
    event.device = -1;
    m_events.push_back(event);
}

void LayerTrace::addPass(std::int64_t begin, std::int64_t end, std::uint32_t thread, const std::vector<Layer>& layers)
{
    std::int64_t at = begin;
    for (const Layer& layer : layers) {
        // Engines round the times of layers, so their sum may exceed the pass by a little.
        const std::int64_t duration = std::min(layer.durationNs, end - at);
        if (duration > 0)
            add(at, duration, thread, layer.kernel.empty() ? layer.kind : layer.kind + " " + layer.kernel);
        at += std::max<std::int64_t>(0, duration);
    }
    // Events are ordered by their end, so the pass comes after its layers.
    add(begin, end - begin, thread, m_pass);
}

void LayerTrace::handOver(apertune_trace_sink sink, void* user) const
{
    if (!sink)
        return;
    std::vector<const char*> strings;
    for (const std::string& text : m_strings)
        if (!text.empty()) // string 0 is the empty text on both sides
            strings.push_back(text.c_str());
    const apertune_trace_batch batch{
        sizeof(apertune_trace_batch), 1, strings.size(), strings.data(), m_events.size(), m_events.data(), m_lost};
    sink(user, &batch);
}

} // namespace apertune::plugins
