// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/models/trust.h"

namespace apertune::cli {

/// The answer of this call to whether code from elsewhere may run:
///
/// * yes with --trust;
/// * a question on stderr, answered on stdin, if both are terminals and --json was not given;
/// * else an empty function, which means no.
///
/// REQUIRES: the arguments outlive the result.
models::TrustQuestion trustQuestion(const Common& common, Terminal& terminal, const Interrupt& interrupt);

} // namespace apertune::cli
