// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apertune::model {

/// Kind of reason why a trial has no result. Documents, SQL and the worker protocol have the word of toString(); the
/// numbers are never stored.
enum class ReasonKind : std::uint8_t {
    none, ///< there is nothing to explain; its word is empty

    // The trial failed.
    outOfMemory,
    crash,
    hang,
    timeout,
    compileFailed,
    modelThrew,
    badInput,
    unsupported,
    deviceLost,
    notANumber, ///< the outputs have NaN or Inf where the reference has none
    damaged,    ///< the workspace has values of the trial that cannot be read
    internal,
    cancelled,

    // The trial was pruned: it was planned and not measured.
    impossible,
    budget,
    batchEdge,
    tooSlow,
    dominated,
    bisect,
    latency,
    bound,
    compileCost,
    quality,
};

/// "oom", "crash", "hang", "timeout", "compile_failed", "model_threw", "bad_input", "unsupported", "device_lost",
/// "nan", "damaged", "internal", "cancelled", "impossible", "budget", "batch_edge", "too_slow", "dominated", "bisect",
/// "latency", "bound", "compile_cost", "quality".
std::string_view toString(ReasonKind kind);

/// Returns nullopt for a word that toString() never returns.
std::optional<ReasonKind> reasonKindFromString(std::string_view text);

/// The same, but an unknown word (of a newer version) is `internal`.
ReasonKind knownReasonKind(std::string_view text);

/// Reason why a trial has no result. core/sentences makes the sentence of `message` where it is shown.
struct Reason
{
    ReasonKind kind = ReasonKind::none;
    base::Message message{};
    std::string detail{}; ///< log tail; may be empty
    bool empty() const { return kind == ReasonKind::none; }
};

} // namespace apertune::model
