// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/trial.h"
#include "widgets/controls/label.h"

#include <QDateTime>
#include <QString>

#include <optional>

namespace apertune::gui {

/// The engine's job for this window. There is one at a time, because a workspace has one writer.
struct JobState
{
    enum class Kind { none, importing, sweeping, underLoad, measuringClaims };
    enum class Stop { no, afterCurrent, now };
    Kind kind = Kind::none;
    Stop stop = Stop::no;
    QString title;   ///< "resnet50"
    QString current; ///< the configuration that runs now: "O2 bf16 b4 on cpu"
    QString phase;   ///< "warm-up", "measure" …
    int done = 0;
    /// 0: unknown. For a run under load it is 1000, and `done` counts thousandths of the time. For claims both count
    /// the steps of the plan.
    int total = 0;
    std::optional<base::Nanoseconds> etaLow;
    std::optional<base::Nanoseconds> etaHigh;
    model::StudyId study{};
    model::TrialId trial{}; ///< the trial under load, or the last one that was
    QDateTime started;

    bool busy() const { return kind != Kind::none; }
};

struct JobEvent
{
    QDateTime at;
    controls::Tone tone = controls::Tone::secondary;
    QString text;
    bool isFailure = false;
};

} // namespace apertune::gui
