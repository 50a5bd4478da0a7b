// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>
#include <functional>
#include <optional>
#include <string_view>

namespace apertune::study {

/// The step that a run is at, for display.
enum class Phase {
    compile,
    load,
    warmUp,
    measure,
    quality,
    bare,  ///< passes without recording, before those that are recorded
    trace, ///< recorded passes
    write,
    store,
    ceilings,
    pair, ///< a pair of runs of a comparison
    evaluate,
    images,
    stages,
    serve
};

/// Returns the word of a phase, as the terminal shows it: "warm-up".
std::string_view toString(Phase phase);

/// Returns the phase of a word of the worker's protocol. Two of them, "first" and "finalize", are parts of the warm-up.
/// A word that only a newer worker knows gives nullopt, and the phase before stays shown.
std::optional<Phase> phaseFromString(std::string_view word);

/// Receives the phase of a run. `figure` says how far it is, such as the median so far; it may be empty. Called on the
/// thread of the run.
using PhaseSink = std::function<void(Phase phase, const base::Message& figure)>;

} // namespace apertune::study
