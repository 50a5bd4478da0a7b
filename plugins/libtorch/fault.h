// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/fault.h"

#include <exception>
#include <string>
#include <string_view>

namespace apertune::libtorch {

using plugins::Fault;
using plugins::Phase;

/// The fault that a caught exception stands for. A Fault is passed through. Out-of-memory and accelerator errors of
/// LibTorch are known by their type, or by their text where a library in between lost the type.
Fault classify(std::exception_ptr error, Phase phase);

/// The line of a LibTorch message that says what happened. The TorchScript interpreter puts it last, after its trace;
/// other messages have it first.
std::string essentialLine(std::string_view text);

} // namespace apertune::libtorch
