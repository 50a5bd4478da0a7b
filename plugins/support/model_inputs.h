// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/artifact.h"

#include <cstdint>
#include <string>
#include <vector>

/// What an engine's file asks for, held against what the artifact describes, with the sentences for what does not fit.
/// All throw Fault BAD_INPUT where they say nothing else.
namespace apertune::plugins {

void checkInputCount(std::size_t inFile, const std::vector<InputSpec>& inputs);

/// The input `name` has elements of the type `inFile`, which is another than the artifact's.
[[noreturn]] void otherElementType(const std::string& name, const std::string& inFile, const InputSpec& spec);

/// `inFile`: the shape of the input in the file, -1 for any extent. Throws UNSUPPORTED when it is the batch alone that
/// does not fit.
void checkShape(const std::string& name, const std::vector<std::int64_t>& inFile, const InputSpec& spec,
                std::int64_t batch);

/// The bytes of an input set against those that the opened model wants.
void checkBytes(const std::string& name, std::size_t given, std::size_t wanted);

} // namespace apertune::plugins
