// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/store/store.h"

namespace apertune::runs {

/// The facts about a stored trace that rules of advice use beside its events: its id, trial, model, device and the
/// device's ceilings. Facts that are unknown, because the trace was imported or the store fails, stay empty.
advice::Context contextOf(const store::Store& store, const store::TraceSummary& trace);

} // namespace apertune::runs
