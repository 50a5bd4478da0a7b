// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/fault.h"

#include <exception>
#include <string>
#include <string_view>

namespace apertune::libtorch {

using plugins::Fault;
using plugins::Phase;

/// The fault that a caught exception stands for: a Fault is passed through; LibTorch's out-of-memory and
/// accelerator errors are known by type and, where a library between lost the type, by text.
Fault classify(std::exception_ptr error, Phase phase);

/// The line of a LibTorch message that says what happened: the interpreter puts it last, after its trace,
/// everything else first.
std::string essentialLine(std::string_view text);

} // namespace apertune::libtorch
