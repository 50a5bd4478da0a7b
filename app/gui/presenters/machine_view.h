// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/study_gateway.h"
#include "widgets/controls/fact_list.h"
#include "widgets/tables/text_table_model.h"

#include <QDateTime>

#include <vector>

namespace apertune::gui {

// The machine and the list of studies in words. Pure functions: the time is a parameter.
std::vector<controls::FactList::Fact> machineFacts(const Machine& machine);
std::vector<controls::FactList::Fact> capabilityFacts(const Machine& machine);

/// An engine of this installation, with the change that a button makes.
struct EngineRow
{
    enum class Change { none, add, remove };
    worker::EngineState engine;
    QString title{};
    QString state{};   ///< its version, or that it is not there
    QString toolTip{}; ///< where it is, or why it cannot be used and what to do
    controls::Tone tone = controls::Tone::text;
    Change change = Change::none;
};

std::vector<EngineRow> engineRows(const Machine& machine);
/// Whether any engine can be used.
bool hasEngine(const Machine& machine);

/// The reason why the hardware counters of a trial's device cannot be read here, and what to do; empty: they can be
/// read.
QString whyNoCounters(const Machine& machine, const model::Trial& trial);
/// The same for recording a trial's CUDA graphs by node or by launch.
QString whyNoGraphs(const Machine& machine, const model::Trial& trial);

/// Rows with name, model, trials, state and time. The key of a row is the study's id.
std::vector<tables::TextTableModel::Row> studyRows(const std::vector<store::StudySummary>& studies,
                                                   const QDateTime& now, const std::filesystem::path& file);

} // namespace apertune::gui
