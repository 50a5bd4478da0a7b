// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/message.h"
#include "core/base/result.h"
#include "core/probe/load_watch.h"

#include <string_view>

namespace apertune::models {

/// The verdict of an exported program on its outputs and its time.
enum class ProgramVerdict { inside, outside, cannotTell };

/// Returns the word of documents: "inside", "outside", "cannot_tell".
std::string_view toString(ProgramVerdict verdict);

/// Returns the verdict of a document "apertune.verification/1". A word that is unknown here, or none, tells nothing.
ProgramVerdict verdictOf(const base::Json& document);

/// Corrects the verdict of an exported program about its own measurement ("apertune.verification/1") with facts that
/// the program does not have. Writes `verdict`, `tolerance`, `load`, `machine` and `notes` into the document. `notes`
/// ends with the reason of a `cannot_tell`, if there is one besides the interval. The rules:
///
///  - The tolerance is model::kMostTolerance at most, also for folders that earlier versions wrote.
///  - A time beyond the tolerance is `outside` if it is also beyond the interval of the trial and beyond
///    `noise_floor`, else `cannot_tell`.
///  - A slower time on a busy machine is `cannot_tell`, unless the outputs differ, too.
///  - A slower time is `cannot_tell` when the same model without optimization (the drift reading) became slower, too:
///    `machine` times. It stays `outside` if its ratio to that model has grown since the export.
///
/// `check` is the document "apertune.check/1" of the folder, with the drift reading at the export; null: there is none.
/// Failures: corrupt (a document is damaged).
base::Status reviseVerdict(base::Json& document, const probe::MachineLoad& load, const base::Json& check);

/// Whether a document "apertune.verification/1" says that the outputs are not those that were measured, or does not say
/// it.
bool hasOtherOutputs(const base::Json& document);

} // namespace apertune::models
