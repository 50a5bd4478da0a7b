// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <exception>
#include <string>
#include <string_view>

namespace apertune::libtorch {

/// A failure as the plugin's caller is told it. Thrown inside the plugin, never out of it.
struct Fault : std::exception
{
    Fault(apertune_status code, std::string sentence, std::string advice, std::string text = {});

    const char* what() const noexcept override { return message.c_str(); }

    apertune_status status;
    std::string message; ///< one sentence
    std::string hint;    ///< what to do
    std::string detail;  ///< LibTorch's own words, shortened; may be empty
};

/// What the plugin was doing, which decides what an exception without a type of its own means.
enum class Phase { describing, opening, running };

/// The fault that a caught exception stands for: a Fault is passed through; LibTorch's out-of-memory and
/// accelerator errors are known by type and, where a library between lost the type, by text.
Fault classify(std::exception_ptr error, Phase phase);

/// The line of a LibTorch message that says what happened: the interpreter puts it last, after its trace,
/// everything else first.
std::string essentialLine(std::string_view text);

} // namespace apertune::libtorch
