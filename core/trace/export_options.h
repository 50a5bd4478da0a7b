// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>

namespace apertune::trace {

struct ExportOptions
{
    std::function<void(double share)> progress = {}; ///< called on the calling thread with the finished share, 0…1
    std::stop_token cancel = {};
};

} // namespace apertune::trace
