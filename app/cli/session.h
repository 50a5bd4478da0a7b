// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/interrupt.h"
#include "app/cli/terminal.h"

#include <filesystem>
#include <string>

namespace apertune::cli {

/// The options that all verbs share.
struct Common
{
    std::filesystem::path store; ///< the workspace; never empty
    bool json = false;
    bool quiet = false;
    bool trust = false;     ///< code from elsewhere may run (core/models/trust.md)
    bool noSandbox = false; ///< workers and exporters get all rights of the user (core/sandbox/sandbox.md)
};

/// The environment of a verb's action, in addition to its own options.
struct Session
{
    Terminal& terminal;
    const Interrupt& interrupt;
    Common common;
    std::string repeatLine; ///< the command line that repeats this call
};

} // namespace apertune::cli
