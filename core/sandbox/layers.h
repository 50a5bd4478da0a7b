// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::sandbox {

/// The layers of the sandbox. Each holds when those before it are missing or were broken (sandbox.md).
enum class Layer {
    noNewRights,  ///< no_new_privs: set-user-id programs give no rights
    parentDeath,  ///< the child is killed when the thread that started it ends
    files,        ///< Landlock: the files that the child may read, write and execute
    systemCalls,  ///< seccomp: the system calls that it may make
    network,      ///< network namespace without any interface
    processes,    ///< process namespace: everything that the child started ends with it
    capabilities, ///< the special rights of root are given up
    limits,       ///< rlimits on memory, processes and core dumps
};

inline constexpr std::array kLayers{Layer::noNewRights, Layer::parentDeath, Layer::files,        Layer::systemCalls,
                                    Layer::network,     Layer::processes,   Layer::capabilities, Layer::limits};

/// The layer's name in documents: "no_new_rights", "parent_death", "files", "system_calls", "network", "processes",
/// "capabilities", "limits".
std::string_view toString(Layer layer);

/// Whether this kernel offers a layer to this process.
struct LayerState
{
    Layer layer = Layer::noNewRights;
    bool available = false;
    base::Message remark; ///< available: what the kernel's version of it covers, where that differs; otherwise why not
};

/// The states of all layers, in the order of kLayers. They are probed once a process, which takes some milliseconds.
/// Threads: any.
const std::vector<LayerState>& layerStates();

/// The version of Landlock's interface; 0: the kernel has none, or it is off.
int landlockVersion();

} // namespace apertune::sandbox
