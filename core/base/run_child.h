// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::base {

struct ChildResult
{
    ChildExit exit;
    std::string out;
    std::string err;
};

/// Reads the output of a started child until it ends, and returns its exit and its output. The child ends with the call
/// in any case. `limit` and `watch` are those of runChild(). Failures: timeout, cancelled; `name` stands in the first.
Result<ChildResult> finishChild(ChildProcess child, const std::string& name, Nanoseconds limit, std::stop_token stop,
                                const std::function<void(int pid)>& watch = {});

/// Runs a program to its end and returns its exit and its output.
///  - `limit` bounds its run time.
///  - `watch` is called with its process id about ten times a second while it runs.
///
/// Failures: those of ChildProcess::start(), timeout, cancelled.
Result<ChildResult> runChild(const std::vector<std::string>& argv, Nanoseconds limit, std::stop_token stop,
                             const std::function<void(int pid)>& watch = {});

} // namespace apertune::base
