// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/precision.h"

#include <string>
#include <string_view>
#include <vector>

namespace apertune::exports {

/// The facts about an engine that its measuring kits need. They come from kit.json in the engine's folder
/// (plugins/export.md), so core names no engine.
struct KitEngine
{
    std::string backend;               ///< name of its folder under plugins/
    std::string name;                  ///< name in the trials of a kit: what runs there, which may be no backend here
    std::string title;                 ///< name for people
    std::string module;                ///< the Python module that a kit imports
    std::vector<std::string> formats;  ///< formats that it opens; other models are converted from TorchScript
    model::OptLevel level{};           ///< the level that its kits measure
    std::vector<std::string> switches; ///< switches that are on at that level
    std::string standIn;               ///< JSON: what stands for the platform where a kit is tried on a processor
};

/// A place where the models of guides run, such as ROCm: an engine with a kind of device.
struct Platform
{
    std::string name;        ///< "rocm": what users type
    std::string title;       ///< "ROCm"
    std::string device;      ///< id of the device in trials: "rocm:0", "cpu"
    std::string backend;     ///< KitEngine::backend
    std::string requirement; ///< the hardware and packages that a machine needs
    std::string remark;
    std::vector<model::Precision> precisions; ///< those that a kit can measure; the first is the usual one
    std::string target;     ///< JSON: how the engine finds the device; empty: there is no kit for the platform
    bool anyEngine = false; ///< trials of every engine on such a device are of the platform
};

/// Returns the engines that have kits, and all platforms, in the order of the engines' folders and of their kit.json.
const std::vector<KitEngine>& kitEngines();
const std::vector<Platform>& platforms();

/// Returns the platform of a name; null when there is none.
const Platform* findPlatform(std::string_view name);
/// Returns the engine of a platform.
const KitEngine& engineOf(const Platform& platform);

} // namespace apertune::exports
