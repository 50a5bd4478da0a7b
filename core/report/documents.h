// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/study.h"

#include <string>
#include <vector>

namespace apertune::report {

/// The documents that scripts rely on. Versioned by their "schema" member; documented in schema.md beside this file.

/// "apertune.study/1": what `tune --json` and `show STUDY --json` print.
base::Json studyDocument(const model::StudySnapshot& snapshot);

/// A certificate as it stands in that document, and for people: "Differences below 1.2 % cannot be told on this machine
/// (20 comparisons of a configuration with itself, protocol normal, 2026-11-21T14:02:11Z)."
base::Json noiseDocument(const model::NoiseCertificate& certificate);
std::string noiseSentence(const model::NoiseCertificate& certificate);

/// What of the study's trials the workspace has lost, as sentences for people; empty when nothing was lost.
std::vector<std::string> losses(const model::StudySnapshot& snapshot);

/// One trial as it stands in that document.
base::Json trialDocument(const model::Trial& trial);

/// "apertune.trial/1": what `show TRIAL --json` prints.
base::Json trialDocument(const model::StudySnapshot& snapshot, const model::Trial& trial);

/// The human table: one line a measured trial with latency ± half-width, throughput, memory, quality, state, and the
/// recommended line marked; then the others, named and gathered by reason. UTF-8; at most `width` columns when
/// width > 0.
std::string studyTable(const model::StudySnapshot& snapshot, int width = 0);

/// All about one trial for people: configuration, timing with percentiles, memory, quality, and what took effect.
/// `trial` belongs to `snapshot`.
std::string trialSheet(const model::StudySnapshot& snapshot, const model::Trial& trial, int width = 0);

/// "1 294 img/s ± 0.6 % (n = 42): O2 fp32 batch 4, 1.55× [1.53, 1.57] O0 fp32 batch 4." For people; then the runner-up,
/// where it is another than that baseline: "It cannot be told from the runner-up O1 fp32 batch 4 (t3): 1.01×
/// [0.99, 1.03]."
std::string recommendationSentence(const model::StudySnapshot& snapshot);

/// One row per trial, raw values, header with units.
std::string studyCsv(const model::StudySnapshot& snapshot);

} // namespace apertune::report
