// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <string>
#include <vector>

namespace apertune::base {

/// Read members of an object that others wrote: a member that is missing or of another type counts as empty.
/// REQUIRES: `object` is an object.

/// Returns a string member; "" without one.
std::string textMember(const Json& object, const char* member);

/// Returns the strings of an array member; its other entries are left out.
std::vector<std::string> textMembers(const Json& object, const char* member);

} // namespace apertune::base
