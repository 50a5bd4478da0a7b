// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/artifact.h"

#include <cstdint>
#include <string>
#include <vector>

/// These functions check the inputs of an engine's file against the artifact. All throw Fault BAD_INPUT, which
/// describes the difference, unless their comment says otherwise.
namespace apertune::plugins {

void checkInputCount(std::size_t inFile, const std::vector<InputSpec>& inputs);

/// Throws because the element type `inFile` of the input `name` differs from the artifact's.
[[noreturn]] void otherElementType(const std::string& name, const std::string& inFile, const InputSpec& spec);

/// `inFile` is the shape of the input in the file, with -1 for any extent. Throws Fault UNSUPPORTED when only the batch
/// does not fit.
void checkShape(const std::string& name, const std::vector<std::int64_t>& inFile, const InputSpec& spec,
                std::int64_t batch);

/// Compares the size of an input set with the size that the opened model wants.
void checkBytes(const std::string& name, std::size_t given, std::size_t wanted);

} // namespace apertune::plugins
