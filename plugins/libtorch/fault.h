// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/fault.h"

#include <exception>
#include <string>
#include <string_view>

namespace apertune::libtorch {

using plugins::Fault;
using plugins::Phase;

/// Converts a caught exception to a fault. A Fault is returned unchanged. Out-of-memory and accelerator errors of
/// LibTorch are recognized by their type, or by their text when a library in between lost the type.
Fault classify(std::exception_ptr error, Phase phase);

/// Returns the line of a LibTorch message with the cause. The TorchScript interpreter puts it last, after its trace;
/// other messages have it first.
std::string essentialLine(std::string_view text);

} // namespace apertune::libtorch
