// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <exception>
#include <string>
#include <utility>

namespace apertune::plugins {

/// A failure in the form that the plugin's caller gets. It is thrown inside the plugin and never leaves it.
struct Fault : std::exception
{
    Fault(apertune_status code, std::string sentence, std::string advice, std::string text = {})
        : status(code), message(std::move(sentence)), hint(std::move(advice)), detail(std::move(text))
    {
    }

    const char* what() const noexcept override { return message.c_str(); }

    apertune_status status;
    std::string message; ///< one sentence
    std::string hint;    ///< the remedy
    std::string detail;  ///< the engine's own message, shortened; may be empty
};

/// The operation during which an exception occurred. It decides what an exception without a type of its own means.
enum class Phase { describing, opening, running };

} // namespace apertune::plugins
