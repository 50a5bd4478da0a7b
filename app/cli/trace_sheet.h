// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/lookup.h"
#include "core/base/json.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>

namespace apertune::cli {

/// "error", "warning" or "notice"
const char* severityText(trace::LossSeverity severity);

/// The losses as documents have them: each with "kind", "count", "severity" and "reason".
base::Json lossesDocument(const trace::Trace& trace);

/// The recorded events and the losses, as text and as the document "apertune.trace/1".
std::string traceSheet(store::TraceId id, const trace::Trace& trace, int width);
base::Json traceDocument(store::TraceId id, std::optional<model::TrialId> trial, const trace::Trace& trace);

} // namespace apertune::cli
