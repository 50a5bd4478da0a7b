// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

/// What the fake driver offers beside the driver's own functions; work runs at once, on the host.
namespace apertune::fake {

/// Runs `work`, or keeps it for the graph that is being captured.
void submit(std::function<void()> work);
bool capturing();

} // namespace apertune::fake
