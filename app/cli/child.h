// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/terminal.h"
#include "core/base/child_process.h"
#include "core/base/result.h"

#include <stop_token>
#include <string>
#include <vector>

namespace apertune::cli {

struct ChildResult
{
    base::ChildExit exit;
    std::string out;
    std::string err;
};

/// Runs a program to its end and keeps what it prints; nothing is inherited by accident. `limit` bounds its life.
/// Failures: those of starting it, timeout, cancelled.
base::Result<ChildResult> runChild(const std::vector<std::string>& argv, base::Nanoseconds limit, std::stop_token stop);

} // namespace apertune::cli
