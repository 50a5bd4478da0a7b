// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/study/phase.h"

#include <functional>
#include <stop_token>
#include <string>

namespace apertune::gui {

/// Stop token and callbacks of a long call. The callbacks are called on the task's thread.
struct LoadTask
{
    std::stop_token stop{};
    std::function<void(double)> progress{}; ///< takes 0…1
    /// Is called with the step of a run. Users see phaseWord() of it.
    std::function<void(study::Phase phase)> phase{};
    /// Is called with each step of a check of an export.
    std::function<void(const base::Message& step)> step{};
};

} // namespace apertune::gui
