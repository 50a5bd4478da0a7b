// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/standin/machine.h"

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace apertune::standin {

struct GraphNode
{
    std::uint64_t id;
    Work work;
};

struct Graph
{
    std::uint32_t id;
    std::vector<std::unique_ptr<GraphNode>> nodes;
};

struct GraphLaunchable
{
    std::uint32_t id;
    std::vector<GraphNode> nodes;
};

struct Capture
{
    unsigned long long id = 0;
    CaptureMode mode = CaptureMode::global;
    std::thread::id thread;
    Stream* origin = nullptr;
    std::unique_ptr<Graph> graph;
    std::vector<Stream*> joined; ///< other streams that joined through an event
    std::vector<GraphNode*> last;
    bool invalid = false;
    std::uint64_t operations = 0;
};

struct Stream
{
    int device = 0;
    std::uint32_t id = 0;
    bool blocking = false; ///< this stream and the default stream wait for each other
    std::int64_t tail = 0; ///< the end of the work in the stream
    std::shared_ptr<Capture> capture;
};

/// The open captures, with CUDA's rules for the calls that invalidate them. Functions return a Code.
///
/// REQUIRES: calls come one at a time.
class Captures
{
public:
    /// `id` is the first of two free numbers.
    void begin(Stream& stream, CaptureMode mode, std::uint32_t id);
    int end(Stream& stream, Graph** graph);
    /// Adds a step to the capture of the stream. `taken` is false when the stream is not captured.
    int add(Stream& stream, const Work& work, bool& taken);
    /// Invalidates the captures that forbid a call of this kind, and returns `code` if there was one.
    int forbid(Code code);
    /// Invalidates the capture of the stream.
    static int spoil(Stream& stream, Code code);
    static CaptureInfo info(const Stream& stream);
    static CaptureMode exchangeMode(CaptureMode mode);

private:
    std::vector<std::shared_ptr<Capture>> m_open;
    std::uint64_t m_nodes = 0;
};

} // namespace apertune::standin
