// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace apertune::gui {

/// What a rule says about a study, in the language of the window.
struct StudyFindingCard
{
    QString rule; ///< name of the rule: "batch-past-knee"
    QString title;
    QString device; ///< empty where the study has one device
    QString text;
    QStringList why; ///< facts of the trials that show the reason, the surest first
    QString change;  ///< the advised change; may be empty
    std::vector<std::pair<model::TrialId, QString>> trials; ///< the evidence, by the names of their configurations

    bool operator==(const StudyFindingCard&) const = default;
};

/// The findings of a study. Immutable.
struct StudyFindingsView
{
    std::shared_ptr<const model::StudySnapshot> snapshot;
    std::vector<StudyFindingCard> cards;
    QString command; ///< command line that prints these findings
};

/// Evaluates the rules over a study (comparison::studyFindings()) with their default thresholds. It compares pairs of
/// trials, so tasks call it.
std::shared_ptr<const StudyFindingsView> makeStudyFindingsView(std::shared_ptr<const model::StudySnapshot> snapshot,
                                                               const std::filesystem::path& file);

} // namespace apertune::gui
