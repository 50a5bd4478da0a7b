// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comparison/effects.h"
#include "core/model/setting.h"
#include "core/model/study.h"
#include "widgets/tables/text_table_model.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <vector>

namespace apertune::gui {

/// The content of the Effects page for a study. It is immutable once made. A task computes it, because it compares all
/// pairs of trials.
struct EffectsView
{
    std::shared_ptr<const model::StudySnapshot> snapshot; ///< keeps the trials of `effects` alive
    std::vector<comparison::SettingEffect> effects;
    std::vector<tables::TextTableModel::Row> rows; ///< one each; key: index + 1
    bool severalDevices = false;
    bool knowsEnergy = false; ///< some pair knows the energy of both trials
    bool knowsStart = false;  ///< some pair knows the starts of both trials
    QString command;          ///< command line that prints these effects
};

/// The columns of EffectsView::rows.
enum class EffectColumn { device, setting, change, speedup, pairs, memory, energy, start, cosine, depends };
std::vector<tables::TextTableModel::Column> effectColumns();

std::shared_ptr<const EffectsView> makeEffectsView(std::shared_ptr<const model::StudySnapshot> snapshot,
                                                   const std::filesystem::path& file);

/// A setting of a configuration in the window's language; a switch keeps its name.
QString settingWord(const model::Setting& setting);

/// The columns and rows of the pairs behind one effect. The key of a row is the id of the trial after the change.
std::vector<tables::TextTableModel::Column> effectPairColumns();
enum class EffectPairColumn { from, to, speedup, verdict, energy, start };
std::vector<tables::TextTableModel::Row> effectPairRows(const EffectsView& view, std::size_t effect);

} // namespace apertune::gui
