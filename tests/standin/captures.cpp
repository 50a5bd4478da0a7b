// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/captures.h"

#include "tests/standin/settings.h"

#include <utility>

namespace apertune::standin {

namespace {

thread_local CaptureMode t_mode = CaptureMode::global;

/// Returns whether an unsafe call of this thread invalidates this capture.
bool meets(const Capture& capture)
{
    const bool own = capture.thread == std::this_thread::get_id();
    return t_mode != CaptureMode::relaxed && capture.mode != CaptureMode::relaxed &&
           (own || (capture.mode == CaptureMode::global && t_mode == CaptureMode::global));
}

} // namespace

void Captures::begin(Stream& stream, CaptureMode mode, std::uint32_t id)
{
    auto capture = std::make_shared<Capture>();
    capture->id = id;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->origin = &stream;
    capture->graph = std::make_unique<Graph>();
    capture->graph->id = id + 1;
    stream.capture = capture;
    m_open.push_back(std::move(capture));
}

int Captures::end(Stream& stream, Graph** graph)
{
    const std::shared_ptr<Capture> capture = stream.capture;
    if (!capture || capture->origin != &stream)
        return captureUnsupported;
    if (capture->mode != CaptureMode::relaxed && capture->thread != std::this_thread::get_id())
        return captureWrongThread;
    stream.capture.reset();
    for (Stream* joined : capture->joined)
        joined->capture.reset();
    std::erase(m_open, capture);
    if (capture->invalid)
        return captureInvalidated;
    *graph = capture->graph.release();
    return success;
}

int Captures::add(Stream& stream, const Work& work, bool& taken)
{
    taken = stream.capture != nullptr;
    if (!taken)
        return success;
    Capture& capture = *stream.capture;
    if (++capture.operations == settings().breakCapture)
        capture.invalid = true;
    if (capture.invalid)
        return captureInvalidated;
    capture.graph->nodes.push_back(std::make_unique<GraphNode>(GraphNode{++m_nodes, work}));
    capture.last = {capture.graph->nodes.back().get()};
    return success;
}

int Captures::forbid(Code code)
{
    int answer = success;
    for (const auto& capture : m_open)
        if (meets(*capture)) {
            capture->invalid = true;
            answer = code;
        }
    return answer;
}

int Captures::spoil(Stream& stream, Code code)
{
    stream.capture->invalid = true;
    return code;
}

CaptureInfo Captures::info(const Stream& stream)
{
    CaptureInfo info;
    if (!stream.capture)
        return info;
    Capture& capture = *stream.capture;
    info.state = capture.invalid ? CaptureState::invalidated : CaptureState::active;
    info.id = capture.id;
    info.graph = capture.graph.get();
    info.dependencies = capture.last.data();
    info.dependencyCount = capture.last.size();
    return info;
}

CaptureMode Captures::exchangeMode(CaptureMode mode)
{
    return std::exchange(t_mode, mode);
}

} // namespace apertune::standin
