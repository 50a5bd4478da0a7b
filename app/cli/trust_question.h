// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/models/trust.h"

namespace apertune::cli {

/// How this call answers whether code from elsewhere may run: yes with --trust; a question on stderr with its answer
/// from stdin where both are terminals and no document was asked for; else an empty function, which refuses. The
/// arguments must outlive it.
models::TrustQuestion trustQuestion(const Common& common, Terminal& terminal, const Interrupt& interrupt);

} // namespace apertune::cli
