// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apertune::plugins {

/// One line of "applied, not asked".
struct Applied
{
    std::string name;
    std::string state; ///< on, off, requested_not_in_effect, not_applicable
    std::string evidence;
    std::vector<std::string> layers{}; ///< that it took effect on, where they have names
};

struct MemoryFigures
{
    std::optional<std::int64_t> allocatorPeak; ///< bytes; the allocator that tensors live in
    std::optional<std::int64_t> devicePeak;    ///< bytes of the device that this process holds
    std::string note;                          ///< what the figures leave out; may be empty
};

/// What report() answers.
struct Report
{
    std::vector<Applied> applied;
    MemoryFigures memory;
    std::vector<std::string> notes;

    /// A switch whose effect was read back: on when it is in effect, whoever asked for it.
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
