// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string>

namespace apertune::gui {

/// Stop token and callbacks of a long call. The callbacks are called on the task's thread.
struct LoadTask
{
    std::stop_token stop{};
    std::function<void(double)> progress{}; ///< takes 0…1
    /// Is called with the step of a run: "load", "warm-up", "trace" …
    std::function<void(const std::string& phase)> phase{};
};

} // namespace apertune::gui
