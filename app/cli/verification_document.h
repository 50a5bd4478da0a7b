// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/finding.h"
#include "core/base/json.h"
#include "core/model/experiment.h"
#include "core/runs/verification.h"

namespace apertune::cli {

/// An element of `proofs` in "apertune.proofs/1".
base::Json verificationDocument(const advice::Finding& finding, const runs::Verification& verification);

/// The exit code of an outcome.
int codeOf(model::VerificationOutcome word);

} // namespace apertune::cli
