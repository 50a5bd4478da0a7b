// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace apertune::advice {

/// The subject of a change of a what-if.
enum class ChangeKind : std::uint8_t {
    kernels,   ///< work of the device by its name
    operators, ///< operators by their name, with everything that they call
    layers,    ///< ranges and functions by their name, with everything in them
    copies,    ///< copies between host and device
    graph,     ///< kernels of an iteration are launched as one graph
    streams,   ///< iterations take turns on several sets of streams
    host,      ///< the speed of the host
    threads,   ///< the threads of a CPU
    setting,   ///< a switch
};
/// "kernel", "operator", "layer", "copies", "graph", "streams", "host", "threads", "switch".
std::string_view toString(ChangeKind kind);

enum class CopyChange : std::uint8_t { remove, pin, overlap };

/// One change of a what-if.
struct Change
{
    ChangeKind kind = ChangeKind::operators;
    std::string text;      ///< holds the change as the user wrote it
    std::string pattern{}; ///< name, /regular expression/, or the name of a switch
    int occurrence = 0;    ///< counted from 1: the change is for this one of each iteration alone; 0: for all
    double factor = 1;     ///< changed over recorded time; 0 removes
    CopyChange copies = CopyChange::remove;
    int count = 1;  ///< streams or threads
    bool on = true; ///< the value that a switch gets
    bool operator==(const Change&) const = default;
};

/// Reads a change:
///   kernel:PATTERN=FACTOR, operator:PATTERN=FACTOR, layer:PATTERN=FACTOR   FACTOR: 0.5, 50%, or "remove"
///   copies=remove | pin | overlap     graph     streams=N     host=FACTOR     threads=N     switch:NAME=on | off
///
/// PATTERN is a name or /a regular expression/; with #N behind it, only the N-th match of each iteration counts. A name
/// stands for events of exactly that name; without any, for those with that name behind "::", then for those that
/// contain it. Of nested matches the outermost counts.
/// Failures: invalidArgument.
base::Result<Change> parseChange(const std::string& text);

} // namespace apertune::advice
