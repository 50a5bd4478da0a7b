// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace apertune::libtorch {

enum class Where { anywhere, cpu, cuda };

/// A switch that this backend knows. It stands in the list of the file that applies it and reads it back.
struct KnownSwitch
{
    std::string name;
    Where where = Where::anywhere;
};

} // namespace apertune::libtorch
