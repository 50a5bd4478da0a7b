// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace apertune::base {

/// The only JSON type of the project. It keeps the order in which members were written, so documents read well.
/// Headers include this file; sources that build or read JSON include <nlohmann/json.hpp>.
using Json = nlohmann::ordered_json;

} // namespace apertune::base
