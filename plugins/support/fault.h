// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <exception>
#include <string>
#include <utility>

namespace apertune::plugins {

/// A failure as the plugin's caller is told it. Thrown inside the plugin, never out of it.
struct Fault : std::exception
{
    Fault(apertune_status code, std::string sentence, std::string advice, std::string text = {})
        : status(code), message(std::move(sentence)), hint(std::move(advice)), detail(std::move(text))
    {
    }

    const char* what() const noexcept override { return message.c_str(); }

    apertune_status status;
    std::string message; ///< one sentence
    std::string hint;    ///< what to do
    std::string detail;  ///< the engine's own words, shortened; may be empty
};

/// What the plugin was doing, which decides what an exception without a type of its own means.
enum class Phase { describing, opening, running };

} // namespace apertune::plugins
