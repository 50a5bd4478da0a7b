// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <QString>
#include <QStringList>
#include <QVariant>

#include <optional>
#include <string>

namespace apertune::tables {

enum class TrialColumn {
    mark,
    trial,
    device,
    engine,
    level,
    precision,
    batch,
    threads,
    switches,
    latency,
    spread,
    throughput,
    memory,
    quality,
    state
};
inline constexpr int kTrialColumns = 15;

/// How a trial stands in each column. Pure functions of the trial; the model caches nothing.
QString columnTitle(TrialColumn column, const QString& throughputUnit);
QStringList rawTitles(TrialColumn column); ///< see kRawTitleRole; empty: the title
QString columnToolTip(TrialColumn column);
bool isNumeric(TrialColumn column);

/// What a cell takes from the study around its trial.
struct CellContext
{
    model::DeviceKind device = model::DeviceKind::cpu;
    const model::SwitchMap& given; ///< see model::switchMarks(); outlives the call
};

QString cellText(const model::Trial& trial, TrialColumn column, const CellContext& context);

/// What to write to CSV: a double, two of an interval, a text, or invalid where the trial has no value.
QVariant cellValue(const model::Trial& trial, TrialColumn column, const CellContext& context);

/// What to sort by: a double, a text, or invalid where the trial has no value.
QVariant cellOrder(const model::Trial& trial, TrialColumn column, const CellContext& context);

/// The peak that counts for the device: of the GPU or of the process, else of the tensor allocator.
std::optional<base::Bytes> memoryPeak(const model::MemoryUse& memory, model::DeviceKind device);

/// "ok", "ok, contended", "out of memory", "skipped: needs AVX512-BF16" …
QString stateText(const model::Trial& trial);
/// Icon and tone of a state: never colour alone.
QString stateIcon(const model::Trial& trial);
int stateTone(const model::Trial& trial);

/// A word for a reason's kind: "oom" -> "out of memory". Unknown kinds come back as they are.
QString reasonWord(const std::string& kind);

/// Definition, interval, sample count, flags: what hovering a trial shows.
QString trialToolTip(const model::Trial& trial, model::DeviceKind device, const QString& throughputUnit);

} // namespace apertune::tables
