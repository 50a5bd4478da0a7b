// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apertune::plugins {

/// The state of one switch that was read back, with the evidence.
struct Applied
{
    std::string name;
    std::string state; ///< on, off, requested_not_in_effect, not_applicable
    std::string evidence;
    std::vector<std::string> layers{}; ///< names of the layers on which it took effect, if they have names
};

struct MemoryFigures
{
    std::optional<std::int64_t> allocatorPeak; ///< bytes, highest use of the allocator for tensors
    std::optional<std::int64_t> devicePeak;    ///< bytes of the device that this process holds
    std::string note;                          ///< limits of the figures; may be empty
};

/// The answer of report().
struct Report
{
    std::vector<Applied> applied;
    MemoryFigures memory;
    std::vector<std::string> notes;

    /// Adds a switch whose effect was read back. It is on when it is in effect, even if it was not requested.
    void readBack(std::string name, bool requested, bool inEffect, std::string evidence)
    {
        const char* state = inEffect ? "on" : requested ? "requested_not_in_effect" : "off";
        applied.push_back({std::move(name), state, std::move(evidence), {}});
    }

    void notApplicable(std::string name, std::string evidence)
    {
        applied.push_back({std::move(name), "not_applicable", std::move(evidence), {}});
    }
};

} // namespace apertune::plugins
